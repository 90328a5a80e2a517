/** One running program: a line in, a line out. Says once, with a code, why it can answer no more. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type Line, readLine } from "./protocol.ts";

/** Of real time, for one line. */
export const SILENCE_MS = 10_000;
const LAST_WORDS = 400;

export class ChildError extends Error {
  override readonly name = "ChildError";
  readonly code: "ADAPTER_CHILD_MISSING" | "ADAPTER_CHILD_EXITED" | "ADAPTER_CHILD_SILENT" | "ADAPTER_CHILD_TALKS";

  constructor(code: ChildError["code"], text: string) {
    super(`${code}: ${text}`);
    this.code = code;
  }
}

export interface Child {
  /** Writes a line and answers the next one of the program. */
  exchange(line: Line): Promise<Line>;
  kill(): void;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly silenceMs?: number | undefined;
}

/** `busy` is told while a line of the program is waited for. */
export function startChild({ command, args, cwd, silenceMs = SILENCE_MS }: Program, busy: (change: 1 | -1) => void): Child {
  const child: ChildProcess = spawn(command, [...args], { stdio: ["pipe", "pipe", "pipe"], ...(cwd === undefined ? {} : { cwd }) });
  let waiting: { readonly resolve: (line: Line) => void; readonly reject: (failure: Error) => void; readonly timer: NodeJS.Timeout } | undefined;
  let failure: ChildError | undefined;
  let lastWords = "";
  const settle = (how: (one: NonNullable<typeof waiting>) => void): void => {
    const one = waiting;
    if (one === undefined) return;
    waiting = undefined;
    clearTimeout(one.timer);
    how(one);
    busy(-1);
  };
  const fail = (code: ChildError["code"], text: string): void => {
    failure ??= new ChildError(code, text);
    const said = failure;
    settle((one) => one.reject(said));
    child.kill("SIGKILL");
  };
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (text) => {
    const read = readLine(text);
    if ("wrong" in read) return fail("ADAPTER_CHILD_TALKS", `${command} printed ${read.wrong}.`);
    if (waiting === undefined) return fail("ADAPTER_CHILD_TALKS", `${command} wrote a line that nobody waits for. Answer each line with exactly one.`);
    settle((one) => one.resolve(read.line));
  });
  child.stderr?.on("data", (bytes: Buffer) => void (lastWords = `${lastWords}${bytes.toString("utf8")}`.slice(-LAST_WORDS)));
  child.on("error", (error: NodeJS.ErrnoException) => fail(error.code === "ENOENT" || error.code === "EACCES" ? "ADAPTER_CHILD_MISSING" : "ADAPTER_CHILD_EXITED", `${command} could not be started: ${error.code ?? error.message}. Install it, or name another command.`));
  // Its streams are read to their ends first, so that the last words are there.
  child.on("close", (exitCode, signal) => fail("ADAPTER_CHILD_EXITED", `${command} ended in the middle (${signal ?? `exit code ${exitCode}`}). ${lastWords.trim() === "" ? "It said nothing" : `It said: ${lastWords.trim().replaceAll(/\s+/g, " ")}`}. Keep it running until standard input ends.`));
  // Who writes to a program that is gone hears of it by its end.
  child.stdin?.on("error", () => undefined);
  return {
    exchange(line) {
      if (failure !== undefined) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        busy(1);
        waiting = { resolve, reject, timer: setTimeout(() => fail("ADAPTER_CHILD_SILENT", `${command} wrote no line for ${silenceMs / 1_000} s. Flush standard output after each line, and answer every line.`), silenceMs) };
        child.stdin?.write(`${JSON.stringify(line)}\n`);
      });
    },
    kill() {
      failure ??= new ChildError("ADAPTER_CHILD_EXITED", `${command} was stopped by the kit.`);
      settle((one) => clearTimeout(one.timer));
      child.kill("SIGKILL");
    },
  };
}
