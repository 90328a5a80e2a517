/** What case 018 rests on: every crash point of both writers, the disk beside each call, the operator's cell, the mutants, and how it could be fooled. */
import { readFileSync } from "node:fs";
import { explore, playAlone, readToken, replay, searchArm, staying, type System } from "@casebook/explore";
import { storageNeitherVersion } from "@casebook/guards";
import { firstDifference, play } from "@casebook/repro";
import { createSimulation, type PointFault, type Space } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { BETWEEN, build, deletes, heldFast, MACHINE, type Policy, refusal, refusedTwice, repro, retriedTwice, retries, STATE, stops, systemOf, systems, type Told, unrefused, watched } from "./repro.ts";

const runner = await findRunner();
const page = readFileSync(new URL("README.md", import.meta.url), "utf8");

/** What the dispatcher that comes back can find when its rename was refused once and it ended behind this call. */
async function findsAfter(refused: Policy, kind: PointFault, nth: number): Promise<string[]> {
  const found = new Set<string>();
  await searchArm<Told>(systemOf(refused), [refusal(1), { at: "step", kind, process: "dispatcher", nth }], runner, {
    strategy: "exhaustive",
    goOn: true,
    onJudged: (_judged, { facts }) => void found.add(nameOf(facts().looks.find(({ crashes }) => crashes > 0))),
  });
  return [...found].sort();
}

function nameOf(look: Told["looks"][number] | undefined): string {
  if (look === undefined) return "not read";
  if (look.found === undefined) return "NOTHING";
  const at = look.versions.findIndex(({ content }) => content === look.found);
  return at === -1 ? "A PART" : at === 0 ? "old" : "new";
}

/** Calls of the first commit, from the open of the temporary file to the sync of the directory. */
const CALLS = { "delete-then-rename": { first: 5, last: 16 }, retry: { first: 5, last: 16 } } as const;

/** For each call: what it was, what lies in the directory, what of it a power loss may take, and what the next look finds. */
async function diagram(refused: Policy): Promise<string[]> {
  const notes: { readonly now: string; readonly pending: string }[] = [];
  let space!: Space;
  const { execution } = createSimulation(
    (given) => {
      space = given;
      return build({ refused, missing: "empty" })(given);
    },
    {
      chooser: { choose: staying },
      faults: [refusal(1)],
      durability: "posix-min",
      afterStep: (_facts, { steps }) => {
        notes[steps.length - 1] = { now: (space.files(MACHINE).list("/dispatch") ?? []).map(short).join(" ") || "-", pending: space.unsynced(MACHINE).map(({ operation }) => short(operation)).join(", ") || "-" };
        return undefined;
      },
    },
  );
  await playAlone(execution, runner);
  const rows = [["call", "dispatcher", "there", "pending", "killed", "power lost"]];
  for (let nth = CALLS[refused].first; nth <= CALLS[refused].last; nth += 1) {
    const { plan, outcome } = execution.steps[nth - 1] as (typeof execution.steps)[number];
    const { now, pending } = notes[nth - 1] as (typeof notes)[number];
    const call = `${plan.name.replace(/^disk\.|^faults\./, "")} ${short(plan.object)}${outcome === "ok" ? "" : ` (${outcome})`}`.trim();
    rows.push([String(nth), call, now, pending, (await findsAfter(refused, "kill-restart", nth)).join(" "), (await findsAfter(refused, "power-loss", nth)).join(" ")]);
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join("  ").trimEnd());
}

/** S: the state file. T: the temporary one. */
function short(text: string): string {
  return text
    .replaceAll(/(?:\/dispatch\/)?dispatch-state\.json\.commit-[A-Za-z0-9-]+\.tmp/g, "T")
    .replaceAll(/(?:\/dispatch\/)?dispatch-state\.json/g, "S")
    .replaceAll("file-commit.", "");
}

/** The lines of the fenced block behind a heading-like first line. */
function block(first: string): string[] {
  const lines = page.split("\n");
  const start = lines.indexOf(first);
  return start === -1 ? [] : lines.slice(start + 1, lines.indexOf("```", start + 1));
}

describe("the mechanism of case 018", () => {
  it("needs no crash: a second refusal does, and the writer even says so", async () => {
    expect((await play(repro, refusedTwice)).facts).toMatchObject({ failed: 1, found: ["2", "missing"], again: ["task-1", "task-2"] });
    expect((await play(repro, retriedTwice)).facts).toMatchObject({ failed: 0, found: ["2", "3"], again: [] });
  });

  it("needs the refusal: the same writer, killed at the same call, keeps its file", async () => {
    expect((await play(repro, unrefused)).facts).toMatchObject({ deleted: 0, found: ["2", "3", "3"], again: [] });
  });

  it("needs the kill to come between: one call earlier and one call later nothing is lost", async () => {
    for (const killedAfterCall of [BETWEEN - 1, BETWEEN + 1]) {
      expect((await play(repro, deletes, { killedAfterCall })).facts).toMatchObject({ again: [] });
    }
  });

  it("has a reader's half: one that does not take missing for empty starts nothing twice, and nothing at all", async () => {
    expect((await play(repro, stops)).facts).toMatchObject({ found: ["2", "missing"], sessions: 2, again: [] });
  });

  it("ends for the right writer as well when the file is held for longer than it asks: the write fails in the open, and the file is the old one", async () => {
    expect((await play(repro, heldFast)).facts).toMatchObject({ refusals: 9, failed: 1, deleted: 0, found: ["2", "2"], again: [] });
  });

  it("gives another trace when one call of its input is another", async () => {
    const { traceHash } = await play(repro, retries);
    const other = await play(repro, retries, { killedAfterCall: BETWEEN - 1 });
    expect(firstDifference(retries.expect, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(traceHash);
  });
});

describe("the search over case 018", () => {
  it.each(["delete-then-rename", "retry"] as const)("says of every call of %s what the page says", async (refused) => {
    expect(block(`018/${refused}, the rename refused once`)).toEqual(await diagram(refused));
  });

  it("finds nothing where the target is left alone, and no file where it is deleted", async () => {
    for (const system of systems) {
      const { verdict, findings, cells } = await explore<Told>(system, runner);
      expect([system.name, verdict, findings.map(({ check, faults }) => `${check}: ${faults.join()}`)]).toEqual(
        system.expect === "fails"
          ? [system.name, "failed", ["storage/neither-version: error at disk.rename 2 times with EPERM"]]
          : [system.name, "exhausted", []],
      );
      expect(cells.filter(({ fired }) => fired === 0)).toEqual([]);
    }
  });

  it("plays its counterexample again from one line, twice alike", async () => {
    const { findings } = await explore<Told>(systemOf("delete-then-rename"), runner);
    const read = readToken(findings[0]?.token ?? "");
    if (read.outcome !== "token") throw new Error(read.message);
    for (let time = 1; time <= 2; time += 1) {
      expect(await replay<Told>(systemOf("delete-then-rename"), read.token, runner)).toMatchObject({ outcome: "replayed", judged: { verdict: "fails", check: "storage/neither-version", says: findings[0]?.says } });
    }
  });

  it("would be noticed if its check never alarmed, and if it always did", async () => {
    const withCheck = (says: string | undefined, refused: Policy): System<Told> => ({ ...systemOf(refused), checks: [{ id: "mutant", when: "end", alarm: () => says }] });
    const finds = async (system: System<Told>) => (await searchArm(system, [refusal(2)], runner, {})).failure !== undefined;
    expect([await finds(systemOf("delete-then-rename")), await finds(systemOf("retry"))]).toEqual([true, false]);
    expect([await finds(withCheck(undefined, "delete-then-rename")), await finds(withCheck("always", "retry"))]).toEqual([false, true]);
  });
});

describe("the guard over a stored file", () => {
  it("alarms in the operator's cell: the dispatcher stays as it is, and somebody remembers what was written", async () => {
    expect((await play(repro, watched)).facts.alarms).toContain("storage/neither-version");
  });

  it("is silent on the right writer, and where nobody refuses", async () => {
    for (const scene of [retries, retriedTwice, heldFast, unrefused]) expect((await play(repro, scene, { watcher: "guard" })).facts.alarms).toEqual([]);
  });

  it("is fooled where nothing was remembered: a file that never was and one that is gone look alike", () => {
    const facts = { file: STATE, found: undefined, crashes: 1 };
    expect(storageNeitherVersion({ ...facts, versions: [{ content: "two attempts", answer: "acknowledged" }] })?.counts).toEqual({ versions: 1, crashes: 1 });
    expect(storageNeitherVersion({ ...facts, versions: [{ content: undefined, answer: "acknowledged" }] })).toBeUndefined();
  });
});
