/** The six rules, each a guard over the facts of a desk. */
import { dispatchGuessedRestart, dispatchHistoryRewritten, dispatchSplitState, dispatchStartWithoutPermit, dispatchTwoJobs, dispatchUnattributedStart, type PermittedStart } from "@casebook/guards";
import { findObject, recordText, taskOf } from "@casebook/dispatcher/judge";
import { TRUST } from "./desk.ts";
import { foldersOf, sessionsOf, type Told } from "./told.ts";

export interface Rule {
  readonly number: 1 | 2 | 3 | 4 | 5 | 6;
  /** Of the guard. */
  readonly id: string;
  /** A sentence. */
  readonly text: string;
  /** What is wrong; undefined: nothing. */
  alarm(told: Told): string | undefined;
}

const tasksOf = ({ declared }: Told): string[] => [...new Set(declared.filter(({ object }) => object.kind === "TASK").map(({ object }) => object.id))];

export const RULES: readonly Rule[] = [
  {
    number: 1,
    id: dispatchTwoJobs.about.id,
    text: "One identity is one job: duplicates are reported, and nothing is overwritten.",
    alarm: (told) =>
      dispatchTwoJobs({
        declared: told.declared.filter(({ object }) => object.kind === "TASK").map(({ object }) => ({ task: object.id, revision: object.revision })),
        kept: told.reading.sources.map(({ object }) => ({ task: object.id, revision: object.revision })),
        started: told.sessions.filter(({ key }) => !isForeign(told, key)).map(({ task, revision, id }) => ({ task, revision, session: id })),
        reported: told.account.tasks.filter(({ state }) => state === "conflict").map(({ task }) => task).filter((task) => refusedOnRecord(told, task)),
      })?.message,
  },
  {
    number: 2,
    id: dispatchSplitState.about.id,
    text: "A task has one place; where it has two, neither wins.",
    alarm: (told) =>
      dispatchSplitState(
        tasksOf(told).map((task) => ({
          task,
          published: [...new Set(told.declared.filter(({ object }) => object.id === task).map(({ folder }) => folder))],
          now: foldersOf(told, task),
          sessions: sessionsOf(told, task).length,
          isReported: refusedOnRecord(told, task),
        })),
      )?.message,
  },
  {
    number: 3,
    id: dispatchHistoryRewritten.about.id,
    text: "History only grows, and explains where each task is.",
    alarm: (told) =>
      dispatchHistoryRewritten({
        acknowledged: told.log.filter(({ event }) => event === "dispatcher.appended").map(({ facts }) => ({ number: Number(facts["seq"]), text: String(facts["text"]) })),
        kept: told.ledger.records.map(({ seq, record }) => ({ number: seq, text: recordText(record) })),
        moved: [...told.ledger.state.tasks].flatMap(([task, { moves, moving }]) => {
          const found = findObject(told.reading, task);
          return moves.length === 0 || found.found !== "one" ? [] : [{ task, folder: found.source.folder, path: moves.map(({ to }) => to), isOpen: moving !== undefined }];
        }),
      })?.message,
  },
  {
    number: 4,
    id: dispatchUnattributedStart.about.id,
    text: "Every call of a model names a text, an attempt, a lease and a decision on record.",
    alarm: (told) =>
      dispatchUnattributedStart(
        told.sessions
          .filter(({ key }) => !isForeign(told, key))
          .map(({ id, task, attempt, revision, epoch, startedAtMs }) => {
            const known = told.ledger.state.attempts.get(attempt);
            const epochs = told.ledger.records.flatMap(({ record }) => (record.kind === "claimed" && record.attempt === attempt ? [record.epoch] : []));
            return { session: id, task, attempt, revision, epoch, record: known && { revision: known.revision, epochs, because: known.because }, published: told.ledger.state.published.get(task)?.revision ?? textAt(told, task, startedAtMs) };
          }),
      )?.message,
  },
  {
    number: 5,
    id: dispatchStartWithoutPermit.about.id,
    text: "No permit, no start.",
    alarm: (told) => dispatchStartWithoutPermit(told.sessions.filter(({ key }) => !isForeign(told, key)).map((session) => ({ session: session.id, task: session.task, startedAtMs: session.startedAtMs, conditions: conditionsOf(told, session) })))?.message,
  },
  {
    number: 6,
    id: dispatchGuessedRestart.about.id,
    text: "A restart never guesses: retry, rework, continue, stop, or a person decides, on record.",
    alarm: (told) =>
      dispatchGuessedRestart(
        [...told.ledger.state.attempts.values()].map(({ id, task, key, session }) => ({
          attempt: id,
          task,
          // Until it was over; what follows is the lease of a review.
          claims: told.ledger.records.filter(({ record }) => record.kind === "claimed" && record.attempt === id && record.agent !== record.owner).length,
          decisions: told.ledger.records.filter(({ record }) => record.kind === "decided" && record.attempt === id).length,
          sessions: told.sessions.filter((one) => one.attempt === id || one.key === key).map((one) => one.id),
          recorded: session,
        })),
      )?.message,
  },
];

/** Started by somebody who is no dispatcher: a fault of the scenario, and no act of the system. */
function isForeign(_told: Told, key: string): boolean {
  return key.startsWith("foreign");
}

/** The text that was in the folders when it was started, where nobody had put it on record. */
function textAt({ declared }: Told, task: string, startedAtMs: number): string | undefined {
  return declared.findLast(({ object, atMs }) => object.id === task && atMs <= startedAtMs)?.object.revision;
}

/** On record, and not only in the eye of this reader. */
function refusedOnRecord({ ledger }: Told, task: string): boolean {
  return taskOf(ledger.state, task).refused.length > 0;
}

function conditionsOf(told: Told, { task, agent, startedAtMs, id }: Told["sessions"][number]): PermittedStart["conditions"] {
  const own = told.declared.find(({ object }) => object.id === task && object.kind === "TASK")?.object;
  if (own === undefined) return [{ name: "a published task", heldFromMs: undefined, heldUntilMs: undefined }];
  const always = (name: string, holds: boolean) => ({ name, heldFromMs: holds ? 0 : undefined, heldUntilMs: undefined });
  const since = (name: string, heldFromMs: number | undefined) => ({ name, heldFromMs, heldUntilMs: undefined });
  const approvals = told.declared.filter(({ object }) => own.gate !== "" && object.kind === "REVIEW" && object.gate === own.gate && object.verdict === "approved" && TRUST.reviewers.includes(object.from as "LEAD") && object.from !== own.to);
  const others = told.sessions.filter((other) => other.id !== id && other.agent === agent && other.task !== task && (other.startedAtMs < startedAtMs || (other.startedAtMs === startedAtMs && other.id < id)));
  return [
    always("trusted source", TRUST.routes.includes(own.source as "board")),
    ...[...own.after, ...(own.parent === "" ? [] : [own.parent])].map((needed) => since(needed, doneSince(told, needed))),
    ...(own.gate === "" ? [] : [since(`gate ${own.gate}`, approvals[0]?.atMs)]),
    ...holdsOf(told, task).filter(({ fromMs }) => fromMs <= startedAtMs).map(({ untilMs }) => since("no hold", untilMs)),
    ...others.map((other) => since(`${agent} free of ${other.task}`, other.status === "running" ? undefined : other.startedAtMs + told.runsForMs)),
  ];
}

function doneSince(told: Told, task: string): number | undefined {
  if (told.declared.some(({ object, folder, atMs }) => object.id === task && atMs === 0 && (folder === "done" || folder === "archive"))) return 0;
  return told.ledger.records.find(({ record }) => record.kind === "moved" && record.task === task && record.to === "done")?.record.atMs;
}

function holdsOf({ ledger }: Told, task: string): { fromMs: number; untilMs: number | undefined }[] {
  const holds: { fromMs: number; untilMs: number | undefined }[] = [];
  for (const { record } of ledger.records) {
    if (record.kind === "held" && record.task === task) holds.push({ fromMs: record.atMs, untilMs: undefined });
    if (record.kind === "hold-released" && record.task === task) holds.push({ ...(holds.pop() ?? { fromMs: record.atMs }), untilMs: record.atMs });
  }
  return holds;
}

