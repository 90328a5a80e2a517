/**
 * Random programs made of everything that moves promises: nested awaits, combinators, thenables, rejections, async generators,
 * promises settled by another strand, strands that nobody awaits, chains of ticks, rejections that nobody handles. Drawn before
 * they run, so that nothing of the run draws.
 */
import type { ProcessPorts, RandomStream } from "../kernel/index.ts";
import type { Space } from "../kernel/simulation.ts";

export type Spice = "promises" | "ticks" | "rejections";

type Move =
  | { readonly do: "read" | "write" | "add" | "sleep" | "give" | "take" | "reject-caught" | "reject-unhandled" }
  | { readonly do: "awaits" | "ticks" | "thenable" | "late-thenable"; readonly times: number }
  | { readonly do: "all" | "race" | "any" | "allSettled" | "generator" | "loose" | "two-calls"; readonly parts: readonly (readonly Move[])[] };

const PLAIN = ["read", "write", "add", "read", "sleep", "give", "take", "reject-caught"] as const;
const COUNTED = ["awaits", "awaits", "thenable", "late-thenable"] as const;
const NESTED = ["all", "race", "any", "allSettled", "generator", "loose", "two-calls"] as const;

function draw(stream: RandomStream, spice: Spice, depth: number): Move[] {
  return Array.from({ length: 1 + stream.below(4) }, (): Move => {
    const kind = stream.below(10);
    if (spice !== "promises" && kind === 9) return { do: "ticks", times: 1 + stream.below(4) };
    if (spice === "rejections" && kind === 8) return { do: "reject-unhandled" };
    if (kind < 4 || depth === 0) return { do: PLAIN[stream.below(PLAIN.length)] as (typeof PLAIN)[number] };
    if (kind < 7) return { do: COUNTED[stream.below(COUNTED.length)] as (typeof COUNTED)[number], times: 1 + stream.below(5) };
    const parts = [draw(stream, spice, depth - 1), draw(stream, spice, depth - 1)];
    return { do: NESTED[stream.below(NESTED.length)] as (typeof NESTED)[number], parts };
  });
}

/** Three processes; `events` hears of everything that their code does, in order. */
export function randomProgram(stream: RandomStream, spice: Spice, events: string[]): (space: Space) => void {
  const programs = ["a", "b", "c"].map((name) => [name, draw(stream, spice, 3)] as const);
  return (space) => {
    const row = space.cell("row", 0);
    for (const [name, moves] of programs) {
      space.process(name, (ports) => new Follower(ports, row, (what) => void events.push(`${name} ${what}`)).follow(moves));
    }
  };
}

class Follower {
  readonly #ports: ProcessPorts;
  readonly #row: ReturnType<Space["cell"]> & { value: number };
  readonly #say: (what: string) => void;
  readonly #waiting: ((value: number) => void)[] = [];
  #given = 0;

  constructor(ports: ProcessPorts, row: { readonly name: string; value: number }, say: (what: string) => void) {
    this.#ports = ports;
    this.#row = row as never;
    this.#say = say;
  }

  async follow(moves: readonly Move[]): Promise<number> {
    let last = 0;
    for (const move of moves) {
      last = await this.#make(move);
      this.#say(`${move.do} ${last}`);
    }
    return last;
  }

  async #make(move: Move): Promise<number> {
    const cell = this.#ports.cell(this.#row);
    switch (move.do) {
      case "read":
        return cell.read();
      case "write":
        await cell.write(7);
        return 7;
      case "add":
        return cell.update((value) => value + 1);
      case "sleep":
        await this.#ports.clock.sleep(1);
        return 1;
      case "give":
        this.#given += 1;
        this.#waiting.shift()?.(this.#given);
        return this.#given;
      case "take":
        // Another strand may give; else the clock does.
        return Promise.race([new Promise<number>((resolve) => this.#waiting.push(resolve)), this.#ports.clock.sleep(2).then(() => -1)]);
      case "reject-caught":
        return cell.read().then((value) => Promise.reject(new Error(String(value)))).catch(() => -2);
      case "reject-unhandled":
        void Promise.reject(new Error("nobody handles it"));
        return -3;
      case "awaits":
        for (let count = 0; count < move.times; count += 1) await Promise.resolve();
        return move.times;
      case "ticks":
        return new Promise((resolve) => tick(move.times, () => resolve(move.times)));
      case "thenable":
        return thenable((resolve) => resolve(move.times));
      case "late-thenable":
        return thenable((resolve) => void cell.read().then(resolve));
      case "all":
        return (await Promise.all(this.#both(move.parts))).length;
      case "race":
        return Promise.race(this.#both(move.parts));
      case "any":
        return Promise.any([...this.#both(move.parts), Promise.reject<number>(new Error("no"))]);
      case "allSettled":
        return (await Promise.allSettled(this.#both(move.parts))).length;
      case "generator": {
        let sum = 0;
        for await (const value of this.#values(move.parts)) sum += value;
        return sum;
      }
      case "loose":
        for (const part of move.parts) void this.follow(part);
        return 0;
      case "two-calls": {
        const [one, two] = [cell.read(), cell.update((value) => value + 2)];
        return (await two) - (await one);
      }
    }
  }

  #both(parts: readonly (readonly Move[])[]): Promise<number>[] {
    return parts.map((part) => this.follow(part));
  }

  async *#values(parts: readonly (readonly Move[])[]): AsyncGenerator<number> {
    for (const part of parts) yield await this.follow(part);
  }
}

/** Somebody else's idea of a promise. */
async function thenable(then: (resolve: (value: number) => void) => void): Promise<number> {
  // oxlint-disable-next-line unicorn/no-thenable -- being awaited is what it is for
  return (await { then }) as unknown as number;
}

/** The one thing here that is Node's: the portable part of this package knows no ticks. */
let tick: (times: number, then: () => void) => void;

export function tickBy(nextTick: (callback: () => void) => void): void {
  tick = (times, then) => nextTick(() => (times <= 1 ? then() : tick(times - 1, then)));
}
