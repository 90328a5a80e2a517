/** The command under `verify` of every finding, typed as it is printed: on the damage it alarms again, on the repaired tree it is green. */
import { type DoctorReport, fixtureTrees, GUARD_IDS, type GuardTrees, type Planted } from "@casebook/doctor";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
import { commandLine } from "../command-line.ts";
import { ROOT } from "../root.ts";
import { caseTrees } from "./case-trees.ts";
import type { Machine } from "./machine.ts";

const HOME = "/home/ada";
const PAIRS: readonly GuardTrees[] = [...fixtureTrees(), ...caseTrees(await readCatalog(ROOT))];

/** Twins on which a guard that is silent has no verdict, and why. */
const NO_VERDICT: Readonly<Record<string, string>> = {};

/** As a shell does: words between blanks, of which ours need no quotes here, and the tilde for the home. */
function wordsOf(command: string): string[] {
  const [program, ...words] = command.split(" ");
  expect([program, ...words.filter((word) => /['"$\\]/.test(word))]).toEqual(["casebook"]);
  return words.map((word) => (word.startsWith("~/") ? `${HOME}${word.slice(1)}` : word));
}

function machineOf({ tree, nowMs }: Planted): Machine {
  return { tree: () => tree, now: () => nowMs, homes: () => [HOME], placeOf: async (path) => path };
}

async function typed(words: readonly string[], planted: Planted): Promise<{ exit: number; report: DoctorReport }> {
  const { exitCode, stdout, stderr } = await commandLine([...words, "--json"], machineOf(planted));
  expect(stderr).toBe("");
  return { exit: exitCode, report: JSON.parse(stdout) as DoctorReport };
}

describe("what stands under `verify`", () => {
  it.each(PAIRS.map((pair, index) => ({ ...pair, index })))("$index: of $guard alarms while the damage is there, and is green when it is gone", async ({ guard, bad, healthy }) => {
    const ill = await bad();
    // What no known preset has, somebody has to say.
    const receipts = (ill.presets ?? []).flatMap((preset) => preset.receipts ?? []).flatMap(({ glob }) => ["--receipts", glob]);
    const { report } = await typed(["doctor", ...ill.places, "--zone", ill.zone, ...receipts], ill);
    const findings = report.findings.filter((finding) => finding.guard === guard);
    expect(findings.length).toBeGreaterThan(0);
    for (const { verify, severity } of findings) {
      const words = wordsOf(verify);
      const again = await typed(words, ill);
      expect([...new Set(again.report.findings.map((finding) => finding.guard))]).toEqual([guard]);
      if (severity === "alarm") expect(again.exit, `${verify} on ${ill.title}`).toBe(1);
      const well = await healthy();
      const after = await typed(words, well);
      expect(after.report.findings, `${verify} on ${well.title}`).toEqual([]);
      const reasons = after.report.rows.filter(({ verdict }) => verdict === "NOT RUN").map(({ because }) => because);
      expect({ exit: after.exit, reasons }).toEqual(guard in NO_VERDICT ? { exit: 3, reasons: [NO_VERDICT[guard]] } : { exit: 0, reasons: [] });
    }
  });

  it("was typed for every guard", () => {
    expect([...new Set(PAIRS.map(({ guard }) => guard))].toSorted()).toEqual(GUARD_IDS);
  });
});
