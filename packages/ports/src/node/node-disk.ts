/**
 * The disk port over `node:fs/promises`. Made for POSIX systems: on Windows `syncDirectory` fails, because a directory
 * cannot be opened there. Links inside the root are followed, so the root is a convenience and no prison.
 */
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import type { Disk } from "../disk.ts";
import { coded, named } from "./node-error.ts";
import { createNodeFile } from "./node-file.ts";
import { kindOf, statOf } from "./node-stat.ts";

/** Port paths are under `root`; messages show the port path, never the machine's. */
export function nodeDisk(root = "/"): Disk {
  const place = (path: string): string => machinePath(root, path);
  return {
    open: (path, flags) =>
      named("open", path, async () => createNodeFile(await fs.open(place(path), flags), path, flags)),
    rename: (from, to) => named("rename", `${from}' -> '${to}`, () => fs.rename(place(from), place(to))),
    unlink: (path) => named("unlink", path, () => fs.unlink(place(path))),
    mkdir: (path) => named("mkdir", path, () => fs.mkdir(place(path)).then(() => undefined)),
    rmdir: (path) =>
      named("rmdir", path, () => {
        if (isRoot(path)) throw coded("EBUSY");
        return fs.rmdir(place(path));
      }),
    readdir: (path) =>
      named("readdir", path, async () => {
        const entries = await fs.readdir(place(path), { withFileTypes: true });
        return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
      }),
    stat: (path) => named("stat", path, async () => statOf(await fs.stat(place(path)))),
    syncDirectory: (path) =>
      named("syncDirectory", path, async () => {
        const handle = await fs.open(place(path), constants.O_RDONLY | constants.O_DIRECTORY);
        try {
          await handle.sync();
        } finally {
          await handle.close();
        }
      }),
  };
}

function isRoot(path: string): boolean {
  return /^\/+$/.test(path);
}

export function machinePath(root: string, path: string): string {
  if (path.includes("\0")) throw coded("ERR_INVALID_ARG_VALUE");
  // Node would take both relative to the working directory, which is not the caller's to depend on.
  if (path === "") throw coded("ENOENT");
  if (!path.startsWith("/")) throw coded("EINVAL");
  if (root === "/") return path;
  // "/." and not "/": the kernel refuses to move or remove a dot, as it does with the real root.
  return root.replace(/\/+$/, "") + (isRoot(path) ? "/." : keepBelow(path));
}

/** Above the root is the root: `..` becomes `.` where it would climb out. Everything else is left to the kernel. */
function keepBelow(path: string): string {
  let depth = 0;
  const names = path.split("/").map((name) => {
    if (name === "" || name === ".") return name;
    if (name !== "..") depth += 1;
    else if (depth === 0) return ".";
    else depth -= 1;
    return name;
  });
  return names.join("/");
}
