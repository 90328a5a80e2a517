/** Reads what an adapter's functions answer, and says what is wrong with it in words that name the field and what to answer instead. */
import { CAUSES, TERMINAL_STATES } from "@casebook/supervisor/rules";
import { HELD_KINDS, ITEM_STATES, type RunAccount, type RunToSupervise, type SupervisorUnderTest } from "./adapter.ts";

export type Read<T> = { readonly value: T } | { readonly wrong: string };

type Fields = Readonly<Record<string, unknown>>;

const shown = (value: unknown): string => {
  if (typeof value === "function") return "a function";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};
const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** `cancel` and `succeed`: whether they are declared. */
export function readSupervisor(value: unknown, declared: readonly ("cancel" | "succeed")[]): Read<SupervisorUnderTest> {
  if (!isObject(value)) return { wrong: `${shown(value)}. Answer an object with the functions supervise and work` };
  const missing = ["supervise", "work", ...declared].find((name) => typeof value[name] !== "function");
  return missing === undefined ? { value: value as unknown as SupervisorUnderTest } : { wrong: `an object whose ${missing} is ${shown(value[missing])}. Make it a function of the run` };
}

/** Copies what is known, so that nobody changes it afterwards. */
export function readAccount(value: unknown, run: RunToSupervise): Read<RunAccount> {
  if (!isObject(value)) return { wrong: `${shown(value)}. Answer { state, records, held, owed, items }` };
  const { state, records, held, owed, items } = value;
  const states = ["none", "running", ...TERMINAL_STATES];
  if (!states.includes(state as string)) return { wrong: `the state ${shown(state)}. Answer one of ${states.join(", ")}` };
  for (const [name, list] of Object.entries({ records, held, owed, items })) if (!Array.isArray(list) || !list.every(isObject)) return { wrong: `${shown(list)} as ${name}. Answer a list of objects, which may be empty` };
  const wrong = (records as Fields[]).map(wrongRecord).find(Boolean) ?? (held as Fields[]).map(wrongHeld).find(Boolean) ?? (owed as Fields[]).map(wrongOwed).find(Boolean) ?? wrongItems(items as Fields[], run);
  if (wrong !== undefined) return { wrong };
  const account = { state, records: (records as Fields[]).map(recordOf), held: (held as Fields[]).map(({ kind, name }) => ({ kind, name })), owed: (owed as Fields[]).map(({ debtor, creditor }) => ({ debtor, creditor })), items: (items as Fields[]).map(({ name, status, artefact }) => ({ name, status, ...(typeof artefact === "string" ? { artefact } : {}) })) };
  return { value: account as unknown as RunAccount };
}

const LISTS = ["participants", "done", "failed", "notFinished"] as const;

function wrongRecord(record: Fields): string | undefined {
  if (!TERMINAL_STATES.includes(record["state"] as never)) return `a record with the state ${shown(record["state"])}. Answer one of ${TERMINAL_STATES.join(", ")}`;
  if (!CAUSES.includes(record["cause"] as never)) return `a record with the cause ${shown(record["cause"])}. Answer one of ${CAUSES.join(", ")}`;
  const list = LISTS.find((name) => !isNames(record[name]));
  return list === undefined ? undefined : `a record with ${shown(record[list])} as ${list}. Answer a list of names, which may be empty`;
}

const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");

function recordOf({ state, cause, ...rest }: Fields): object {
  return { state, cause, ...Object.fromEntries(LISTS.map((name) => [name, [...(rest[name] as string[])]])) };
}

function wrongHeld({ kind, name }: Fields): string | undefined {
  if (!HELD_KINDS.includes(kind as never)) return `something held of the kind ${shown(kind)}. Answer one of ${HELD_KINDS.join(", ")}`;
  return typeof name === "string" ? undefined : `a ${String(kind)} with the name ${shown(name)}. Answer what it is called`;
}

function wrongOwed({ debtor, creditor }: Fields): string | undefined {
  return typeof debtor === "string" && typeof creditor === "string" ? undefined : `${shown({ debtor, creditor })} as something owed. Answer { debtor, creditor }, by name`;
}

function wrongItems(items: readonly Fields[], run: RunToSupervise): string | undefined {
  for (const [at, { name, status, artefact }] of items.entries()) {
    if (!run.items.some((item) => item.name === name)) return `an item ${shown(name)}, which the run does not have. Answer the names that the run has`;
    if (!ITEM_STATES.includes(status as never)) return `the status ${shown(status)} of ${String(name)}. Answer one of ${ITEM_STATES.join(", ")}`;
    if (artefact !== undefined && artefact !== null && typeof artefact !== "string") return `${shown(artefact)} as artefact of ${String(name)}. Answer its address, or leave it out`;
    if (items.findIndex((item) => item["name"] === name) !== at) return `${String(name)} twice. Answer one object for each item`;
  }
  return undefined;
}
