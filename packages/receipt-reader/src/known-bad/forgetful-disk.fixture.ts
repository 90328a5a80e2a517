/**
 * A disk that knows what a power loss would take: everything that was not synced, names apart from content. One legal image of many, and the
 * poorest: nothing that was not promised is there.
 */
import type { Disk, DiskFile } from "@casebook/ports";

interface Node {
  readonly kind: "file" | "directory";
  /** As of the last sync. */
  durable: Uint8Array;
}

export interface ForgetfulDisk {
  readonly disk: Disk;
  /** Everything that is there now would survive. */
  settle(): Promise<void>;
  /** The power is lost: puts the disk back to what was promised. */
  forget(): Promise<void>;
}

export function createForgetfulDisk(disk: Disk): ForgetfulDisk {
  const names = new Map<string, Node>();
  let durableNames = new Map<string, Node>();

  const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

  async function contentOf(path: string): Promise<Uint8Array> {
    const file = await disk.open(path, "r");
    const { size } = await file.stat();
    const bytes = size === 0 ? new Uint8Array(0) : await file.read(size, 0);
    await file.close();
    return bytes;
  }

  async function sync(node: Node): Promise<void> {
    for (const [path, other] of names) if (other === node) node.durable = await contentOf(path);
  }

  function watched(file: DiskFile, node: Node): DiskFile {
    return { ...file, sync: async () => (await file.sync(), sync(node)) };
  }

  const watching: Disk = {
    ...disk,
    open: async (path, flags) => {
      const file = await disk.open(path, flags);
      const node = names.get(path) ?? { kind: "file" as const, durable: new Uint8Array(0) };
      names.set(path, node);
      return watched(file, node);
    },
    rename: async (from, to) => {
      await disk.rename(from, to);
      names.set(to, names.get(from) as Node);
      names.delete(from);
    },
    unlink: async (path) => {
      await disk.unlink(path);
      names.delete(path);
    },
    mkdir: async (path) => {
      await disk.mkdir(path);
      names.set(path, { kind: "directory", durable: new Uint8Array(0) });
    },
    syncDirectory: async (path) => {
      await disk.syncDirectory(path);
      const elsewhere = (all: Map<string, Node>, isIn: boolean) => [...all].filter(([name]) => (parentOf(name) === path) === isIn);
      durableNames = new Map([...elsewhere(durableNames, false), ...elsewhere(names, true)]);
    },
  };

  return {
    disk: watching,
    async settle() {
      for (const node of names.values()) if (node.kind === "file") await sync(node);
      durableNames = new Map(names);
    },
    async forget() {
      // The deepest first, so that directories are empty when they go.
      for (const [path, { kind }] of [...names].toSorted(([one], [two]) => two.length - one.length)) await (kind === "file" ? disk.unlink(path) : disk.rmdir(path));
      names.clear();
      for (const [path, node] of [...durableNames].toSorted(([one], [two]) => one.length - two.length)) {
        // What is in a directory that is not there is not there either.
        if (parentOf(path) !== "/" && !names.has(parentOf(path))) continue;
        names.set(path, node);
        if (node.kind === "directory") await disk.mkdir(path);
        else {
          const file = await disk.open(path, "w");
          await file.write(node.durable);
          await file.close();
        }
      }
    },
  };
}
