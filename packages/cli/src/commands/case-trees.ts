/**
 * The disks that cases leave behind, as trees for the doctor: which guard must see which scene. Only cases whose case.json names
 * a layout have one. `slot/wrong-slot` is no row of 002: the catch-up of its Monday task on a Friday looks, from the disk, like
 * the late run of the Monday before.
 */
import { customPreset, type GuardTrees, type Planted, type Preset, volumeTree } from "@casebook/doctor";
import { type Facts, play, type Repro, type Scene } from "@casebook/repro";
import type { Case, Catalog } from "../catalog/catalog.ts";
import { loadRepro } from "./run.ts";

export interface CaseTree {
  readonly guard: string;
  /** Number of the case. */
  readonly number: string;
  /** The scene that leaves the bad disk, by name; without one it is the broken scene. The twin is the control. */
  readonly scene?: string;
  /** How long after the scene it is looked at. Right after a run nobody can say that its stamp will not come. */
  readonly laterMs?: number;
  /** Path of the log of receipts, or of the export of a ledger, that the case leaves, which no preset knows. */
  readonly files?: { readonly receipts: string } | { readonly ledger: string };
}

const RECEIPTS = { receipts: "/receipts.jsonl" };
const LEDGER = { ledger: "/ledger.jsonl" };

export const CASE_TREES: readonly CaseTree[] = [
  { guard: "registry/entry-invalid", number: "001" },
  { guard: "registry/parity", number: "001", scene: "cut-file" },
  { guard: "slot/duplicate", number: "002" },
  { guard: "slot/disabled-fired", number: "002" },
  { guard: "slot/invisible-fire", number: "002", laterMs: 3 * 3_600_000 },
  { guard: "registry/orphan-prompts", number: "003" },
  { guard: "registry/split-brain", number: "003", scene: "same-name" },
  { guard: "receipts/damaged", number: "008", files: RECEIPTS },
  // The careful kernel does nothing, and so leaves what was there before the command came again.
  { guard: "receipts/state-regression", number: "008", scene: "R2-reported", files: RECEIPTS },
  { guard: "receipts/pending-open", number: "008", scene: "R2-reported", laterMs: 7 * 3_600_000, files: RECEIPTS },
  { guard: "receipts/two-terminals", number: "008", scene: "R0-forward", files: RECEIPTS },
  { guard: "supervision/one-terminal-record", number: "010", files: LEDGER },
  // Of the artefact in the store a ledger knows nothing; that nobody is at the item any more it shows.
  { guard: "dispatch/expired-lease-held", number: "012", files: LEDGER },
  { guard: "dispatch/expired-lease-held", number: "013", files: LEDGER },
];

/** Those of the cases that run; a case that cannot be read has trees that cannot be planted. */
export function caseTrees({ cases, unreadable }: Catalog): GuardTrees[] {
  return CASE_TREES.flatMap((row) => {
    const item = cases.find(({ number }) => number === row.number);
    if (item !== undefined) return [{ guard: row.guard, bad: () => plantScene(item, row), healthy: () => plantControl(item, row) }];
    const broken = unreadable.find(({ number }) => number === row.number);
    if (broken === undefined) return [];
    const refuse = () => Promise.reject(new Error(`CASE_UNREADABLE: ${broken.problems.join("; ")}`));
    return [{ guard: row.guard, bad: refuse, healthy: refuse }];
  });
}

async function plantScene(item: Case, { scene, laterMs, files }: CaseTree): Promise<Planted> {
  const repro = await loadRepro(item);
  return plant(repro, scene === undefined ? repro.broken : sceneOf(repro, scene), laterMs, presetsFor(files));
}

async function plantControl(item: Case, { laterMs, files }: CaseTree): Promise<Planted> {
  const repro = await loadRepro(item);
  return plant(repro, repro.control, laterMs, presetsFor(files));
}

/** What its disk is looked at with, where no known preset fits. */
export function presetsOfCase(number: string): readonly Preset[] | undefined {
  return presetsFor(CASE_TREES.find((row) => row.number === number)?.files);
}

function presetsFor(files: CaseTree["files"]): readonly Preset[] | undefined {
  const answer = files === undefined ? undefined : customPreset(files);
  return answer?.outcome === "preset" ? [answer.preset] : undefined;
}

/** What a scene leaves behind, at the moment at which it ended. */
export async function plant(repro: Repro<unknown, Facts>, scene: Scene<unknown, Facts>, laterMs = 0, presets?: readonly Preset[]): Promise<Planted> {
  const played = await play(repro, scene);
  return {
    title: `case ${repro.id} mode=${scene.name}`,
    // A case writes a session file once, so that its time of change is that of its birth.
    tree: volumeTree(played.volume(), { births: "as-modified" }),
    places: ["/"],
    ...(presets === undefined ? {} : { presets }),
    nowMs: played.endedAtMs + laterMs,
    zone: "UTC",
  };
}

function sceneOf(repro: Repro<unknown, Facts>, name: string): Scene<unknown, Facts> {
  const found = [...repro.shown, ...repro.more].find((one) => one.name === name);
  if (found === undefined) throw new Error(`case ${repro.id} has no scene ${JSON.stringify(name)}; mend CASE_TREES`);
  return found;
}
