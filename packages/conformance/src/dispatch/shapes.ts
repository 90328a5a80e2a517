/** Reads what an adapter answers, and says what is wrong with it in words that name the function and what to answer instead. */
import { functionOf, isFields, listOf, MOST_LISTED, type Read, shown, textsOf } from "../answers.ts";
import { ANSWERS, type Answer, type Capability, type DispatcherUnderTest, type Probe, STATES, type TaskView, TOLD } from "./adapter.ts";

export function readDispatcher(value: unknown, capabilities: readonly Capability[]): Read<DispatcherUnderTest> {
  if (!isFields(value)) return { wrong: `${shown(value)}. Answer an object with the functions submit and observe` };
  for (const name of ["submit", "observe"]) if (typeof value[name] !== "function") return { wrong: `an object whose ${name} is ${shown(value[name])}. Make it a function` };
  for (const name of ["tick", "tell", "probe"]) if (value[name] !== undefined && typeof value[name] !== "function") return { wrong: `an object whose ${name} is ${shown(value[name])}. Make it a function, or leave it out` };
  const told = Object.values(TOLD).find((one) => capabilities.includes(one));
  if (told !== undefined && value["tell"] === undefined) return { wrong: `an object without tell, and ${told} is declared. Add the function, or do not declare ${told}` };
  const optional = ["tick", "tell", "probe"].filter((name) => value[name] !== undefined);
  return { value: Object.fromEntries(["submit", "observe", ...optional].map((name) => [name, functionOf(value, name)])) as unknown as DispatcherUnderTest };
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
  const list = listOf(value);
  if (list === undefined) return { wrong: Array.isArray(value) ? `a list of ${value.length}, and ${MOST_LISTED} are read at most. Answer an object for each task that was submitted` : `${shown(value)}. Answer a list with an object for each task` };
  const views: TaskView[] = [];
  for (const one of list) {
    if (!isFields(one)) return { wrong: `a list with ${shown(one)}. Answer objects with id, state and because` };
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

/** Copied: it may go on changing what it answered. */
export function readProbe(value: unknown): Read<Probe> {
  if (!isFields(value)) return { wrong: `${shown(value)}. Answer an object, or leave probe out` };
  const { history, attempts, strangers } = value;
  const [texts, all, ids] = [textsOf(history), attemptsOf(attempts), textsOf(strangers)];
  if (history !== undefined && texts === undefined) return { wrong: `${shown(history)} as history. Answer a list of texts, or leave it out` };
  if (attempts !== undefined && all === undefined) return { wrong: `${shown(attempts)} as attempts. Answer a list of { task, claims, decisions }, or leave it out` };
  if (strangers !== undefined && ids === undefined) return { wrong: `${shown(strangers)} as strangers. Answer a list of ids of sessions, or leave it out` };
  return { value: { history: texts, attempts: all, strangers: ids } };
}

function attemptsOf(value: unknown): Probe["attempts"] {
  const attempts = listOf(value)?.map((one) => {
    const { task, claims, decisions } = isFields(one) ? one : {};
    return typeof task === "string" && typeof claims === "number" && typeof decisions === "number" ? { task, claims, decisions } : undefined;
  });
  return attempts?.includes(undefined) === false ? (attempts as Probe["attempts"]) : undefined;
}
