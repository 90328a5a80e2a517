/** The second example, in the suite of its author: this file is what he writes. */
import { expect } from "vitest";
import { jsonFile } from "../../examples/json-file.ts";
import { reportMarkdown } from "../index.ts";
import { readReport } from "../report/read-report.ts";
import { defineDispatcherConformance } from "./index.ts";

defineDispatcherConformance(jsonFile, {
  share: 0.5,
  async onReport(report) {
    const { planned, passed, unsupported, notChecked } = report;
    expect({ planned, passed, unsupported, notChecked }).toEqual({ planned: 21, passed: 21, unsupported: 28, notChecked: 14 });
    expect(await readReport(JSON.stringify(report))).toEqual({ outcome: "report", report });
    expect(reportMarkdown(report)).toContain("21 scenarios are a floor and no certificate");
  },
});
