/**
 * One watcher over the folders into which others write: new tasks come into the inbox, reports and reviews into review. An event is
 * told to `heard` with its path and then means what any other does: look again. What happens elsewhere, an edit of an active task or
 * a move to the archive, is found by the period.
 */
import type { Watch, Watcher, WatchEvent } from "@casebook/ports";
import { createWatcher } from "@casebook/ports/watch";
import { type Folder, LIFECYCLE } from "./judge/index.ts";

export const WATCHED: readonly Folder[] = ["inbox", "review"];

/** Opens all folders, or rejects as the first that cannot be. `open` is given the root. `path` is below it. */
export function watchFolders(watch: Watch, heard: (path: string) => void): Watch {
  return {
    async open(root) {
      const opened: Watcher[] = [];
      try {
        for (const folder of WATCHED) opened.push(await watch.open(`${root}/${LIFECYCLE}/${folder}`));
      } catch (failure) {
        for (const one of opened) await one.close();
        throw failure;
      }
      return joined(opened, heard);
    },
  };
}

/** Breaks as a whole when one of them does: an open one would hide that the other is gone. */
function joined(watchers: readonly Watcher[], heard: (path: string) => void): Watcher {
  const close = async (): Promise<void> => {
    for (const one of watchers) await one.close();
  };
  const { watcher, queue, wake } = createWatcher(() => undefined);
  watchers.forEach((one, index) => void pump(one, `${LIFECYCLE}/${WATCHED[index]}`));
  return {
    next: () => watcher.next(),
    async close() {
      await watcher.close();
      await close();
    },
  };

  async function pump(one: Watcher, folder: string): Promise<void> {
    try {
      for (let event = await one.next(); event !== undefined; event = await one.next()) {
        const path = pathOf(event, folder);
        heard(path);
        queue.push(event.kind === "overflow" ? event : { kind: "changed", name: path });
        wake();
      }
    } catch (failure) {
      queue.fail(failure as Error);
      wake();
      await close();
    }
  }
}

function pathOf(event: WatchEvent, folder: string): string {
  return event.kind === "overflow" || event.name === undefined ? folder : `${folder}/${event.name}`;
}
