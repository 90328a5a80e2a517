/**
 * The watch port over `fs.watch`, which is what each system has: inotify, FSEvents, ReadDirectoryChangesW. Keeps the process alive
 * while it is open. Its promises are those of the port and no more; what a network file system tells is not known.
 */
import { watch as watchPath } from "node:fs";
import { stat } from "node:fs/promises";
import { DiskError, errorCode } from "../index.ts";
import { createWatcher } from "../watch/create-watcher.ts";
import type { Watch, Watcher } from "../watch.ts";
import { coded, named } from "./node-error.ts";
import { machinePath } from "./node-disk.ts";

/** Port paths are under `root`; messages show the port path, never the machine's. */
export function nodeWatch(root = "/"): Watch {
  return {
    open: (directory) =>
      named("watch", directory, async () => {
        const path = machinePath(root, directory);
        // Some systems watch a file as well, and tell other things about it.
        if (!(await stat(path)).isDirectory()) throw coded("ENOTDIR");
        return start(path, directory);
      }),
  };
}

function start(path: string, directory: string): Watcher {
  const { watcher, queue, wake } = createWatcher(() => system.close());
  const system = watchPath(path);
  system.on("change", (_event, name) => {
    queue.push({ kind: "changed", name: name === null ? undefined : String(name) });
    wake();
  });
  system.on("error", (failure) => {
    system.close();
    queue.fail(new DiskError(errorCode(failure) || "EIO", "watch", directory));
    wake();
  });
  return watcher;
}
