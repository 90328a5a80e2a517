/** What Node says about a file, in the port's words. */
import type { Dirent, Stats } from "node:fs";
import type { FileStat } from "../disk.ts";

export function statOf(stats: Stats): FileStat {
  const kind = kindOf(stats);
  return { kind, size: kind === "directory" ? 0 : stats.size, modifiedAtMs: Math.floor(stats.mtimeMs) };
}

export function kindOf(entry: Stats | Dirent): FileStat["kind"] {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "directory" : "other";
}
