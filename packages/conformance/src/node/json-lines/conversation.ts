/**
 * Turns of the kit and one program. The kit writes one line and waits until the program is at rest again: after one line, or with
 * `concurrent-calls` after {"rest":true}. What was said in a turn is passed on in the order in which it was written.
 */
import { type Child, type ChildCode, ChildError, type Program, startChild } from "./child.ts";
import { type Line, shownOf } from "./protocol.ts";

/** Of real time, for one turn. */
export const SILENCE_MS = 10_000;
/** In one turn, of a program that takes several calls at once. */
const MOST_LINES = 1_000;
/** In one call. Not every request is a step of the world, which has limits of its own. */
const MOST_ASKS = 10_000;

export interface ConversationOptions {
  readonly isConcurrent: boolean;
  now(): number;
  /** Told how many more lines, or fewer, wait for the program. */
  busy(change: number): void;
  /** Told of its end, where the kit did not ask for it. */
  failed?(failure: ChildError): void;
}

export interface Conversation {
  /** Its first line, whatever it is. */
  hello(facts: Line): Promise<Line>;
  /** One call, with everything that the program asks for in it. Rejects with what the program throws, or with why it cannot answer. */
  call(name: string, facts: Line, answer: (ask: Line) => Promise<Line>): Promise<unknown>;
  stop(): void;
  readonly gone: Promise<void>;
}

interface OpenCall {
  resolve(line: Line): void;
  reject(failure: Error): void;
  isHeard: boolean;
}

interface Turn {
  readonly said: { readonly to: OpenCall; readonly line: Line }[];
  readonly timer: NodeJS.Timeout;
}

export function startConversation(program: Program, { isConcurrent, now, busy, failed }: ConversationOptions): Conversation {
  const { command, silenceMs = SILENCE_MS } = program;
  const open = new Map<number, OpenCall>();
  const outbox: Line[] = [];
  let turn: Turn | undefined;
  let failure: ChildError | undefined;
  let calls = 0;
  let lastCall: Promise<unknown> = Promise.resolve();
  const child: Child = startChild(program, {
    heard,
    failed(error) {
      const unanswered = [...open.values()];
      close(error);
      failed?.(error);
      for (const { reject } of unanswered) reject(error);
    },
  });

  return {
    hello: (facts) => exchange(0, { call: 0, do: "hello", ...facts }),
    call(name, facts, answer) {
      if (isConcurrent) return callNow(name, facts, answer);
      // One that never answers keeps the next from being written: the program would take it for an answer.
      const mine = lastCall.then(() => callNow(name, facts, answer));
      lastCall = mine.catch(() => undefined);
      return mine;
    },
    stop() {
      close(new ChildError("ADAPTER_CHILD_EXITED", `${command} was stopped by the kit.`));
      child.stop();
    },
    gone: child.gone,
  };

  async function callNow(name: string, facts: Line, answer: (ask: Line) => Promise<Line>): Promise<unknown> {
    const number = (calls += 1);
    let line = await exchange(number, { call: number, do: name, ...facts, nowMs: now() });
    for (let asked = 1; "ask" in line; asked += 1) {
      if (asked > MOST_ASKS) fail("ADAPTER_CHILD_ENDLESS", `${command} asked for more than ${MOST_ASKS} things in one ${name}, the last of them ${shownOf(line["ask"])}. Give up what is refused again and again.`);
      const answered = await answer(line);
      line = await exchange(number, { ...(isConcurrent ? { call: number } : {}), ...answered, nowMs: now() });
    }
    if ("throw" in line) throw new Error(String(line["throw"]));
    return line["return"];
  }

  function exchange(number: number, line: Line): Promise<Line> {
    if (failure !== undefined) return Promise.reject(failure);
    return new Promise((resolve, reject) => {
      open.set(number, { resolve, reject, isHeard: false });
      outbox.push(line);
      busy(1);
      next();
    });
  }

  function next(): void {
    const line = turn === undefined ? outbox.shift() : undefined;
    if (line === undefined) return;
    const silent = isConcurrent ? `did not come to rest in ${silenceMs / 1_000} s. Flush standard output after each line, and write {"rest":true} when nothing more will come` : `wrote no line for ${silenceMs / 1_000} s. Flush standard output after each line, and answer every line`;
    turn = { said: [], timer: setTimeout(() => fail("ADAPTER_CHILD_SILENT", `${command} ${silent}.`), silenceMs) };
    child.write(line);
  }

  function heard(line: Line): void {
    if (turn === undefined) return fail("ADAPTER_CHILD_TALKS", `${command} wrote a line that nobody waits for. ${isConcurrent ? 'Write nothing after {"rest":true} until the next line' : "Answer each line with exactly one"}.`);
    if ("rest" in line) return isConcurrent ? endTurn(turn) : fail("ADAPTER_CHILD_TALKS", `${command} wrote {"rest":true}. Declare concurrent-calls, or answer each line with exactly one.`);
    const { call } = line;
    const waiting = [...open].filter(([, { isHeard }]) => !isHeard);
    const found = waiting.find(([number]) => number === call || (call === undefined && !isConcurrent));
    if (found === undefined) return fail("ADAPTER_CHILD_TALKS", `${command} wrote a line of ${call === undefined ? "no call" : `call ${shownOf(call)}`}, and the kit waits for call ${waiting.map(([number]) => number).join(", ") || "none"}. Name the call of each line, and ask for one thing at a time in it.`);
    found[1].isHeard = true;
    turn.said.push({ to: found[1], line });
    if (turn.said.length > MOST_LINES) return fail("ADAPTER_CHILD_ENDLESS", `${command} wrote more than ${MOST_LINES} lines without coming to rest.`);
    if (!isConcurrent) endTurn(turn);
  }

  function endTurn(ended: Turn): void {
    clearTimeout(ended.timer);
    const passOn = (): void => {
      const said = ended.said.shift();
      said?.to.resolve(said.line);
      // What one sets in motion comes to rest before the next: in which pieces the lines arrived is chance.
      if (ended.said.length > 0) return void setImmediate(() => void (turn === ended && passOn()));
      turn = undefined;
      busy(-1);
      next();
    };
    passOn();
  }

  function close(why: ChildError): void {
    failure ??= why;
    clearTimeout(turn?.timer);
    busy(-(outbox.length + (turn === undefined ? 0 : 1)));
    turn = undefined;
    outbox.length = 0;
    open.clear();
  }

  function fail(code: ChildCode, text: string): void {
    child.fail(code, text);
  }
}
