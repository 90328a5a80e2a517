/**
 * The watch port of a world of one process: an event arrives with the change. Events that are late, lost or come twice need the
 * kernel (`@casebook/sim/kernel`).
 */
import type { Watch } from "@casebook/ports";
import { createWatcher, type EventQueue } from "@casebook/ports/watch";
import { changesSeen } from "./disk/changes.ts";
import { findDirectory } from "./disk/operations.ts";
import type { DirectoryInode, JournalRecord, Store } from "./disk/store.ts";
import { named } from "./disk/walk.ts";
import type { Gate } from "./gate.ts";

/** Who watches what; of one world. */
export type Watchers = Map<EventQueue, { readonly directory: DirectoryInode; wake(): void }>;

export function tellAll(watchers: Watchers, records: readonly JournalRecord[]): void {
  for (const [queue, { directory, wake }] of watchers) {
    for (const name of changesSeen(directory, records)) queue.push({ kind: "changed", name });
    wake();
  }
}

export function createWatch(store: Store, gate: Gate, watchers: Watchers): Watch {
  return {
    open: (path) =>
      gate.request("watch.open", path, () =>
        named("watch", path, () => {
          const { watcher, queue, wake } = createWatcher(() => void watchers.delete(queue));
          watchers.set(queue, { directory: findDirectory(store, path), wake });
          return {
            // The call is an operation, and the answer is noted when it comes.
            next: () =>
              gate
                .request("watch.next", path, () => ({ answer: watcher.next() }))
                .then(({ answer }) => answer)
                .then((event) => {
                  gate.note("watch.event", path, "ok", event === undefined ? "closed" : event.kind === "changed" ? (event.name ?? "") : event.kind);
                  return event;
                }),
            close: () => gate.request("watch.close", path, () => void watcher.close()),
          };
        }),
      ),
  };
}
