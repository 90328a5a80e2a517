/**
 * What happened at the ports, in order, and its hash. Holds no descriptor numbers, stacks or paths of the machine,
 * so two runs of the same input have the same trace on every computer.
 */
import type { FileStat } from "@casebook/ports";

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

/**
 * A running hash in plain JavaScript, so that it is the same in every engine and browser.
 * Two 32-bit lanes, each step a bijection of the lane: one changed word always changes the result.
 * For telling runs apart by accident; not for anybody who tries to collide it.
 */
export class RunningHash {
  #first = 0x9e3779b9 | 0;
  #second = 0x85ebca6b | 0;

  word(word: number): void {
    const first = Math.imul(this.#first ^ word, 0x9e3779b1);
    this.#first = (first << 13) | (first >>> 19);
    const second = Math.imul(this.#second ^ word, 0xc2b2ae35);
    this.#second = (second << 17) | (second >>> 15);
  }

  /** UTF-16 code units, preceded by their count, so that "ab" + "c" differs from "a" + "bc". */
  text(text: string): void {
    this.word(text.length);
    for (let index = 0; index < text.length; index += 1) this.word(text.charCodeAt(index));
  }

  /** Four bytes a step: a 50 MB read costs well under half a second. */
  bytes(bytes: Uint8Array): void {
    const whole = bytes.length - (bytes.length % 4);
    this.word(bytes.length);
    // The lanes are kept in locals: a field write per step costs a third of the speed.
    let one = this.#first;
    let two = this.#second;
    for (let index = 0; index < whole; index += 4) {
      const word =
        bytes[index]! | (bytes[index + 1]! << 8) | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24);
      const first = Math.imul(one ^ word, 0x9e3779b1);
      one = (first << 13) | (first >>> 19);
      const second = Math.imul(two ^ word, 0xc2b2ae35);
      two = (second << 17) | (second >>> 15);
    }
    this.#first = one;
    this.#second = two;
    for (let index = whole; index < bytes.length; index += 1) this.word(bytes[index]!);
  }

  /** The first eight of the digits as a number: to start a random stream from. */
  number(): number {
    return finish(this.#first) >>> 0;
  }

  /** 16 hexadecimal digits. The running state is left alone. */
  digits(): string {
    return hex(finish(this.#first)) + hex(finish(this.#second ^ this.#first));
  }
}

export function hashOfBytes(bytes: Uint8Array): string {
  const hash = new RunningHash();
  hash.bytes(bytes);
  return hash.digits();
}

function finish(lane: number): number {
  const mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, "0");
}
