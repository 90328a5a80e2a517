/** Reads what a receipt log answers, and says what is wrong with it in words that name what to answer instead. */
import { functionOf, isFields, type Read, shown } from "../answers.ts";
import { type Appended, HEALTHS, type KeyAnswer, RECEIPT_STATES, type ReceiptLogUnderTest } from "./adapter.ts";

export function readLog(value: unknown): Read<ReceiptLogUnderTest> {
  const isLog = isFields(value) && typeof value["append"] === "function" && typeof value["read"] === "function";
  return isLog ? { value: { append: functionOf(value, "append"), read: functionOf(value, "read") } } : { wrong: `${shown(value)}. Answer an object with the functions append and read` };
}

export function readAppended(value: unknown): Read<Appended> {
  const { outcome, number } = isFields(value) ? value : {};
  if (outcome === "refused") return { value: { outcome } };
  if (outcome === "acknowledged" && (number === undefined || Number.isInteger(number))) return { value: { outcome, number: number as number | undefined } };
  return { wrong: `${shown(value)}. Answer { outcome: "acknowledged" | "refused", number? }` };
}

export function readAnswer(value: unknown): Read<KeyAnswer> {
  const { health, state } = isFields(value) ? value : {};
  const isKnown = HEALTHS.some((one) => one === health) && (state === undefined || RECEIPT_STATES.some((one) => one === state)) && (health !== "found" || state !== undefined);
  return isKnown ? { value: { health, state } as KeyAnswer } : { wrong: `${shown(value)}. Answer { health: "found" | "absent" | "damaged", state? }, with a state where it is found` };
}
