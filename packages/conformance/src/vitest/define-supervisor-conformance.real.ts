/** The supervisor of the page, in the suite of its author: this file is what he writes. */
import { expect } from "vitest";
import { oneAgent } from "../../examples/supervisor.ts";
import { defineSupervisorConformance } from "./index.ts";

defineSupervisorConformance(oneAgent, {
  onReport({ planned, passed, unsupported, notChecked }) {
    expect({ planned, passed, unsupported, notChecked }).toEqual({ planned: 19, passed: 19, unsupported: 16, notChecked: 5 });
  },
});
