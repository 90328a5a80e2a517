/** What a disk does to a reader while it reads: files that vanish, grow, change or are something else, folders that refuse. */
import type { FixtureFiles } from "../presets/fixtures/index.ts";
import type { Tree, TreeStat } from "../tree.ts";
import { baseName, type FixtureEntry, joinPath, memoryTree, parentOf, TreeError } from "../trees/index.ts";
import { ODD_TEXTS } from "./json-changes.fixture.ts";
import type { Random } from "./random.fixture.ts";

/** Answers the tree to look at. */
export type TreeChange = (files: FixtureFiles, random: Random) => Tree;

export const TREE_CHANGES: Readonly<Record<string, TreeChange>> = {
  "a file is gone": (files, random) => memoryTree(without(files, fileIn(files, random))),
  "a file is a link, a pipe or a folder": (files, random) => {
    const path = fileIn(files, random);
    const [suffix, entry] = random.pick<readonly [string, FixtureEntry]>([["", { link: "/etc/passwd" }], ["", { link: parentOf(path) }], ["", { other: "fifo" }], ["", { other: "device" }], ["/", ""]]);
    return memoryTree({ ...without(files, path), [`${path}${suffix}`]: entry });
  },
  "a file refuses": (files, random) => {
    const path = fileIn(files, random);
    const code = random.pick(["EACCES", "EIO", "EPERM", "ENXIO"]);
    const inner = memoryTree(files);
    // Its times are still to be had, as on a disk.
    return { ...inner, readRange: (asked, offset, length) => (asked === path ? Promise.reject(new TreeError(code, "read", path)) : inner.readRange(asked, offset, length)) };
  },
  "a folder refuses": (files, random) => memoryTree({ ...files, [`${folderIn(files, random)}/`]: { refuses: random.pick(["EACCES", "EIO", "EPERM"]), kind: "directory" } }),
  "a folder is a loop": (files, random) => {
    const folder = folderIn(files, random);
    const loop = joinPath(folder, random.pick(["loop", "scheduled-tasks.json", "jobs.json", ".claude"]));
    const isTaken = Object.keys(files).some((path) => path === loop || path.startsWith(`${loop}/`));
    return memoryTree(isTaken ? files : { ...files, [loop]: { link: folder } });
  },
  "something has an odd name": (files, random) => {
    const path = fileIn(files, random);
    const name = random.pick(ODD_TEXTS.filter((text) => text !== "" && !text.includes("/") && !/^\.*$/.test(text)));
    const [folder, file] = [parentOf(path), baseName(path)];
    const copy = random.pick([joinPath(folder, name), joinPath(joinPath(parentOf(folder), name), file), joinPath(folder, `${name}.json`)]);
    const isTaken = Object.keys(files).some((one) => one === copy || one.startsWith(`${copy}/`));
    return memoryTree(isTaken ? files : { ...files, [copy]: files[path] as FixtureEntry });
  },
  "two files are swapped": (files, random) => {
    const [one, other] = [fileIn(files, random), fileIn(files, random)];
    return memoryTree({ ...files, [one]: files[other] as FixtureEntry, [other]: files[one] as FixtureEntry });
  },
  "a file has an odd time": (files, random) => {
    const path = fileIn(files, random);
    const entry = files[path] as FixtureEntry;
    const content = contentOf(entry);
    const atMs = random.pick([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15, -8.64e15, 4_102_444_800_000]);
    return memoryTree({ ...files, [path]: { content, modifiedAtMs: atMs, bornAtMs: random.pick([atMs, 0]) } });
  },
  "a file vanishes while it is read": (files, random) => restless(files, random, { stat: gone, read: gone }),
  "a file grows while it is read": (files, random) => restless(files, random, { stat: (stat, time) => ({ ...stat, size: stat.size + time * 7 }), read: (bytes) => bytes }),
  "a file shrinks while it is read": (files, random) => restless(files, random, { stat: (stat) => stat, read: (bytes) => bytes.slice(0, Math.max(0, bytes.length - 5)) }),
  "a file changes while it is read": (files, random) => restless(files, random, { stat: (stat, time) => ({ ...stat, modifiedAtMs: stat.modifiedAtMs + time }), read: (bytes) => bytes }),
  "a file becomes something else": (files, random) => {
    const kind = random.pick(["directory", "link", "other"] as const);
    return restless(files, random, { stat: (stat) => ({ ...stat, kind, size: 0 }), read: (_bytes, _time, path) => gone(_bytes, _time, path, "EISDIR") });
  },
  "a call is refused": (files, random) => {
    const at = random.below(60);
    const code = random.pick(["EACCES", "EPERM", "EIO", "EMFILE"]);
    let calls = 0;
    const inner = memoryTree(files);
    const ask = <Answer>(operation: string, path: string, answer: () => Promise<Answer>): Promise<Answer> => {
      calls += 1;
      return calls - 1 === at ? Promise.reject(new TreeError(code, operation, path)) : answer();
    };
    return {
      list: (path) => ask("list", path, () => inner.list(path)),
      stat: (path) => ask("stat", path, () => inner.stat(path)),
      readRange: (path, offset, length) => ask("read", path, () => inner.readRange(path, offset, length)),
    };
  },
};

type Altered<Value> = (value: Value, time: number, path: string) => Value;

/** From a call on, one file is not what it was; sometimes only for a few calls. */
function restless(files: FixtureFiles, random: Random, { stat, read }: { stat: Altered<TreeStat>; read: Altered<Uint8Array> }): Tree {
  const target = fileIn(files, random);
  const from = random.below(4);
  const until = from + random.pick([1, 2, 6, Number.POSITIVE_INFINITY]);
  const inner = memoryTree(files);
  let time = 0;
  const isOn = (path: string): boolean => {
    if (path !== target) return false;
    time += 1;
    return time > from && time <= until;
  };
  return {
    list: (path) => inner.list(path),
    stat: async (path) => {
      const was = await inner.stat(path);
      return isOn(path) ? stat(was, time, path) : was;
    },
    readRange: async (path, offset, length) => {
      const bytes = await inner.readRange(path, offset, length);
      return isOn(path) ? read(bytes, time, path) : bytes;
    },
  };
}

function gone(_value: unknown, _time: number, path: string, code = "ENOENT"): never {
  throw new TreeError(code, "read", path);
}

export function fileIn(files: FixtureFiles, random: Random): string {
  return random.pick(Object.keys(files).filter((path) => !path.endsWith("/")));
}

export function contentOf(entry: FixtureEntry): string | Uint8Array {
  if (typeof entry === "string" || entry instanceof Uint8Array) return entry;
  return "content" in entry ? entry.content : "";
}

function folderIn(files: FixtureFiles, random: Random): string {
  const folder = parentOf(fileIn(files, random));
  return random.below(3) === 0 && parentOf(folder) !== "/home" && parentOf(folder) !== "/" ? parentOf(folder) : folder;
}

function without(files: FixtureFiles, path: string): FixtureFiles {
  const { [path]: _gone, ...rest } = files;
  // Its folder stays.
  return { ...rest, [`${parentOf(path)}/`]: "" };
}
