/** Reads a slot that no run belongs to. */
import type { AwakeSpan, DueSlot, LedgerInput, LedgerRow } from "./input.ts";
import { spanAt } from "./spans.ts";

export type Read = Pick<LedgerRow, "reading" | "confidence" | "enabled">;

export interface After {
  /** Start of the first run of the next slot that has one. */
  readonly nextRunMs: number | undefined;
  /** End of the sleep that a newer slot without a run fell into. */
  readonly asleepUntilMs: number | undefined;
}

export function readAbsence(
  slot: DueSlot,
  isClaimed: boolean,
  input: LedgerInput,
  after: After,
): Read & { readonly asleepUntilMs?: number | undefined } {
  const { slotMs, graceMs, enabled } = slot;
  const measured = (reading: Read["reading"]) => ({ reading, confidence: "measured", enabled }) as const;
  if (!enabled && !isClaimed) return measured("paused");
  const isLooked = isJudgeable(slotMs, input) && !isHidden(slot, input);
  // The registry says that it ran already, so that nothing is waited for but somebody who can look.
  if (isClaimed && slotMs <= input.nowMs && !isLooked) return { ...measured("unjudged"), enabled: true };
  if (slotMs > input.nowMs || input.nowMs < slotMs + graceMs) return measured("pending");
  if (!isLooked) return { ...measured("unjudged"), enabled: true };
  // What is claimed was on at the time, whatever the registry says today.
  if (isClaimed) return { reading: "ghost-success", confidence: enabled ? "measured" : "inferred", enabled: true };

  if (spanAt(input.awake, slotMs) !== undefined) return measured("missed");
  const sleep = spanAt(input.asleep, slotMs);
  if (isDropped(input, after)) {
    return { reading: "discarded", confidence: sleep === undefined ? "inferred" : "measured", enabled };
  }
  if (sleep === undefined) return { reading: "missed", confidence: "inferred", enabled };
  if (input.nowMs < sleep.toMs + graceMs) return { ...measured("pending"), asleepUntilMs: sleep.toMs };
  return { ...measured(isOwedAfterSleep(slotMs, sleep, input, after) ? "missed" : "discarded"), asleepUntilMs: sleep.toMs };
}

function isJudgeable(slotMs: number, { artefacts, artefactsReachBackToMs }: LedgerInput): boolean {
  return artefacts !== undefined && artefactsReachBackToMs !== undefined && slotMs >= artefactsReachBackToMs;
}

/** Its run, on time or late, may be among the traces that could not be read. */
function isHidden({ taskId, slotMs, graceMs }: DueSlot, { hidden = [] }: LedgerInput): boolean {
  return hidden.some((one) => (one.taskId === undefined || one.taskId === taskId) && slotMs <= one.toMs && slotMs + graceMs >= one.fromMs);
}

/** A later run stands for it: that is what the product says it does after a sleep, and nothing shows that there was none. */
function isDropped({ catchUp }: LedgerInput, { nextRunMs }: After): boolean {
  return nextRunMs !== undefined && catchUp.policy !== "each-missed";
}

/** Whether the product says that it makes up for this slot after waking up. It did not. */
function isOwedAfterSleep(slotMs: number, sleep: AwakeSpan, { catchUp }: LedgerInput, { asleepUntilMs }: After): boolean {
  if (catchUp.policy === "none" || sleep.toMs - slotMs > catchUp.lookBackMs) return false;
  return catchUp.policy === "each-missed" || asleepUntilMs !== sleep.toMs;
}
