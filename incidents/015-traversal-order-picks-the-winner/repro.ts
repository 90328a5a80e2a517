/**
 * Case 015: traversal order picks the winner.
 *
 * Two files declare one task. A reader that keeps the last of each id it lists has an answer, and the answer is a matter of the listing:
 * the same files in another order are another task. A reader that keeps both has a conflict, in every order the same one, and only the
 * task that it is about stops.
 *
 * Models the reader and the dispatcher of `packages/dispatcher`. Leaves out who put the second file there, and which of them is right.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { addDispatcher, type DeskFile, objectText, RULES, setDesk, tell, type Told, volumeOf } from "@casebook/dispatch-suite";
import { encodeText, findObject, fingerprint, LIFECYCLE, readingText, readLifecycle, type TreeFile } from "@casebook/dispatcher/judge";
import { playAlone, staying } from "@casebook/explore";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { asynchronousRunner, type Build, createSimulation } from "@casebook/sim/kernel";

const EPOCH = "2026-08-19T09:00:00Z";
/** Three looks. */
const RUN_MS = 50_000;

const one: DeskFile = { folder: "inbox", text: objectText({ id: "TASK-1" }, "Publish the notes.") };
const other: DeskFile = { folder: "inbox", name: "TASK-1-again", text: objectText({ id: "TASK-1" }, "Do not publish the notes.") };
const neighbour: DeskFile = { folder: "inbox", text: objectText({ id: "TASK-2", to: "QA" }) };

const DESKS = {
  "two-sources": [one, other, neighbour],
  /** A copy that a crash in the middle of a move left behind. */
  "two-folders": [one, { ...one, folder: "review" }, neighbour],
  "one-of-each": [one, neighbour],
} as const satisfies Record<string, readonly DeskFile[]>;

const VOLUMES = { "two-sources": volumeOf(DESKS["two-sources"]), "two-folders": volumeOf(DESKS["two-folders"]), "one-of-each": volumeOf(DESKS["one-of-each"]) };

export interface Listed {
  readonly desk: keyof typeof DESKS;
  /** What is done with an id that two files declare. */
  readonly reader: "last-listed" | "conflicts";
  /** Orders in which a disk lists its names; the dispatcher is run once for each. */
  readonly listings: number;
  readonly watcher: "nobody" | "guards";
}

export interface Seen extends Facts {
  /** Orders of the files that were read: all there are. */
  readonly orders: number;
  /** Different answers of the reader to them. */
  readonly readings: number;
  /** The files that were TASK-1 in some order. */
  readonly winners: readonly string[];
  readonly conflicts: readonly string[];
  readonly listings: number;
  /** The texts that TASK-1 was started for, in some listing. */
  readonly started: readonly string[];
  /** Listings in which the dispatcher said on record that TASK-1 is disputed; in which every file of it is still there; in which TASK-2 was started once. */
  readonly reported: number;
  readonly kept: number;
  readonly neighbours: number;
  readonly alarms: readonly string[];
}

async function allOrders(world: World, { desk, reader, listings, watcher }: Listed): Promise<Seen> {
  const files = DESKS[desk];
  const tree = files.map((file): TreeFile => ({ path: pathOf(file), bytes: encodeText(file.text) }));
  const readings = orders(tree).map((order) => readLifecycle(order, reader));
  const winners = readings.map((reading) => findObject(reading, "TASK-1")).flatMap((found) => (found.found === "one" ? [found.source.path] : []));
  const runs: Told[] = [];
  for (let listing = 1; listing <= listings; listing += 1) runs.push(await oneRun(world, desk, reader, listing));
  const runsWith = (holds: (told: Told) => boolean): number => runs.filter(holds).length;
  return {
    orders: readings.length,
    readings: new Set(readings.map(readingText)).size,
    winners: sorted(winners),
    conflicts: sorted(readings.flatMap(({ conflicts }) => conflicts.map(({ kind }) => kind))),
    listings,
    started: sorted(runs.flatMap(({ sessions }) => sessions.filter(({ task }) => task === "TASK-1").map(({ revision }) => nameOfText(files, revision)))),
    reported: runsWith(({ ledger }) => ledger.records.some(({ record }) => record.kind === "refused" && record.task === "TASK-1" && record.reasons.some((reason) => reason.startsWith("two-")))),
    kept: runsWith(({ reading }) => reading.sources.filter(({ object }) => object.id === "TASK-1").length === files.length - 1),
    neighbours: runsWith(({ sessions }) => sessions.filter(({ task }) => task === "TASK-2").length === 1),
    alarms: watcher === "guards" ? sorted(runs.flatMap(alarmsOf)) : [],
  };
}

/** The first two rules of dispatch: one identity one job, and no split state. */
function alarmsOf(told: Told): string[] {
  return RULES.filter(({ number, alarm }) => number <= 2 && alarm(told) !== undefined).map(({ id }) => id);
}

/** A dispatcher on a disk of its own, which lists its names in an order of its own. */
async function oneRun({ ports }: World, desk: Listed["desk"], reader: Listed["reader"], listing: number): Promise<Told> {
  const epoch = ports.clock.now();
  const files = DESKS[desk];
  const build: Build<Told> = (space) => {
    const cast = setDesk(space, { reader }, VOLUMES[desk]);
    addDispatcher(cast, { forMs: RUN_MS });
    return { facts: () => tell(cast, files, Number.POSITIVE_INFINITY, epoch) };
  };
  const { execution, facts } = createSimulation(build, { chooser: { choose: staying }, epoch, seed: listing });
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  await playAlone(execution, asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) }));
  ports.log.write("info", "executed", { listing, steps: execution.steps.length, trace: execution.hash() });
  return facts();
}

function pathOf({ folder, name = "", text }: DeskFile): string {
  return `${LIFECYCLE}/${folder}/${name === "" ? (/^id: (.*)$/m.exec(text)?.[1] ?? "") : name}.md`;
}

/** The line that somebody would act on. */
function nameOfText(files: readonly DeskFile[], revision: string): string {
  const text = files.find((file) => fingerprint(encodeText(file.text)) === revision)?.text ?? "another text";
  return text.trimEnd().split("\n").at(-1) ?? "";
}

/** Every order of a few things. */
export function orders<T>(things: readonly T[]): T[][] {
  if (things.length <= 1) return [[...things]];
  return things.flatMap((thing, at) => orders(things.toSpliced(at, 1)).map((rest) => [thing, ...rest]));
}

function sorted(words: readonly string[]): string[] {
  return [...new Set(words)].toSorted();
}

function scene(name: string, listed: Listed, expect: Seen): Scene<Listed, Seen> {
  return { name, run: allOrders, with: listed, expect };
}

const TWO_SOURCES: Listed = { desk: "two-sources", reader: "last-listed", listings: 6, watcher: "nobody" };
const INBOX = `${LIFECYCLE}/inbox/TASK-1.md`;
const AGAIN = `${LIFECYCLE}/inbox/TASK-1-again.md`;
const REVIEW = `${LIFECYCLE}/review/TASK-1.md`;

const PICKED: Seen = {
  orders: 6,
  // Two winners, and of each two orders of what was read.
  readings: 4,
  winners: [AGAIN, INBOX],
  conflicts: [],
  listings: 6,
  started: ["Do not publish the notes.", "Publish the notes."],
  reported: 0,
  kept: 6,
  neighbours: 6,
  alarms: [],
};
const KEPT: Seen = { ...PICKED, readings: 1, winners: [], conflicts: ["two-sources"], started: [], reported: 6 };

export const lastListed = scene("last-listed", TWO_SOURCES, PICKED);
export const conflict = scene("conflict", { ...TWO_SOURCES, reader: "conflicts", watcher: "guards" }, KEPT);
export const oneOfEach = scene("one-of-each", { ...conflict.with, desk: "one-of-each" }, { ...KEPT, orders: 2, winners: [INBOX], conflicts: [], started: ["Publish the notes."], reported: 0 });

/** The dispatcher goes through the folders in one order, so that on this one the last folder wins always: a rule that nobody made. */
export const lastFolder = scene("last-folder", { ...TWO_SOURCES, desk: "two-folders" }, { ...PICKED, winners: [INBOX, REVIEW], started: [] });
export const conflictOfFolders = scene("two-folders", { ...conflict.with, desk: "two-folders" }, { ...KEPT, conflicts: ["two-locations"] });

/** What an operator can do without touching the dispatcher. */
export const watchedSources = scene("watched-sources", { ...TWO_SOURCES, watcher: "guards" }, { ...PICKED, alarms: ["dispatch/split-state", "dispatch/two-jobs"] });
export const watchedFolders = scene("watched-folders", { ...lastFolder.with, watcher: "guards" }, { ...lastFolder.expect, alarms: ["dispatch/split-state"] });
/** The careless reader where there is nothing to pick from. */
export const carelessButClean = scene("careless-clean", { ...oneOfEach.with, reader: "last-listed" }, { ...oneOfEach.expect, readings: 2 });

export const repro = defineRepro({
  id: "015",
  claim: "A reader that keeps the last file of each id starts one of two texts by the order of a listing, and one that keeps both has the same conflict in every order and stops only the task that it is about.",
  seed: 15,
  epoch: EPOCH,
  broken: lastListed,
  fixed: conflict,
  control: oneOfEach,
  shown: [lastListed, lastFolder, conflict, conflictOfFolders, oneOfEach],
  more: [watchedSources, watchedFolders, carelessButClean],
  print: (modes) => modes.map(({ name, facts }) => `mode=${name.padEnd(15)} ${counters(facts)}`),
});

function counters({ orders: read, readings, winners, conflicts, listings, started, reported, kept, neighbours, alarms }: Seen): string {
  const isSilent = winners.length > 1 && alarms.length === 0;
  return (
    `orders=${read} readings=${readings} winners=${winners.length} conflicts=${conflicts.join("+") || "none"} texts_started=${started.length} ` +
    `reported=${reported}/${listings} kept=${kept}/${listings} neighbour_started=${neighbours}/${listings} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
