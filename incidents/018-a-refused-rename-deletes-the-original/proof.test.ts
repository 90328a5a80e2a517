/** What case 018 rests on: every crash point of both writers, the disk beside each call, the operator's cell, the mutants, and how it could be fooled. */
import { readFileSync } from "node:fs";
import { explore, playAlone, readToken, replay, searchArm, staying, type System } from "@casebook/explore";
import { storageNeitherVersion } from "@casebook/guards";
import { firstDifference, play } from "@casebook/repro";
import { type ArmedFault, createSimulation, type Execution, type PointFault, type Space } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { BETWEEN, build, deletes, heldFast, MACHINE, type Policy, refusal, refusedTwice, repro, retriedTwice, retries, STATE, stops, systemOf, systems, type Told, unrefused, watched } from "./repro.ts";

const runner = await findRunner();
const page = readFileSync(new URL("README.md", import.meta.url), "utf8");

/** Calls of the first commit, from the open of the temporary file to the sync of the directory. */
const FIRST_CALL = 5;
const LAST_CALL = 16;

/**
 * For each call of a writer whose rename is refused once: what lies in the directory behind it, what of that is pending, what is
 * durable without it, and what the dispatcher that comes back can find when it ends there.
 */
async function diagram(refused: Policy): Promise<string[]> {
  const { steps, notes } = await playWith(refused, []);
  const rows = [["call", "the writer", "there", "pending", "durable", "killed", "power lost"]];
  for (let nth = FIRST_CALL; nth <= LAST_CALL; nth += 1) {
    const step = steps[nth - 1] as (typeof steps)[number];
    const { there, pending } = notes[nth - 1] as Note;
    const lost = await playWith(refused, [{ at: "step", kind: "power-loss", process: "dispatcher", nth }]);
    // Where nothing is pending there is no choice, and what is there is durable.
    const durable = lost.notes[lost.steps.findIndex(({ plan }) => plan.object === ALL_LOST)]?.there ?? there;
    rows.push([String(nth), callText(step), there, pending, durable, await findsAfter(refused, "kill-restart", nth), await findsAfter(refused, "power-loss", nth)]);
  }
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join("  ").trimEnd());
}

interface Note {
  readonly there: string;
  readonly pending: string;
}

/** The crash image that keeps only what is durable. */
const ALL_LOST = "everything unsynced lost";

/** One execution, and how the disk stood behind each of its steps. */
async function playWith(refused: Policy, faults: readonly ArmedFault[]) {
  const notes: Note[] = [];
  let space!: Space;
  const { execution } = createSimulation(
    (given) => {
      space = given;
      return build({ refused, missing: "empty" })(given);
    },
    {
      chooser: {
        choose(ready, one) {
          const image = ready.findIndex(({ plan }) => plan.object === ALL_LOST);
          return image === -1 ? staying(ready, one) : image;
        },
      },
      faults: [refusal(1), ...faults],
      durability: "posix-min",
      afterStep: (_facts, { steps }) => {
        if (steps.length > 0) notes[steps.length - 1] = { there: thereOn(space), pending: space.unsynced(MACHINE).map(({ operation }) => short(operation)).join(", ") || "-" };
        return undefined;
      },
    },
  );
  await playAlone(execution, runner);
  return { steps: execution.steps, notes };
}

/** `S=old T=new`: each file, and which version it holds. */
function thereOn(space: Space): string {
  const files = space.files(MACHINE);
  const named = (files.list("/dispatch") ?? []).map((name) => {
    const attempts = /"attempts":\[([^\]]*)\]/.exec(files.text(`/dispatch/${name}`) ?? "")?.[1]?.split(",").length;
    return `${short(name)}=${attempts === 2 ? "old" : attempts === 3 ? "new" : "empty"}`;
  });
  return named.join(" ") || "-";
}

function callText({ plan, outcome }: Execution["steps"][number]): string {
  const words = `${plan.name.replace(/^(disk|faults|clock)\./, "")} ${short(plan.object)}`.trim();
  return outcome === "ok" ? words : `${words} (${outcome})`;
}

/** S: the state file. T: the temporary one. */
function short(text: string): string {
  return text
    .replaceAll(/(?:\/dispatch\/)?dispatch-state\.json\.commit-[A-Za-z0-9-]+\.tmp/g, "T")
    .replaceAll(/(?:\/dispatch\/)?dispatch-state\.json/g, "S")
    .replace("file-commit.", "")
    .replace(/^write .* of T$/, "write T");
}

async function findsAfter(refused: Policy, kind: PointFault, nth: number): Promise<string> {
  const found = new Set<string>();
  const faults: ArmedFault[] = [refusal(1), { at: "step", kind, process: "dispatcher", nth }];
  await searchArm<Told>(systemOf(refused), faults, runner, {
    strategy: "exhaustive",
    goOn: true,
    onJudged: (_judged, { facts }) => void found.add(nameOf((facts() as Told).looks.find(({ crashes }) => crashes > 0))),
  });
  return [...found].sort().join(" or ");
}

function nameOf(look: Told["looks"][number] | undefined): string {
  if (look === undefined) return "not read";
  if (look.found === undefined) return "NOTHING";
  const at = look.versions.findIndex(({ content }) => content === look.found);
  return at === -1 ? "A PART" : at === 0 ? "old" : "new";
}

/** The diagram of the page whose first line is this. */
function shown(first: string): string[] {
  const found = [...page.matchAll(/^```text disk\n([^]*?)\n```$/gm)].map(([, text = ""]) => text.split("\n")).find(([line]) => line === first);
  return found?.slice(1) ?? [];
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
    expect(shown(`018/${refused}, the rename refused once`)).toEqual(await diagram(refused));
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
