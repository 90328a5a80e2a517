/**
 * A memfs volume as a tree: the disk that a case left behind. Takes the few calls it needs by shape, so that nothing of memfs
 * is loaded here.
 */
import type { Tree, TreeKind, TreeStat } from "../tree.ts";
import { TreeError, treeErrorCode } from "./tree-error.ts";
import { joinPath } from "./tree-path.ts";

interface VolumeStat {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  readonly size: number | bigint;
  readonly mtimeMs: number | bigint;
}

export interface VolumeLike {
  readdirSync(path: string): readonly unknown[];
  lstatSync(path: string): VolumeStat | undefined;
  readFileSync(path: string): unknown;
}

export interface VolumeTreeOptions {
  /**
   * A volume knows when its files were made in this process, which is not when the world made them. `unknown`: said so.
   * `as-modified`: files are taken to be written once.
   */
  readonly births?: "unknown" | "as-modified";
}

export function volumeTree(volume: VolumeLike, options: VolumeTreeOptions = {}): Tree {
  const stat = (path: string): TreeStat => {
    const found = named("stat", path, () => volume.lstatSync(path));
    if (found === undefined) throw new TreeError("ENOENT", "stat", path);
    const kind = kindOf(found);
    const modifiedAtMs = Math.floor(Number(found.mtimeMs));
    const bornAtMs = options.births === "as-modified" ? modifiedAtMs : undefined;
    return { kind, size: kind === "file" ? Number(found.size) : 0, modifiedAtMs, bornAtMs };
  };
  return {
    list: async (path) => {
      if (stat(path).kind !== "directory") throw new TreeError("ENOTDIR", "list", path);
      const names = named("list", path, () => volume.readdirSync(path)).map(String);
      return names.map((name) => ({ name, kind: stat(joinPath(path, name)).kind }));
    },
    stat: async (path) => stat(path),
    readRange: async (path, offset, length) => {
      const { kind } = stat(path);
      if (kind !== "file") throw new TreeError(CODES[kind], "read", path);
      const bytes = named("read", path, () => volume.readFileSync(path));
      if (!(bytes instanceof Uint8Array)) throw new TypeError("volumeTree: readFileSync of the volume answers no bytes");
      return new Uint8Array(bytes.subarray(offset, offset + length));
    },
  };
}

const CODES: Readonly<Record<Exclude<TreeKind, "file">, string>> = { directory: "EISDIR", link: "ELOOP", other: "EINVAL" };

function kindOf(stat: VolumeStat): TreeKind {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "directory";
  return stat.isSymbolicLink() ? "link" : "other";
}

function named<Answer>(operation: string, path: string, work: () => Answer): Answer {
  try {
    return work();
  } catch (failure) {
    const code = treeErrorCode(failure);
    throw code === "" ? failure : new TreeError(code, operation, path);
  }
}
