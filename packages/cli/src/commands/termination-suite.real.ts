/** `casebook test --suite termination` as a process: what it prints, and how it ends. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readResultDocument } from "@casebook/verdict";
import { describe, expect, it } from "vitest";
import { ROOT } from "../root.ts";

function casebook(...words: string[]) {
  return spawnSync(process.execPath, ["--import", "tsx", join(ROOT, "packages/cli/src/main.ts"), ...words], { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
}

/** `casebook test --suite termination` */
const TERMINATION = ["test", "--suite", "termination"];

describe("casebook test --suite termination", () => {
  it("prints 41 scenarios and 36 pairs that pass, each with its window, what was seen, its cause and its invariants, and a table without a gap", { timeout: 300_000 }, () => {
    const { status, stdout, stderr } = casebook(...TERMINATION);
    // Read, and never judged: the article's suite of as many took about 90 s.
    process.stdout.write(stderr);
    expect(stderr).toMatch(/^casebook: controls: 8 in [\d.]+ s; .+\ncasebook: scenarios: 41 in [\d.]+ s; .+\ncasebook: pairs: 36 in [\d.]+ s; .+\ncasebook: the suite termination took [\d.]+ s\n$/);
    expect(stdout).toContain("\nscenarios: 41/41 passed\n");
    expect(stdout).toContain("\npairs: 36/36 passed\n");
    expect(stdout).toMatch(/\nPASS {5}kill_mid_task\/one-agent +completed +6\/6\n {9}agent killed after its claim: taken back 0 ms after the claim by connection-closed, epoch 2\n/);
    expect(stdout).toContain("\nwindows × faults: 112/112 cells ran, 0 failed\n");
    expect(status).toBe(0);
  });

  it("fails against the other order, and says so in the result document", { timeout: 300_000 }, async () => {
    const { status, stdout } = casebook(...TERMINATION, "--against", "diagnoses before it tells anybody", "--json");
    const read = await readResultDocument(stdout);
    if (read.document === undefined) throw new Error(JSON.stringify(read));
    const failed = read.document.results.filter(({ verdict }) => verdict === "FAIL").map(({ id }) => id);
    expect(failed).toContain("termination/ledger_blackhole/three-vendors");
    expect(failed).toContain("termination/extra/slow-ledger-at-the-deadline");
    expect(read.document.tally.notRun).toBe(0);
    expect(status).toBe(1);
    const lines = read.document.results.filter(({ verdict }) => verdict === "FAIL").map((result) => /casebook replay (\S+)$/.exec("message" in result ? (result.message ?? "") : "")?.[1]);
    expect(lines).not.toContain(undefined);
    expect(casebook("replay", lines[0] ?? "").status).toBe(1);
  });
});
