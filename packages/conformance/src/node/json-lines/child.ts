/** One running program: lines out of it, lines into it. Says once, with a code, why it can answer no more. */
import { type ChildProcess, spawn } from "node:child_process";
import { keepTrackOf, killGroup } from "./leave-none.ts";
import { createLineSplitter, LONGEST_LINE_BYTES } from "./lines.ts";
import { type Line, readLine } from "./protocol.ts";

const LAST_WORDS = 400;
/** Of real time: between the end of a stream and that of its program, and between that and the last of its words. */
const LAST_WORDS_MS = 500;

export type ChildCode = "ADAPTER_CHILD_MISSING" | "ADAPTER_CHILD_EXITED" | "ADAPTER_CHILD_SILENT" | "ADAPTER_CHILD_TALKS" | "ADAPTER_CHILD_CLOSED" | "ADAPTER_CHILD_ENDLESS";

export class ChildError extends Error {
  override readonly name = "ChildError";
  readonly code: ChildCode;

  constructor(code: ChildCode, text: string) {
    super(`${code}: ${text}`);
    this.code = code;
  }
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** Of real time, for one line. Default `SILENCE_MS`. */
  readonly silenceMs?: number | undefined;
}

export interface Child {
  write(line: Line): void;
  /** Its end, with what its listener is told. */
  fail(code: ChildCode, text: string): void;
  /** Its end, of which nobody is told. */
  stop(): void;
  /** Settles when the program has ended. */
  readonly gone: Promise<void>;
}

export interface ChildListener {
  heard(line: Line): void;
  /** At most once. */
  failed(failure: ChildError): void;
}

export function startChild({ command, args, cwd }: Program, { heard, failed }: ChildListener): Child {
  // A group of its own, so that what it starts ends with it.
  const child: ChildProcess = spawn(command, [...args], { stdio: ["pipe", "pipe", "pipe"], detached: process.platform !== "win32", ...(cwd === undefined ? {} : { cwd }) });
  keepTrackOf(child);
  let isOver = false;
  let hasEnded = false;
  let lastWords = "";
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()).once("error", () => resolve()));
  const end = (): void => {
    isOver = true;
    killGroup(child);
    // What still holds the other ends of the pipes has left the group, and keeps the kit no longer.
    child.stdin?.destroy();
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const fail = (code: ChildCode, text: string): void => {
    if (isOver) return;
    end();
    failed(new ChildError(code, text));
  };
  const lines = createLineSplitter({
    line(text) {
      if (isOver) return;
      const read = readLine(text);
      if ("line" in read) heard(read.line);
      else fail("ADAPTER_CHILD_TALKS", `${command} printed ${read.wrong}.`);
    },
    wrong: (problem) =>
      problem === "too-long"
        ? fail("ADAPTER_CHILD_ENDLESS", `${command} wrote more than ${LONGEST_LINE_BYTES} bytes without a line feed. End each line with one, and keep what is big in files.`)
        : fail("ADAPTER_CHILD_TALKS", `${command} printed bytes on standard output that are no UTF-8. Encode each line as UTF-8.`),
  });
  child.stdout?.on("data", (bytes: Buffer) => void (isOver || lines.take(bytes)));
  child.stderr?.on("data", (bytes: Buffer) => void (lastWords = `${lastWords}${bytes.toString("utf8")}`.slice(-LAST_WORDS)));
  child.on("error", (error: NodeJS.ErrnoException) => fail(error.code === "ENOENT" || error.code === "EACCES" ? "ADAPTER_CHILD_MISSING" : "ADAPTER_CHILD_EXITED", `${command} could not be started${cwd === undefined ? "" : ` in ${cwd}`}: ${error.code ?? error.message}. Install it, or name another command.`));
  child.on("exit", (exitCode, signal) => {
    hasEnded = true;
    killGroup(child);
    const exited = (): void => {
      const words = lastWords.trim() === "" ? "It said nothing" : `It said: ${lastWords.trim().replaceAll(/\s+/g, " ")}`;
      fail("ADAPTER_CHILD_EXITED", `${command} ended in the middle${lines.isInLine() ? " of a line" : ""} (${signal ?? `exit code ${exitCode}`}). ${words}. Keep it running until standard input ends.`);
    };
    // Its streams are read to their ends first, so that the last words are there; unless somebody else holds them.
    const timer = setTimeout(exited, LAST_WORDS_MS);
    child.once("close", () => {
      clearTimeout(timer);
      exited();
    });
  });
  const closed = (stream: string): void => {
    // A program that ends closes both, and is heard of by its end.
    setTimeout(() => void (hasEnded || fail("ADAPTER_CHILD_CLOSED", `${command} closed its standard ${stream} and goes on. Keep both open until standard input ends.`)), LAST_WORDS_MS).unref();
  };
  child.stdout?.once("end", () => closed("output"));
  child.stdin?.on("error", () => closed("input"));
  return {
    write: (line) => void child.stdin?.write(`${JSON.stringify(line)}\n`),
    fail,
    stop: end,
    gone,
  };
}
