import { describe, expect, it } from "vitest";

import {
  EXIT,
  exitCodeFor,
  notRunLine,
  plainLine,
  tallyLine,
  tallyOf,
  fail,
  notRun,
  pass,
  type Verdict,
} from "./index.ts";

const noRedis = notRun("missing-dependency", "no redis on 127.0.0.1:6379", {});
const noDump = notRun("missing-input", "no dump", {});

describe("a tally", () => {
  it("adds up, because planned is what was counted", () => {
    const verdicts: Verdict[] = [pass(), fail("a"), fail("b"), fail("c"), noRedis, noRedis, noDump];
    expect(tallyOf(verdicts)).toEqual({ planned: 7, passed: 1, failed: 3, notRun: 3 });
    expect(tallyLine(tallyOf(verdicts))).toBe("planned 7, passed 1, failed 3, not run 3");
  });

  it("names the reasons of what was not run, in one order whatever order they came in", () => {
    expect(notRunLine([noDump, pass(), noRedis, noRedis])).toBe(
      "not run: 3 (missing-dependency 2, missing-input 1)",
    );
  });

  it("prints a zero with the population it was taken from", () => {
    expect(notRunLine([pass(), pass()])).toBe("not run: 0 of 2 planned");
  });

  it("mentions skipped things in the plain line only when there are any", () => {
    const tally = tallyOf([pass(), fail("a"), noRedis]);
    expect(plainLine(tally)).toBe("1 passed, 1 failed");
    expect(plainLine(tally, 4)).toBe("1 passed, 1 failed, 4 skipped");
  });
});

describe("the exit code", () => {
  it.each([
    { verdicts: [pass(), pass()], code: EXIT.clean, why: "everything planned passed" },
    { verdicts: [pass(), fail("a")], code: EXIT.findings, why: "something failed" },
    { verdicts: [pass(), noRedis], code: EXIT.noVerdict, why: "a planned thing has no verdict" },
    { verdicts: [noRedis, fail("a")], code: EXIT.findings, why: "a failure beats a not run" },
    { verdicts: [], code: EXIT.usage, why: "selecting nothing is no pass" },
  ])("is $code when $why", ({ verdicts, code }) => {
    expect(exitCodeFor(tallyOf(verdicts))).toBe(code);
  });

  it("has numbers that scripts rely on", () => {
    expect(EXIT).toEqual({ clean: 0, findings: 1, usage: 2, noVerdict: 3, interrupted: 130 });
  });
});

describe("a verdict", () => {
  it("cannot be NOT RUN without a reason and evidence", () => {
    // @ts-expect-error: no reason
    const unexplained: Verdict = { verdict: "NOT RUN", message: "somehow", evidence: {} };
    // @ts-expect-error: no evidence
    const unproven: Verdict = { verdict: "NOT RUN", reason: "unsupported", message: "somehow" };
    // @ts-expect-error: a reason that is none of ours
    const invented = notRun("felt-like-it", "somehow", {});
    expect([unexplained, unproven, invented]).toHaveLength(3);
  });
});
