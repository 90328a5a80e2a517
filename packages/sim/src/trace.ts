/**
 * What happened at the ports, in order. Holds no descriptor numbers, stacks or paths of the machine,
 * so two runs of the same input have the same trace on every computer.
 */
import type { FileStat } from "@casebook/ports";
import { hashOfBytes, RunningHash } from "./hash.ts";

export interface TraceEvent {
  /** What was called, such as `disk.read`, `clock.sleep`, `faults.reach`. */
  readonly operation: string;
  /** What it was called on: a path, a prefix, a point; "" if there is only one such thing. */
  readonly object: string;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  /** Arguments and result in short; bytes as a digest. */
  readonly detail: string;
  /** What the clock of the host showed. */
  readonly atMs: number;
}

export interface Trace {
  readonly events: readonly TraceEvent[];
  /** 16 hexadecimal digits over all events so far. */
  hash(): string;
}

export interface TraceRecorder extends Trace {
  record(event: TraceEvent): void;
}

export function createTrace(): TraceRecorder {
  const events: TraceEvent[] = [];
  const running = new RunningHash();
  return {
    events,
    hash: () => running.digits(),
    record(event) {
      events.push(event);
      running.text(event.operation);
      running.text(event.object);
      running.text(event.outcome);
      running.text(event.detail);
      running.word(event.atMs % 2 ** 32);
      running.word(Math.floor(event.atMs / 2 ** 32));
    },
  };
}

export function describeBytes(position: number, bytes: Uint8Array): string {
  return `${bytes.length} at ${position}: ${hashOfBytes(bytes)}`;
}

export function describeStat(stat: FileStat): string {
  return `${stat.kind} ${stat.size} ${stat.modifiedAtMs}`;
}

/** A list in its order, as a count and a digest: a directory may hold a hundred thousand names. */
export function describeTexts(texts: readonly string[]): string {
  const hash = new RunningHash();
  for (const text of texts) hash.text(text);
  return `${texts.length}: ${hash.digits()}`;
}
