/** Reads what an adapter's functions answer, and says what is wrong with it in words that name the field and what to answer instead. */
import { type Fields, functionOf, isFields, listOf, type Read, shown, textsOf } from "../answers.ts";
import { CAUSES, TERMINAL_STATES } from "@casebook/supervisor/rules";
import { HELD_KINDS, ITEM_STATES, type RunAccount, type RunToSupervise, type SupervisorUnderTest } from "./adapter.ts";

/** `cancel` and `succeed`: whether they are declared. */
export function readSupervisor(value: unknown, declared: readonly ("cancel" | "succeed")[]): Read<SupervisorUnderTest> {
  if (!isFields(value)) return { wrong: `${shown(value)}. Answer an object with the functions supervise and work` };
  const missing = ["supervise", "work", ...declared].find((name) => typeof value[name] !== "function");
  return missing === undefined ? { value: Object.fromEntries(["supervise", "work", ...declared].map((name) => [name, functionOf(value, name)])) as unknown as SupervisorUnderTest } : { wrong: `an object whose ${missing} is ${shown(value[missing])}. Make it a function of the run` };
}

const LISTS = ["participants", "done", "failed", "notFinished"] as const;
const FIELDS = { records: ["state", "cause", ...LISTS], held: ["kind", "name"], owed: ["debtor", "creditor"], items: ["name", "status", "artefact"] } as const;

/** Copies what is known, so that nobody changes it afterwards. */
export function readAccount(value: unknown, run: RunToSupervise): Read<RunAccount> {
  if (!isFields(value)) return { wrong: `${shown(value)}. Answer { state, records, held, owed, items }` };
  const { state } = value;
  const states = ["none", "running", ...TERMINAL_STATES];
  if (!states.includes(state as string)) return { wrong: `the state ${shown(state)}. Answer one of ${states.join(", ")}` };
  const rows: Record<string, readonly Fields[]> = {};
  for (const [name, fields] of Object.entries(FIELDS)) {
    const list = value[name];
    const copied = rowsOf(list, fields);
    if (copied === undefined) return { wrong: `${shown(list)} as ${name}. Answer a list of objects, which may be empty` };
    rows[name] = copied;
  }
  const { records = [], held = [], owed = [], items = [] } = rows;
  const wrong = records.map(wrongRecord).find(Boolean) ?? held.map(wrongHeld).find(Boolean) ?? owed.map(wrongOwed).find(Boolean) ?? wrongItems(items, run);
  if (wrong !== undefined) return { wrong };
  const account = { state, records, held, owed, items: items.map(({ artefact, ...item }) => ({ ...item, ...(typeof artefact === "string" ? { artefact } : {}) })) };
  return { value: account as unknown as RunAccount };
}

/** Each field is read once: a getter may answer something else the next time. */
function rowsOf(value: unknown, fields: readonly string[]): readonly Fields[] | undefined {
  const list = listOf(value);
  if (list?.every(isFields) !== true) return undefined;
  return (list as readonly Fields[]).map((row) => Object.fromEntries(fields.map((field) => [field, copyOf(row[field])])));
}

const copyOf = (value: unknown): unknown => listOf(value) ?? value;

function wrongRecord(record: Fields): string | undefined {
  const { state, cause } = record;
  if (!TERMINAL_STATES.includes(state as never)) return `a record with the state ${shown(state)}. Answer one of ${TERMINAL_STATES.join(", ")}`;
  if (!CAUSES.includes(cause as never)) return `a record with the cause ${shown(cause)}. Answer one of ${CAUSES.join(", ")}`;
  const list = LISTS.find((name) => textsOf(record[name]) === undefined);
  return list === undefined ? undefined : `a record with ${shown(record[list])} as ${list}. Answer a list of names, which may be empty`;
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
