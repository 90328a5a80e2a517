/** Programs for the tests of the lines: small ones in JavaScript, written where they are tried, and the examples in Python. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, type TestContext } from "vitest";
import type { ConformanceReport } from "../../index.ts";
import { ChildError, type Program } from "./child.ts";
import { startConversation } from "./conversation.ts";

export const EXAMPLES = join(import.meta.dirname, "../../../examples");
export const folder = mkdtempSync(join(tmpdir(), "conformance-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let written = 0;
let pythonPath: string | undefined;

/** `act` sees `call` and answers a line; what it does not answer is answered with null. `hello` is added to what it says of itself. */
export function program(act: string, hello: Readonly<Record<string, unknown>> = {}): Program {
  return raw(source(hello, act));
}

export function source(hello: Readonly<Record<string, unknown>>, act: string): string {
  return `import { createInterface } from "node:readline";
import { appendFileSync } from "node:fs";
import { spawn } from "node:child_process";
const write = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
createInterface({ input: process.stdin }).on("line", async (text) => {
  const call = JSON.parse(text);
  if (call.do === "hello") return write({ return: ${JSON.stringify({ name: "lines", version: "1.0.0", capabilities: [], ...hello })} });
  ${act}
  write({ return: null });
});`;
}

/** The whole of a program. */
export function raw(source: string): Program {
  const path = join(folder, `program-${(written += 1)}.mjs`);
  writeFileSync(path, source);
  return { command: process.execPath, args: [path], silenceMs: 2_000 };
}

/** A name that a version manager put there starts a shell before each start of the interpreter, and a program is started for every life. */
function interpreter(): string {
  const { status, stdout } = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : "python3";
}

/** An example in Python, with one thing changed where there is one; NOT RUN where there is no Python. */
export async function python(context: TestContext, example: string, from = "", to = ""): Promise<Program> {
  const source = readFileSync(join(EXAMPLES, example), "utf8");
  if (!source.includes(from)) throw new Error(`${example} has no ${from}`);
  const path = join(folder, `${(written += 1)}-${example}`);
  writeFileSync(path, source.replace(from, to));
  const found: Program = { command: (pythonPath ??= interpreter()), args: [path] };
  const child = startConversation(found, { isConcurrent: false, now: () => 0, busy: () => undefined });
  await child.hello({}).catch((failure: unknown) => {
    if (failure instanceof ChildError && failure.code === "ADAPTER_CHILD_MISSING") context.skip(`NOT RUN (missing-dependency): ${failure.message}`);
    throw failure;
  });
  child.stop();
  return found;
}

export const first = ({ rules }: ConformanceReport): string => `${rules[0]?.number} ${rules[0]?.verdict}: ${rules[0]?.failures?.[0]?.seen ?? rules[0]?.says}`.replaceAll(process.execPath, "node");

export const failedChecks = ({ rules }: ConformanceReport): string[] => rules.flatMap(({ failures = [] }) => failures.map(({ check }) => check)).toSorted();

/** Every rule that has neither passed nor was outside of the plan, with what was seen. */
export const trouble = ({ rules }: ConformanceReport): unknown[] => rules.flatMap(({ number, verdict, says, failures = [] }) => (verdict === "FAIL" || verdict === "NOT RUN" ? [[number, verdict, says ?? failures.map(({ check, seen }) => `${check}: ${seen}`)]] : []));
