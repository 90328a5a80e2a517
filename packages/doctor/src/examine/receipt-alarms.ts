/** The guards over logs of command receipts, each log for itself: damage, states that may have gone back, commands without an end, numbers. */
import {
  receiptsDamaged,
  receiptsGap,
  receiptsKeyReuse,
  receiptsOutOfOrder,
  receiptsPendingOpen,
  receiptsStateRegression,
  receiptsTwoTerminals,
} from "@casebook/guards";
import type { LayoutObservation, Place, ReceiptLogObservation } from "../observation.ts";
import { placeText } from "../report/place-text.ts";
import { raise, type Raised } from "./raised.ts";

export function receiptAlarms({ receiptLogs = [] }: LayoutObservation, nowMs: number): Raised[] {
  return receiptLogs.flatMap((log) => alarmsOf(log, nowMs));
}

type Survey = ReceiptLogObservation["survey"];
type Key = Survey["keys"][number];

function alarmsOf(log: ReceiptLogObservation, nowMs: number): Raised[] {
  const { path, survey, mayTakeMs } = log;
  const { keys, sequence, receipts, searched } = survey;
  /** `at`: the line that the finding is about, and the first of them where it is about several. */
  const around = (at: { readonly byteOffset: number } | undefined): Omit<Raised, "about" | "finding"> => ({
    tasks: [],
    where: at === undefined ? { path } : placeOf(log, at.byteOffset),
    proof: [`lines ${searched.lines}, bytes ${searched.bytes}; receipts ${receipts} of ${keys.length} commands`, ...(at === undefined ? [] : [`byte ${at.byteOffset}`])],
    confidence: "measured",
  });
  const first = (is: (key: Key) => boolean) => around(keys.find(is));
  const [late] = [...sequence.repeated, ...sequence.backwards].toSorted((one, other) => one.byteOffset - other.byteOffset);
  const sumOf = (value: (key: Key) => number) => keys.reduce((total, key) => total + value(key), 0);
  const begunAgain = sumOf(({ pendingBehindCompleted }) => pendingBehindCompleted);
  const orderFacts = { ...sequence, log: path, receipts, pendingBehindCompleted: begunAgain };
  return [
    ...raise(receiptsDamaged, { searched: { files: 1, lines: searched.lines }, damaged: damagedOf(log) }, around(survey.damage.listed[0])),
    ...raise(receiptsStateRegression, { keys }, first(({ state, unreadableBehind }) => state === "pending" && unreadableBehind > 0)),
    ...raise(receiptsPendingOpen, { keys, graceMs: mayTakeMs, nowMs }, first(({ state, atMs }) => state === "pending" && nowMs - atMs > mayTakeMs)),
    ...raise(receiptsKeyReuse, { keys }, first(({ actors, payloads }) => actors > 1 || payloads > 1)),
    ...raise(receiptsTwoTerminals, { keys }, first(({ completed }) => completed > 1)),
    ...raise(receiptsOutOfOrder, orderFacts, around(late ?? keys.find((key) => key.pendingBehindCompleted > 0))),
    ...raise(receiptsGap, { log: path, receipts, gaps: sequence.gaps }, around(sequence.gaps.find(({ after, next, unreadableBetween, late }) => next - after - 1 > unreadableBetween + late))),
  ];
}

type Damaged = Parameters<typeof receiptsDamaged>[0]["damaged"];

/** The last one that is listed stands for those that are not. */
function damagedOf(log: ReceiptLogObservation): Damaged {
  const { listed, lines } = log.survey.damage;
  const more = lines - listed.filter(({ code }) => code !== "BOM").length;
  return listed.map(({ code, byteOffset, goodLinesAfter, isUnreadable }, index) => ({
    where: placeText(placeOf(log, byteOffset)),
    code,
    record: "line",
    reads: isUnreadable && code !== "WRONG_SHAPE" ? "not-at-all" : "otherwise",
    goodLinesAfter,
    ...(index === listed.length - 1 && more > 0 ? { times: more + 1 } : {}),
  }));
}

function placeOf({ path, lines }: ReceiptLogObservation, byteOffset: number): Place {
  const line = lines.get(byteOffset);
  return { path, ...(line === undefined ? {} : { line }), byteOffset };
}
