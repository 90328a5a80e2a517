import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Volume } from "memfs";
import { afterAll, describe, expect, it } from "vitest";
import { readStable } from "../read/read-stable.ts";
import { piecesOf } from "../read/pieces.ts";
import { walk } from "../read/walk.ts";
import type { Tree } from "../tree.ts";
import { droppedTree } from "../trees/dropped-tree.ts";
import { FIXTURE_TIME_MS, memoryTree } from "../trees/memory-tree.ts";
import { treeErrorCode } from "../trees/tree-error.ts";
import { volumeTree } from "../trees/volume-tree.ts";
import { diskTree } from "./disk-tree.ts";
import { treePathOf } from "./tree-path.ts";

const FILES: Readonly<Record<string, string>> = {
  "/r/tasks.json": '{"tasks":[]}',
  "/r/empty": "",
  "/r/prompts/nächtlich 夜/SKILL.md": "---\n",
  "/r/prompts/with\nline/SKILL.md": "x",
  "/r/prompts/__proto__/SKILL.md": "y",
  // Three pieces and a bit.
  "/r/long.jsonl": "0123456789abcdef".repeat(50_000),
};
const LINKS: Readonly<Record<string, string>> = { "/r/loop": "/r", "/r/file-link": "/r/tasks.json", "/r/dead": "/nowhere" };

const root = mkdtempSync(join(tmpdir(), "casebook-tree-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Where the fixture's `/r` is in each tree. */
const TREES: readonly { name: string; tree: Tree; base: string; knows: "links" | "files" }[] = [
  {
    name: "memoryTree",
    tree: memoryTree({ ...FILES, ...Object.fromEntries(Object.entries(LINKS).map(([path, link]) => [path, { link }])) }),
    base: "/r",
    knows: "links",
  },
  { name: "volumeTree", tree: volumeTree(volume()), base: "/r", knows: "links" },
  { name: "droppedTree", tree: droppedTree(Object.entries(FILES).map(dropped)), base: "/r", knows: "files" },
  { name: "diskTree", tree: disk(), base: `${treePathOf(root, process.platform)}/r`, knows: "links" },
];

function volume(): Volume {
  const made = Volume.fromJSON({ ...FILES });
  for (const [path, target] of Object.entries(LINKS)) made.symlinkSync(target, path);
  for (const path of Object.keys(FILES)) made.utimesSync(path, FIXTURE_TIME_MS / 1000, FIXTURE_TIME_MS / 1000);
  return made;
}

function dropped([path, text]: [string, string]) {
  return { path, lastModified: FIXTURE_TIME_MS, size: new Blob([text]).size, slice: (a: number, b: number) => new Blob([text]).slice(a, b) };
}

function disk(): Tree {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
    utimesSync(join(root, path), FIXTURE_TIME_MS / 1000, FIXTURE_TIME_MS / 1000);
  }
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(join(root, target), join(root, path));
  return diskTree();
}

describe.each(TREES)("$name keeps the contract of a tree", ({ tree, base, knows }) => {
  const codeOf = (work: Promise<unknown>) => work.then(() => "none", treeErrorCode);
  const textOf = async (path: string, offset: number, length: number) =>
    new TextDecoder().decode(await tree.readRange(`${base}${path}`, offset, length));

  it("lists names with their kinds, links as links", async () => {
    const kinds = Object.fromEntries((await tree.list(base)).map(({ name, kind }) => [name, kind]));
    const links = knows === "links" ? { loop: "link", "file-link": "link", dead: "link" } : {};
    expect(kinds).toEqual({ "tasks.json": "file", empty: "file", prompts: "directory", "long.jsonl": "file", ...links });
    const names = (await tree.list(`${base}/prompts`)).map(({ name }) => name).sort();
    expect(names).toEqual(["__proto__", "nächtlich 夜", "with\nline"].sort());
  });

  it("says of a file how long it is and when it changed", async () => {
    const stat = await tree.stat(`${base}/tasks.json`);
    expect(stat).toMatchObject({ kind: "file", size: 12, modifiedAtMs: FIXTURE_TIME_MS });
    expect(await tree.stat(base)).toMatchObject({ kind: "directory", size: 0 });
    expect(await tree.stat(`${base}/`)).toMatchObject({ kind: "directory" });
  });

  it("reads ranges, fewer bytes at the end and none behind it", async () => {
    expect(await textOf("/tasks.json", 0, 100)).toBe('{"tasks":[]}');
    expect(await textOf("/tasks.json", 2, 5)).toBe("tasks");
    expect(await textOf("/tasks.json", 10, 5)).toBe("]}");
    expect(await textOf("/tasks.json", 12, 5)).toBe("");
    expect(await textOf("/tasks.json", 9999, 5)).toBe("");
    expect(await textOf("/empty", 0, 5)).toBe("");
  });

  it("hands out pieces that add up to what was asked for", async () => {
    for (const length of [0, 5, 300_000, 10_000_000]) {
      let text = "";
      for await (const piece of piecesOf(tree, `${base}/long.jsonl`, length)) text += new TextDecoder().decode(piece);
      expect(text === FILES["/r/long.jsonl"]?.slice(0, length)).toBe(true);
    }
  });

  it("rejects with the code that a disk has for it", async () => {
    expect(await codeOf(tree.stat(`${base}/gone`))).toBe("ENOENT");
    expect(await codeOf(tree.list(`${base}/gone`))).toBe("ENOENT");
    expect(await codeOf(tree.readRange(`${base}/gone`, 0, 1))).toBe("ENOENT");
    expect(await codeOf(tree.stat(`${base}/tasks.json/in`))).toBe("ENOTDIR");
    expect(await codeOf(tree.list(`${base}/tasks.json`))).toBe("ENOTDIR");
    expect(await codeOf(tree.readRange(base, 0, 1))).toBe("EISDIR");
    expect(await codeOf(tree.stat(`${base}/constructor`))).toBe("ENOENT");
  });

  // Browsers hide links: there is nothing to hold them to.
  if (knows === "links") {
    it("follows no link, not even when asked for it by name", async () => {
      for (const link of ["loop", "file-link", "dead"]) {
        expect((await tree.stat(`${base}/${link}`)).kind).toBe("link");
        expect(await codeOf(tree.readRange(`${base}/${link}`, 0, 1))).toBe("ELOOP");
        expect(await codeOf(tree.list(`${base}/${link}`))).toBe("ENOTDIR");
      }
    });
  }

  it("is walked and read with the same answers", async () => {
    const { found, notRead } = await walk(tree, [base], ["prompts/*/SKILL.md", "*.json"]);
    expect(notRead).toEqual([]);
    expect(found.map(({ path }) => path.slice(base.length))).toEqual(
      ["/prompts/__proto__/SKILL.md", "/prompts/nächtlich 夜/SKILL.md", "/prompts/with\nline/SKILL.md", "/tasks.json"].sort(),
    );
    const read = await readStable(tree, `${base}/tasks.json`);
    expect(read).toMatchObject({ outcome: "read", bytes: new TextEncoder().encode('{"tasks":[]}') });
  });
});

it("is not shown by a fixture that differs from the disk it stands for", () => {
  expect(readFileSync(join(root, "/r/tasks.json"), "utf8")).toBe(FILES["/r/tasks.json"]);
});
