/** Proof on a real disk that looking changes nothing, waits for nothing and follows nothing. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collectJsonLines } from "../read/collect-json-lines.ts";
import { readPrompt } from "../read/prompt.ts";
import { readStable } from "../read/read-stable.ts";
import { walk } from "../read/walk.ts";
import { treeErrorCode } from "../trees/tree-error.ts";
import { diskTree } from "./disk-tree.ts";
import { resolvePlace } from "./resolve-place.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "casebook-real-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const tree = diskTree();

function plant(): void {
  for (const folder of ["runs", "prompts/a", "prompts/b"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "tasks.json"), '{"tasks":[]}');
  writeFileSync(join(root, "runs/a.jsonl"), '{"jobId":"a"}\n{"jobId":'.repeat(1000));
  writeFileSync(join(root, "prompts/a/SKILL.md"), "Go.");
  symlinkSync(root, join(root, "prompts/loop"));
  symlinkSync("/dev/zero", join(root, "runs/zero.jsonl"));
}

/** Everything that would show a write: content, size, mode, times of change of content and of the entry. */
function fingerprint(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .concat("")
    .map((name) => {
      const stat = lstatSync(join(folder, name), { bigint: true });
      const content = stat.isFile() ? createHash("sha256").update(readFileSync(join(folder, name))).digest("hex") : "-";
      return [name, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs, stat.ino, stat.nlink, content].join(" ");
    });
}

async function lookAtAll(): Promise<string[]> {
  const { found } = await walk(tree, [root], ["**"]);
  for (const { path } of found) {
    await readStable(tree, path);
    await readPrompt(tree, path, []);
    await collectJsonLines(tree, path, ({ value }) => value, { needles: ['"jobId"'] });
    await tree.list(path).catch(treeErrorCode);
  }
  return found.map(({ path }) => path.slice(root.length));
}

describe("looking at a disk", () => {
  it("changes no content, no time, no mode and no name", async () => {
    plant();
    const before = fingerprint(root);
    expect(await lookAtAll()).toContain("/runs/a.jsonl");
    expect(fingerprint(root)).toEqual(before);
  });

  it("asks the system for nothing that writes", (context) => {
    plant();
    const strace = spawnSync("strace", ["-o", "/dev/null", "true"]);
    if (strace.error !== undefined) return context.skip("NOT RUN (missing-dependency): strace is not installed");
    if (strace.status !== 0) return context.skip(`NOT RUN (unsupported): strace may not trace here: ${String(strace.stderr).trim()}`);
    const log = `${root}.strace`;
    const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const program = `
      import { diskTree } from ${module("./disk-tree.ts")};
      import { walk } from ${module("../read/walk.ts")};
      import { readStable } from ${module("../read/read-stable.ts")};
      import { collectJsonLines } from ${module("../read/collect-json-lines.ts")};
      const tree = diskTree();
      const { found } = await walk(tree, [${JSON.stringify(root)}], ["**"]);
      for (const { path } of found) {
        await readStable(tree, path);
        await collectJsonLines(tree, path, () => undefined);
      }
      console.log(found.length);`;
    try {
      const child = ["--import", "tsx", "--input-type=module", "-e", program];
      const printed = execFileSync("strace", ["-f", "-o", log, "-e", "trace=%file,%desc", process.execPath, ...child], { encoding: "utf8" });
      expect(printed.trim()).toBe("9");
      const calls = readFileSync(log, "utf8").split("\n").filter((line) => line.includes(root) && !line.includes("execve"));
      const opened = calls.filter((line) => /\bopen(at)?\(/.test(line));
      // The two files and the root's four folders, each once or more.
      expect(opened.length).toBeGreaterThanOrEqual(6);
      expect(opened.filter((line) => !line.includes("O_RDONLY") || /O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(line))).toEqual([]);
      expect(opened.filter((line) => !/O_DIRECTORY|O_NOFOLLOW/.test(line))).toEqual([]);
      const names = new Set(calls.map((line) => /^\d+\s+(?:<\.\.\. )?(\w+)/.exec(line)?.[1]));
      expect([...names].filter((name) => !READING_CALLS.has(name ?? ""))).toEqual([]);
    } finally {
      rmSync(log, { force: true });
    }
  });

  it("opens no pipe, socket or device, and so waits for none", async (context) => {
    plant();
    const pipe = spawnSync("mkfifo", [join(root, "pipe.json")]);
    if (pipe.status !== 0) return context.skip("NOT RUN (missing-dependency): mkfifo made no pipe");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "socket.json"), resolve));
    try {
      const { notRead } = await walk(tree, [root], ["*.json"]);
      expect(notRead.map(({ message }) => message.slice(root.length))).toEqual([
        "/pipe.json is neither a file nor a folder",
        "/socket.json is neither a file nor a folder",
      ]);
      for (const [path, code] of [
        [join(root, "pipe.json"), "EINVAL"],
        [join(root, "socket.json"), "EINVAL"],
        ["/dev/zero", "EINVAL"],
        [join(root, "runs/zero.jsonl"), "ELOOP"],
      ] as const) {
        expect(await tree.readRange(path, 0, 1).then(() => "read", treeErrorCode)).toBe(code);
      }
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("ends at a loop of links, and resolves only the place itself", async () => {
    plant();
    symlinkSync(join(root, "prompts"), join(root, "place"));
    const { looked, found } = await walk(tree, [root], ["**/SKILL.md"]);
    expect([found.length, looked.links]).toEqual([1, 3]);
    expect((await walk(tree, [join(root, "place")], ["**"])).places[0]?.found).toBe("link");
    const resolved = resolvePlace("place", root);
    expect((await walk(tree, [resolved], ["*/SKILL.md"])).found).toHaveLength(1);
  });

  it("names a folder and a file that this user may not read, and goes on", async (context) => {
    if (process.geteuid?.() !== 0) return context.skip("NOT RUN (missing-input): only root can become a user who may not read");
    plant();
    chmodSync(root, 0o755);
    chmodSync(join(root, "prompts"), 0o000);
    chmodSync(join(root, "tasks.json"), 0o000);
    try {
      // 65534: the user who owns nothing.
      process.seteuid?.(65_534);
      const { notRead, found } = await walk(tree, [root], ["**/*.json", "**/*.jsonl"]);
      const read = await readStable(tree, join(root, "tasks.json"));
      process.seteuid?.(0);
      expect(found.map(({ path }) => path.slice(root.length))).toEqual(["/runs/a.jsonl", "/runs/zero.jsonl", "/tasks.json"]);
      expect(notRead[0]).toMatchObject({ what: join(root, "prompts"), reason: "missing-input", evidence: { firstLines: ["EACCES"] } });
      expect(read).toMatchObject({ outcome: "not-read", notRead: { reason: "missing-input" } });
    } finally {
      process.seteuid?.(0);
    }
  });

  it("names what a name that is no text hides, and finds the rest", async (context) => {
    plant();
    try {
      writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.of(0xff), Buffer.from(".json")]), "[]");
    } catch {
      return context.skip("NOT RUN (unsupported): this file system takes no name that is not UTF-8");
    }
    const { found } = await walk(tree, [root], ["*.json"]);
    expect(found).toHaveLength(2);
    const answers = await Promise.all(found.map(({ path }) => readStable(tree, path)));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["not-read", "read"]);
  });
});

const READING_CALLS: ReadonlySet<string> = new Set([
  "open", "openat", "stat", "lstat", "newfstatat", "statx", "readlink", "readlinkat", "access", "faccessat", "faccessat2",
]);
