import { fixtureTrees, GUARD_IDS } from "@casebook/doctor";
import { describe, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";
import { answerOf, NOT_ASKED } from "./doctor-self-test.ts";

const rest = () => fixtureTrees().filter(({ guard }) => guard !== "lock/stale");
const pair = () => fixtureTrees().filter(({ guard }) => guard === "lock/stale");

describe("casebook doctor --self-test", () => {
  it("prints one line for each guard that the doctor asks and exits 0, when each can be believed", async () => {
    const { stdout, stderr, exitCode } = await commandLine(["doctor", "--self-test"]);
    const lines = stdout.trimEnd().split("\n");
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(lines.filter((line) => line.startsWith("outside"))).toEqual(NOT_ASKED);
    expect(lines.slice(0, -1 - NOT_ASKED.length).map((line) => line.split(/ +/)[1])).toEqual(GUARD_IDS);
    expect(lines).toContain(
      "PASS     slot/duplicate                       alarmed on case 002 mode=broken and on claude-desktop: two sessions of one slot, silent on their twins",
    );
    expect(lines.at(-1)).toBe(`planned ${GUARD_IDS.length}, passed ${GUARD_IDS.length}, failed 0, not run 0`);
  });

  it("takes --only and --json", async () => {
    const { stdout, exitCode } = await commandLine(["doctor", "--self-test", "--json", "--only", "lock/stale"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ selection: ["lock/stale"], results: [{ id: "lock/stale", verdict: "PASS" }], tally: { planned: 1, passed: 1 } });
  });

  it.each([["/tmp"], ["--since", "2h"], ["--format", "openmetrics"], ["--only", "lock/stal"]])("refuses what it would not heed: %s %s", async (...words) => {
    const { stdout, exitCode } = await commandLine(["doctor", "--self-test", ...words]);
    expect([stdout, exitCode]).toEqual(["", 2]);
  });

  it("exits 1 and says which guard was silent, when one does not alarm on its tree", async () => {
    const muted = pair().map((one) => ({ ...one, bad: one.healthy }));
    const { text, exitCode } = await answerOf([...rest(), ...muted], [], false);
    expect(exitCode).toBe(1);
    expect(text).toContain("FAIL     lock/stale                           silent on qwen-code, healthy, which it has to alarm on\n");
    expect(text).toContain(`planned ${GUARD_IDS.length}, passed ${GUARD_IDS.length - 1}, failed 1, not run 0\n`);
  });

  it("exits 3 and names the guard, when it has no tree", async () => {
    const { text, exitCode } = await answerOf(rest(), ["lock/stale", "clock/skew"], false);
    expect(exitCode).toBe(3);
    expect(text).toBe(
      "PASS     clock/skew  alarmed on claude-desktop: a last run tomorrow, silent on its twin\n" +
        "NOT RUN  lock/stale  (missing-input) no tree shows what it alarms on\n" +
        "planned 2, passed 1, failed 0, not run 1\n",
    );
  });
});
