/**
 * Moves a task between folders, under a lease: intent on record, one rename, and the record that it was done. A crash in between
 * leaves one file in one place and an open intent, which the next holder finishes. Nothing is written over: who puts a file there
 * without a lease between the look and the rename is not kept out, because the disk port has no rename that refuses.
 */
import { commitFile } from "@casebook/file-commit";
import { errorCode } from "@casebook/ports";
import type { DispatcherConfig, DispatcherPorts } from "./config.ts";
import { readWhole, renamePatiently } from "./files.ts";
import { type Folder, isAllowedMove, LIFECYCLE, MAX_OBJECT_BYTES, type Source, taskOf } from "./judge/index.ts";
import type { Held, Ledger } from "./ledger.ts";

export type Moved = { readonly outcome: "moved" } | { readonly outcome: "lease-lost" } | { readonly outcome: "failed"; readonly because: string };

/** An open move that got as far as its rename is made durable and put on record, by whoever holds the lease now. */
export async function finishMove(ports: DispatcherPorts, config: DispatcherConfig, ledger: Ledger, held: Held, folder: Folder): Promise<"whole" | "lease-lost"> {
  const { moving } = taskOf(await ledger.load(), held.task);
  if (moving?.to !== folder) return "whole";
  const { from, to } = moving;
  await syncFolders(ports, config, to, from);
  const noted = await ledger.appendUnder(held, () => ({ kind: "moved", task: held.task, from, to }));
  return "refused" in noted ? "lease-lost" : "whole";
}

async function syncFolders({ disk }: DispatcherPorts, { root, policies }: DispatcherConfig, ...folders: readonly string[]): Promise<void> {
  if (policies.directorySync !== "before-acknowledging") return;
  for (const folder of folders) await disk.syncDirectory(`${root}/${LIFECYCLE}/${folder}`);
}

export async function moveTask(ports: DispatcherPorts, config: DispatcherConfig, ledger: Ledger, held: Held, { path, folder, object }: Pick<Source, "path" | "folder" | "object">, to: Folder): Promise<Moved> {
  const { disk, faults } = ports;
  const from = folder;
  const task = object.id;
  if (config.policies.moves === "allowed-only" && !isAllowedMove(from, to)) return fail(`${from}>${to} is no allowed move`);
  const begun = await ledger.appendUnder(held, () => ({ kind: "moving", task, from, to }));
  if ("refused" in begun) return { outcome: "lease-lost" };
  await faults.reach("dispatcher.after-moving");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const [source, target] = [`${config.root}/${path}`, `${config.root}/${LIFECYCLE}/${to}/${name}`];
  try {
    if (config.policies.move === "copy-then-unlink") await copyThenUnlink(source, target);
    else {
      if (await isThere(target)) return await fail(`${to}/${name} is there already`);
      await renamePatiently(ports, config, "dispatcher.move", source, target);
      await faults.reach("dispatcher.mid-move");
      await syncFolders(ports, config, to, from);
    }
  } catch (failure) {
    const because = `${errorCode(failure) || String(failure)} at ${from}>${to}`;
    // Renamed, and perhaps not durable: the move stays open, and the next holder finishes it.
    if ((await isThere(target)) && !(await isThere(source))) {
      ports.log.write("error", "dispatcher.move-open", { task, because });
      return { outcome: "failed", because };
    }
    return fail(because);
  }
  await faults.reach("dispatcher.after-move");
  const done = await ledger.appendUnder(held, () => ({ kind: "moved", task, from, to }));
  return "refused" in done ? { outcome: "lease-lost" } : { outcome: "moved" };

  async function fail(because: string): Promise<Moved> {
    ports.log.write("error", "dispatcher.move-failed", { task, because });
    const noted = await ledger.appendUnder(held, () => ({ kind: "move-failed", task, from, to, because }));
    return "refused" in noted ? { outcome: "lease-lost" } : { outcome: "failed", because };
  }

  async function copyThenUnlink(one: string, other: string): Promise<void> {
    const read = await readWhole(disk, one, MAX_OBJECT_BYTES);
    await commitFile(ports, other, read?.bytes ?? new Uint8Array());
    await faults.reach("dispatcher.mid-move");
    await disk.unlink(one);
  }

  async function isThere(target: string): Promise<boolean> {
    return disk.stat(target).then(
      () => true,
      () => false,
    );
  }
}
