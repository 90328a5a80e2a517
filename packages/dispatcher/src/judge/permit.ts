/**
 * Whether a task may be started now. No permit, no start. `blocked`: it may when the reasons are gone, without anybody's word.
 * `refused`: a person decides. Looks at what was published and what is on record, and at no clock but the one it is handed.
 */
import { type Attempt, attemptsOf, type DispatchState, taskOf } from "./fold.ts";
import type { DispatcherPolicies } from "./policies.ts";
import { findObject, type LifecycleReading, type Source } from "./read-lifecycle.ts";

export interface Trust {
  /** Routes that tasks may come by. */
  readonly routes: readonly string[];
  /** Who may accept work and approve gates. */
  readonly reviewers: readonly string[];
}

export type Permit =
  | { readonly permit: "given"; readonly source: Source }
  | { readonly permit: "blocked" | "refused"; readonly reasons: readonly string[] };

export interface Asked {
  readonly reading: LifecycleReading;
  readonly state: DispatchState;
  readonly trust: Trust;
  readonly policies: DispatcherPolicies;
  readonly nowMs: number;
}

export function permitFor(task: string, asked: Asked): Permit {
  const { reading, state, policies } = asked;
  const found = findObject(reading, task);
  if (found.found === "none") return { permit: "refused", reasons: [`no readable source declares ${task}`] };
  if (found.found === "conflict") return { permit: "refused", reasons: found.conflicts.map(({ kind, paths }) => `${kind}: ${paths.join(", ")}`) };
  const { source } = found;
  const refused = refusals(source, asked);
  if (refused.length > 0) return { permit: "refused", reasons: refused };
  const blocked = [
    ...(policies.holds === "respected" && taskOf(state, task).hold !== undefined ? [`held by ${taskOf(state, task).hold?.by}`] : []),
    ...(policies.dependencies === "required" ? unmetTasks(source, asked) : []),
    ...(policies.gates === "required" ? unmetGate(source, asked) : []),
    ...(policies.agents === "one-task-each" ? busy(source, asked) : []),
  ];
  return blocked.length > 0 ? { permit: "blocked", reasons: blocked } : { permit: "given", source };
}

function refusals({ object, folder }: Source, { state, trust, policies }: Asked): string[] {
  const known = state.published.get(object.id);
  return [
    ...(object.kind === "TASK" ? [] : [`it is a ${object.kind}, and no TASK`]),
    ...(folder === "inbox" || folder === "active" ? [] : [`it is in ${folder}, where nothing starts`]),
    ...(policies.sources === "any" || trust.routes.includes(object.source) ? [] : [`its source ${JSON.stringify(object.source)} is none of the trusted routes`]),
    ...(policies.edits === "unnoticed" || known === undefined || known.revision === object.revision ? [] : [`edited after it was published: ${known.revision} then, ${object.revision} now`]),
  ];
}

function unmetTasks({ object }: Source, { reading, state }: Asked): string[] {
  return [...object.after, ...(object.parent === "" ? [] : [object.parent])].flatMap((id) => {
    const found = findObject(reading, id);
    if (found.found !== "one") return [`needs ${id}, of which there is ${found.found === "none" ? "no readable source" : "a conflict"}`];
    const { folder } = found.source;
    const isDone = folder === "done" || folder === "archive";
    if (!isDone) return [`needs ${id}, which is in ${folder}`];
    // Somebody else may move files; what a dispatcher ran counts only when it was settled.
    const open = attemptsOf(state, id).filter(({ status }) => status === "claimed" || status === "running");
    return open.length === 0 ? [] : [`needs ${id}, which is in ${folder} while ${open[0]?.id} runs`];
  });
}

function unmetGate({ object }: Source, asked: Asked): string[] {
  if (object.gate === "") return [];
  const isApproved = reviewsOf(asked, (review) => review.gate === object.gate && review.verdict === "approved").some((review) => mayReview(review.from, object.to, asked));
  return isApproved ? [] : [`gate ${object.gate} is not approved`];
}

function busy({ object }: Source, { state, nowMs }: Asked): string[] {
  return [...state.tasks].flatMap(([task, { lease }]) =>
    task !== object.id && lease !== undefined && lease.agent === object.to && nowMs < lease.expiresAtMs ? [`${object.to} is busy with ${task}`] : [],
  );
}

/** Undisputed reviews only. */
function reviewsOf({ reading, state, policies }: Asked, fits: (review: Source["object"]) => boolean): Source["object"][] {
  return reading.sources.flatMap(({ object }) => {
    if (object.kind !== "REVIEW" || !fits(object) || findObject(reading, object.id).found !== "one") return [];
    const known = state.published.get(object.id);
    return policies.edits === "detected" && known !== undefined && known.revision !== object.revision ? [] : [object];
  });
}

/** Nobody approves his own work, whoever he is. */
function mayReview(reviewer: string, worker: string, { trust, policies }: Asked): boolean {
  return trust.reviewers.includes(reviewer) && (policies.selfApproval === "accepted" || reviewer !== worker);
}

export type Acceptance =
  | { readonly verdict: "accepted" | "rejected"; readonly by: string; readonly review: string }
  | { readonly verdict: "open"; readonly because: string };

/**
 * What was decided about a reported attempt. A report, however often it comes, decides nothing. A review counts that names one
 * of the reports of this attempt or, where there is none, that was published for the task in this round: one decision each.
 */
export function acceptanceOf(attempt: Attempt, decidedBefore: readonly string[], asked: Asked): Acceptance {
  const reports = asked.reading.sources.filter(({ object }) => object.kind === "REPORT" && object.task === attempt.task);
  if (asked.policies.acceptance === "by-report" && reports[0] !== undefined) return { verdict: "accepted", by: reports[0].object.from, review: reports[0].object.id };
  const reviews = reviewsOf(asked, (review) => review.task === attempt.task && (review.verdict === "accepted" || review.verdict === "rejected") && !decidedBefore.includes(review.id));
  const counted = reviews.filter((review) => mayReview(review.from, attempt.agent, asked));
  // Several decisions are a conflict like any other: none is picked.
  if (new Set(counted.map(({ verdict }) => verdict)).size > 1) return { verdict: "open", because: `reviews disagree: ${counted.map(({ id }) => id).join(", ")}` };
  const [one] = counted;
  if (one !== undefined) return { verdict: one.verdict as "accepted" | "rejected", by: one.from, review: one.id };
  const [own] = reviews;
  if (own !== undefined) return { verdict: "open", because: `${own.id} by ${own.from} does not count: ${own.from === attempt.agent ? "nobody approves his own work" : "not a reviewer"}` };
  return { verdict: "open", because: reports.length === 0 ? "no report and no review yet" : `${reports.length} report(s), no review yet` };
}
