/**
 * The guards of dispatch over what can be seen from outside. Each is the guard that our own suite and the doctor ask; only the facts
 * come from elsewhere. What cannot be seen from outside is handed in as nothing wrong, and stands in the list of what is not checked.
 */
import { dispatchGuessedRestart, dispatchHistoryRewritten, dispatchStartWithoutPermit, dispatchTwoJobs, dispatchUnattributedStart, type PermittedStart } from "@casebook/guards";
import { isTaken, type Seen, type Submitted, TRUST } from "./seen.ts";

export type GuardName = "dispatch/two-jobs" | "dispatch/history-rewritten" | "dispatch/unattributed-start" | "dispatch/start-without-permit" | "dispatch/guessed-restart";

export interface SeenGuard {
  readonly id: GuardName;
  readonly text: string;
  /** Number of the case that shows the mechanism, where there is one. */
  readonly case: string | undefined;
  alarm(seen: Seen): string | undefined;
}

const guard = ({ id, text, case: shownBy }: { readonly id: string; readonly text: string; readonly case: string | undefined }, alarm: SeenGuard["alarm"]): SeenGuard => ({ id: id as GuardName, text, case: shownBy, alarm });

const idsOf = ({ submitted }: Seen): string[] => [...new Set(submitted.map(({ task }) => task.id))];
const submissionsOf = ({ submitted }: Seen, id: string): readonly Submitted[] => submitted.filter(({ task }) => task.id === id);
/** What it took on, or has not answered: a text that it refused explains no start. */
const openFor = (seen: Seen, id: string): readonly Submitted[] => submissionsOf(seen, id).filter((one) => isTaken(one) || one.answers.length === 0);
const viewOf = ({ views = [] }: Seen, id: string) => views.find((view) => view.id === id);

/** A list that was lost with the process that made it says nothing about why. */
const mayBeForgotten = ({ capabilities, hasDied, views }: Seen): boolean => views === undefined || (hasDied && !capabilities.includes("durable"));

export const SEEN_GUARDS: readonly SeenGuard[] = [
  guard(dispatchTwoJobs.about, (seen) => {
    const declared = seen.submitted.filter(isTaken).map(({ task }) => ({ task: task.id, revision: task.revision }));
    return dispatchTwoJobs({
      declared,
      // Where it keeps them is its own affair.
      kept: declared,
      started: seen.sessions.map(({ task, revision, id }) => ({ task, revision, session: id })),
      reported: (seen.views ?? []).filter(({ state }) => state === "conflict").map(({ id }) => id),
    })?.message;
  }),
  guard(dispatchHistoryRewritten.about, ({ histories }) => {
    const last = histories.at(-1) ?? [];
    const longest = histories.reduce((most, one) => (one.length > most.length ? one : most), [] as readonly string[]);
    const numbered = (texts: readonly string[]) => texts.map((text, at) => ({ number: at + 1, text }));
    const changed = histories.flatMap((history) => numbered(history).filter(({ text, number }) => last[number - 1] !== text));
    return dispatchHistoryRewritten({ acknowledged: changed.length > 0 ? changed : numbered(longest), kept: numbered(last), moved: [] })?.message;
  }),
  guard(dispatchUnattributedStart.about, (seen) =>
    dispatchUnattributedStart(
      seen.sessions.map(({ id, task, attempt, revision, epoch }) => {
        const known = openFor(seen, task);
        const match = known.find((one) => one.task.revision === revision) ?? known[0];
        const because = mayBeForgotten(seen) ? "not asked" : (viewOf(seen, task)?.because ?? "");
        return { session: id, task, attempt, revision, epoch, record: match && { revision: match.task.revision, epochs: [epoch], because }, published: match?.task.revision };
      }),
    )?.message,
  ),
  guard(dispatchStartWithoutPermit.about, (seen) => dispatchStartWithoutPermit(seen.sessions.map((session) => ({ session: session.id, task: session.task, startedAtMs: session.startedAtMs, conditions: conditionsOf(seen, session) })))?.message),
  guard(dispatchGuessedRestart.about, (seen) =>
    dispatchGuessedRestart(
      idsOf(seen).map((id) => {
        const probed = seen.attempts?.find(({ task }) => task === id);
        return { attempt: id, task: id, claims: probed?.claims ?? 1, decisions: probed?.decisions ?? 0, sessions: seen.sessions.filter(({ task }) => task === id).map((one) => one.id), recorded: viewOf(seen, id)?.session };
      }),
    )?.message,
  ),
];

function conditionsOf(seen: Seen, { id, task, agent, startedAtMs }: Seen["sessions"][number]): PermittedStart["conditions"] {
  const since = (name: string, heldFromMs: number | undefined) => ({ name, heldFromMs, heldUntilMs: undefined });
  const own = submissionsOf(seen, task);
  const needed = seen.capabilities.includes("after") ? [...new Set(own.flatMap((one) => one.task.after))] : [];
  const isBefore = (other: Seen["sessions"][number]): boolean => other.startedAtMs < startedAtMs || (other.startedAtMs === startedAtMs && other.id < id);
  const others = seen.capabilities.includes("one-per-agent") ? seen.sessions.filter((other) => other.id !== id && other.agent === agent && other.task !== task && isBefore(other)) : [];
  const gates = seen.capabilities.includes("gates") ? own.flatMap((one) => one.task.gate ?? []) : [];
  const isKnown = (source: string): boolean => !seen.capabilities.includes("sources") || TRUST.sources.some((one) => one === source);
  return [
    ...own.filter((one) => !isKnown(one.task.source)).map((one) => since(`the source ${one.task.source}`, undefined)),
    ...gates.map((gate) => since(`gate ${gate}`, approvedAtMs(seen, gate, agent))),
    ...holdsOf(seen, task, startedAtMs),
    since("a submission", own.length === 0 ? undefined : Math.min(...own.map(({ atMs }) => atMs))),
    ...needed.map((one) => since(`the end of ${one}`, endedAtMs(seen, one))),
    ...others.map((other) => since(`${agent} free of ${other.task}`, other.startedAtMs + seen.runsForMs)),
  ];
}

/** Somebody who may, and nobody for himself. */
function approvedAtMs({ told }: Seen, wanted: string, worker: string): number | undefined {
  return told.find(({ notice }) => notice.kind === "approve" && notice.gate === wanted && notice.from !== worker && TRUST.reviewers.some((one) => one === notice.from))?.atMs;
}

/** Told before the start: however often it was said, it is one, until its release. */
function holdsOf({ told }: Seen, task: string, startedAtMs: number): PermittedStart["conditions"] {
  const hold = told.find(({ notice, heardAtMs }) => notice.kind === "hold" && notice.task === task && heardAtMs !== undefined && heardAtMs <= startedAtMs);
  if (hold === undefined) return [];
  const release = told.find(({ notice, atMs }) => notice.kind === "release" && notice.task === task && atMs > hold.atMs);
  return [{ name: "no hold", heldFromMs: release?.atMs, heldUntilMs: undefined }];
}

function endedAtMs({ sessions, runsForMs, endsWell }: Seen, task: string): number | undefined {
  const first = sessions.find((one) => one.task === task);
  return first === undefined || !endsWell || !Number.isFinite(runsForMs) ? undefined : first.startedAtMs + runsForMs;
}
