/** Which step sent what a delivery brings. */
import type { TraceDocument, TraceStep } from "../trace/document.ts";

export interface Sent {
  readonly step: number;
  readonly lane: number;
}

/** For each delivery, the step in which it was sent. */
export function sendsOf(trace: TraceDocument, laneOf: ReadonlyMap<string, number>): Map<number, Sent> {
  const sent = new Map<number, Sent>();
  const delivered = new Set<number>();
  for (const step of trace.steps) {
    if (step.operation !== "network.deliver") continue;
    const from = step.object;
    const lane = laneOf.get(from);
    if (lane === undefined) continue;
    const direct = trace.steps[step.cause - 1];
    const isItsSend = (one: TraceStep): boolean => isSend(one) && one.process === from && one.object === step.process;
    if (direct !== undefined && (isItsSend(direct) || (step.detail === "closed" && direct.process === from))) {
      delivered.add(direct.number);
      sent.set(step.number, { step: direct.number, lane });
      continue;
    }
    // Held up on its way: whatever ran when it was let go did not send it.
    const late = trace.steps.find((one) => one.number < step.number && isItsSend(one) && one.detail === step.detail && !delivered.has(one.number));
    if (late === undefined) continue;
    delivered.add(late.number);
    sent.set(step.number, { step: late.number, lane });
  }
  return sent;
}

export function isSend({ operation }: TraceStep): boolean {
  return operation === "network.send" || operation === "network.answer";
}
