/** From judged entries to a reading: duplicate ids, and what each loader policy makes of the bad ones. */
import { judgeEntry, type JudgedEntry, type Normalised } from "./entry.ts";
import { problem, whatIsWrong, type EntryProblem, type RawEntry } from "./entry-problem.ts";
import { fileProblem } from "./file-problem.ts";
import { membersOf } from "./members.ts";
import type { LoadedReading, LoaderPolicy, Population, QuarantinedEntry, RejectedReading } from "./reading.ts";
import type { Task } from "./task.ts";

/** `hopeless` are entries that are files of their own and could not even be parsed; they count like the others. */
export function judgeEntries(
  raw: readonly RawEntry[],
  hopeless: readonly QuarantinedEntry[],
  population: Population,
  policy: LoaderPolicy,
  notices: readonly string[],
  ignored: readonly string[],
): LoadedReading | RejectedReading {
  const fireAtReading = policy === "normalise-then-quarantine" ? "instant-text-to-epoch-ms" : "as-written";
  const judged = raw.map((entry) => judgeEntry(entry, fireAtReading));
  const twins = twinsOf(judged);
  const loaded: Task[] = [];
  const normalised: Normalised[] = [];
  const invalid: QuarantinedEntry[] = [...hopeless];
  for (const entry of judged) {
    const [first, ...rest] = [...entry.problems, ...duplicateId(entry, twins)];
    if (first === undefined) {
      loaded.push(entry.task as Task);
      normalised.push(...entry.normalised);
    } else invalid.push({ file: entry.raw.file, pointer: entry.raw.pointer, id: entry.id, problems: [first, ...rest] });
  }
  const [worst] = invalid;
  if (policy === "reject-file" && worst !== undefined) return reject(population, invalid, worst);
  return { outcome: "loaded", population, loaded, quarantined: invalid, normalised, dropped: 0, notices, ignored };
}

function reject(population: Population, invalid: readonly QuarantinedEntry[], worst: QuarantinedEntry): RejectedReading {
  const [reason] = worst.problems;
  const what = `${invalid.length} of ${population.count} entries invalid, first ${reason.code}: ${whatIsWrong(reason, "")}`;
  return {
    outcome: "rejected",
    population,
    loaded: [],
    quarantined: [],
    invalid,
    dropped: population.count,
    problem: fileProblem("REGISTRY_ENTRY_INVALID", what, reason.position),
  };
}

/** Entries by id, also the invalid ones: an id that two entries claim is not settled by one of them being ill. */
function twinsOf(judged: readonly JudgedEntry[]): ReadonlyMap<string, readonly JudgedEntry[]> {
  const byId = new Map<string, JudgedEntry[]>();
  for (const entry of judged) {
    if (entry.id === undefined) continue;
    const same = byId.get(entry.id);
    if (same === undefined) byId.set(entry.id, [entry]);
    else same.push(entry);
  }
  return byId;
}

/** Both are set aside: which of them is meant is a guess, and taking the last one is how a task changes without a trace. */
function duplicateId(entry: JudgedEntry, twins: ReadonlyMap<string, readonly JudgedEntry[]>): EntryProblem[] {
  if (entry.id === undefined) return [];
  const same = twins.get(entry.id) ?? [];
  const other = same[0] === entry ? same[1] : same[0];
  if (other === undefined) return [];
  const elsewhere = `${other.raw.file ?? ""}${other.raw.pointer}`;
  const more = same.length > 2 ? ` and ${same.length - 2} more place(s)` : "";
  const own = membersOf(entry.raw.text, entry.raw).find((member) => member.key === "id");
  const field = own === undefined ? undefined : "id";
  return [problem(entry.raw, entry.id, "DUPLICATE_ID", field, own ?? entry.raw, `an id that ${elsewhere}${more} does not have`)];
}
