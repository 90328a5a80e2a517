/** A foreign project in a temporary directory, and a real vitest over it. For this package's own tests. */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

export interface Run {
  readonly exitCode: number | null;
  /** stdout and stderr in the order they came. */
  readonly output: string;
}

export interface Order {
  readonly config: string;
  readonly filter: string;
  /** More of vitest's options, by the names of its configuration. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Project {
  readonly root: string;
  /** `vitest run` in a process of its own. With `interruptAt`, sends SIGINT once the output holds that text. */
  run(order: Order, interruptAt?: string): Promise<Run>;
  /** Several runs one after the other in one process, because starting vitest costs a second. */
  runInTurn(orders: readonly Order[]): Promise<Run[]>;
  read(path: string): string;
  remove(): void;
}

export function createProject(files: Readonly<Record<string, string>>): Project {
  const root = mkdtempSync(join(tmpdir(), "verdict-"));
  for (const [path, text] of Object.entries({ ...files, "in-turn.mjs": IN_TURN })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, "node_modules/@casebook"), { recursive: true });
  symlinkSync(PACKAGE, join(root, "node_modules/@casebook/verdict"), "junction");
  symlinkSync(join(PACKAGE, "node_modules/vitest"), join(root, "node_modules/vitest"), "junction");
  return {
    root,
    run: ({ config, filter }, interruptAt) =>
      node(root, ["node_modules/vitest/vitest.mjs", "run", "--config", config, filter], interruptAt),
    runInTurn: async (orders) => {
      const { output } = await node(root, ["in-turn.mjs", JSON.stringify(orders)]);
      return JSON.parse(output.slice(output.indexOf(RESULT) + RESULT.length)) as Run[];
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function node(root: string, args: readonly string[], interruptAt?: string): Promise<Run> {
  // Without the variables that the outer vitest sets, or the inner one takes itself for a worker.
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, SystemRoot, NO_COLOR: "1" };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      const before = output;
      output += chunk;
      if (interruptAt === undefined || before.includes(interruptAt)) return;
      if (output.includes(interruptAt)) child.kill("SIGINT");
    });
  }
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (exitCode) => done({ exitCode, output }));
  });
}

const RESULT = "=== result ===";

const IN_TURN = `
import { Writable } from "node:stream";
import { startVitest } from "vitest/node";
const runs = [];
for (const { config, filter, options } of JSON.parse(process.argv[2])) {
  let output = "";
  const sink = new Writable({ write(chunk, _, done) { output += chunk; done(); } });
  // vitest pipes its workers into this stream, and a pipe ends what it pours into (except process.stdout).
  sink.end = () => sink;
  process.exitCode = undefined;
  await startVitest("test", [filter], { config, watch: false, ...options }, {}, { stdout: sink, stderr: sink });
  runs.push({ exitCode: process.exitCode, output });
}
process.exitCode = 0;
console.log("${RESULT}" + JSON.stringify(runs));
`;
