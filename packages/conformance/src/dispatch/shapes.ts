/** Reads what an adapter answers, and says what is wrong with it in words that name the function and what to answer instead. */
import { errorCode } from "@casebook/ports";
import { ANSWERS, type Answer, type Capability, type DispatcherUnderTest, type Probe, STATES, type TaskView, TOLD } from "./adapter.ts";

export type Read<T> = { readonly value: T } | { readonly wrong: string };

const shown = (value: unknown): string => {
  if (typeof value === "function") return "a function";
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    // Without end, a bigint, or what throws when it is looked at.
    return "something that cannot be shown";
  }
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};
/** More than any rule submits, by far; a list without end is read by nobody. */
const MOST_VIEWS = 1_000;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

/** Anything can be thrown, and what is thrown may throw when it is asked what it is. */
export function readThrown(failure: unknown): { readonly code: string; readonly text: string } {
  try {
    return { code: errorCode(failure), text: failure instanceof Error ? failure.message : String(failure) };
  } catch {
    return { code: "", text: "something that cannot be shown. Throw an Error" };
  }
}

export function readDispatcher(value: unknown, capabilities: readonly Capability[]): Read<DispatcherUnderTest> {
  if (!isObject(value)) return { wrong: `${shown(value)}. Answer an object with the functions submit and observe` };
  for (const name of ["submit", "observe"]) if (typeof value[name] !== "function") return { wrong: `an object whose ${name} is ${shown(value[name])}. Make it a function` };
  for (const name of ["tick", "tell", "probe"]) if (value[name] !== undefined && typeof value[name] !== "function") return { wrong: `an object whose ${name} is ${shown(value[name])}. Make it a function, or leave it out` };
  const told = Object.values(TOLD).find((one) => capabilities.includes(one));
  if (told !== undefined && value["tell"] === undefined) return { wrong: `an object without tell, and ${told} is declared. Add the function, or do not declare ${told}` };
  return { value: value as unknown as DispatcherUnderTest };
}

/** Answers that are taken for something are for questions; whoever answers all of them with "ok" is found out here. */
export function readNothing(value: unknown): Read<undefined> {
  return value === undefined || value === null ? { value: undefined } : { wrong: `${shown(value)}. Answer nothing: what came of it is in the list` };
}

export function readAnswer(value: unknown): Read<Answer> {
  const found = ANSWERS.find((one) => one === value);
  return found === undefined ? { wrong: `${shown(value)}. Answer one of ${ANSWERS.join(", ")}` } : { value: found };
}

export function readViews(value: unknown): Read<readonly TaskView[]> {
  if (!Array.isArray(value)) return { wrong: `${shown(value)}. Answer a list with an object for each task` };
  if (value.length > MOST_VIEWS) return { wrong: `a list of ${value.length}, and ${MOST_VIEWS} are read at most. Answer an object for each task that was submitted` };
  const views: TaskView[] = [];
  for (const one of value as unknown[]) {
    if (!isObject(one)) return { wrong: `a list with ${shown(one)}. Answer objects with id, state and because` };
    const { id, state, because, session } = one;
    if (typeof id !== "string" || id === "") return { wrong: `a task whose id is ${shown(id)}. Answer the id that was submitted` };
    if (!STATES.some((known) => known === state)) return { wrong: `the state ${shown(state)} of ${id}. Answer one of ${STATES.join(", ")}` };
    if (typeof because !== "string") return { wrong: `${shown(because)} as because of ${id}. Say in words why it stands so` };
    if (session !== undefined && session !== null && typeof session !== "string") return { wrong: `${shown(session)} as session of ${id}. Answer its id, or leave it out` };
    if (views.some((view) => view.id === id)) return { wrong: `${id} twice. Answer one object for each task` };
    views.push({ id, state: state as TaskView["state"], because, ...(typeof session === "string" ? { session } : {}) });
  }
  return { value: views };
}

export function readProbe(value: unknown): Read<Probe> {
  if (!isObject(value)) return { wrong: `${shown(value)}. Answer an object, or leave probe out` };
  const { history, attempts, strangers } = value;
  const isTexts = (list: unknown): boolean => Array.isArray(list) && list.every((one) => typeof one === "string");
  if (history !== undefined && !isTexts(history)) return { wrong: `${shown(history)} as history. Answer a list of texts, or leave it out` };
  const isAttempt = (one: unknown): boolean => isObject(one) && typeof one["task"] === "string" && typeof one["claims"] === "number" && typeof one["decisions"] === "number";
  if (attempts !== undefined && !(Array.isArray(attempts) && attempts.every(isAttempt))) return { wrong: `${shown(attempts)} as attempts. Answer a list of { task, claims, decisions }, or leave it out` };
  if (strangers !== undefined && !isTexts(strangers)) return { wrong: `${shown(strangers)} as strangers. Answer a list of ids of sessions, or leave it out` };
  return { value: copyOfProbe({ history, attempts, strangers } as Probe) };
}

/** It may go on changing what it answered. */
function copyOfProbe({ history, attempts, strangers }: Probe): Probe {
  return { history: history && [...history], attempts: attempts?.map(({ task, claims, decisions }) => ({ task, claims, decisions })), strangers: strangers && [...strangers] };
}
