import { expect, it } from "vitest";
import { makeDirectory, openInode, removeDirectory, renameEntry, syncDirectoryInode, unlinkEntry } from "./operations.ts";
import { createStream } from "../random.ts";
import type { Gate } from "../gate.ts";
import { createDisk } from "./port.ts";
import { createStore, markDurable, resize, writeData, type FileInode, type Inode, type JournalRecord } from "./store.ts";

/** What a later part will do to go back to the start of a schedule: the journal alone must be enough for it. */
function undo(record: JournalRecord): void {
  if (record.kind === "entry") {
    const { directory, name, previous } = record;
    if (previous === undefined) directory.entries.delete(name);
    else directory.entries.set(name, previous);
    directory.modifiedAtMs = record.modifiedBeforeMs;
    return;
  }
  const { inode, position, replaced, sizeBefore } = record;
  const bytes = new Uint8Array(sizeBefore);
  bytes.set(inode.bytes.subarray(0, Math.min(sizeBefore, inode.size)));
  bytes.set(replaced, Math.min(position, sizeBefore));
  Object.assign(inode, { bytes, size: sizeBefore, modifiedAtMs: record.modifiedBeforeMs });
}

function treeOf(inode: Inode): unknown {
  if (inode.kind === "file") return [inode.modifiedAtMs, ...inode.bytes.subarray(0, inode.size)];
  return [inode.modifiedAtMs, [...inode.entries].sort().map(([name, child]) => [name, inode.id, treeOf(child)])];
}

it("keeps enough in its journal to walk back from any record to any earlier one", () => {
  const store = createStore(0);
  const file = (path: string): FileInode => openInode(store, path, "a", 0) as FileInode;
  const steps: (() => void)[] = [
    () => makeDirectory(store, "/a", 1),
    () => makeDirectory(store, "/b", 2),
    () => writeData(store, file("/a/f"), 0, Uint8Array.of(1, 2, 3), 3),
    () => writeData(store, file("/a/f"), 2, Uint8Array.of(4, 5), 4),
    () => resize(store, file("/a/f"), 1, 5),
    () => resize(store, file("/a/f"), 4, 6),
    () => writeData(store, file("/g"), 5, Uint8Array.of(7), 7),
    () => renameEntry(store, "/g", "/a/f", 8),
    () => renameEntry(store, "/a", "/b", 9),
    () => unlinkEntry(store, "/b/f", 10),
    () => removeDirectory(store, "/b", 11),
    () => void openInode(store, "/h", "wx", 12),
  ];
  const states: [records: number, tree: unknown][] = [];
  for (const step of steps) {
    states.push([store.journal.length, treeOf(store.root)]);
    step();
  }
  for (const [records, tree] of states.reverse()) {
    while (store.journal.length > records) undo(store.journal.pop()!);
    expect(treeOf(store.root)).toEqual(tree);
  }
});

it("writes a rename as two entries of one group, with what was replaced", () => {
  const store = createStore(0);
  const moved = openInode(store, "/from", "w", 0);
  const replaced = openInode(store, "/to", "w", 0);
  renameEntry(store, "/from", "/to", 0);
  expect(store.journal.slice(-2)).toEqual([
    expect.objectContaining({ kind: "entry", name: "from", previous: moved, next: undefined, group: 2 }),
    expect.objectContaining({ kind: "entry", name: "to", previous: replaced, next: moved, group: 2 }),
  ]);
});

it("keeps bytes of its own in the journal, whatever becomes of the array that was written", () => {
  const store = createStore(0);
  const file = openInode(store, "/a", "w", 0) as FileInode;
  const given = Uint8Array.of(1, 2);
  writeData(store, file, 0, given, 0);
  given.fill(9);
  writeData(store, file, 0, Uint8Array.of(3), 0);
  expect(store.journal.slice(1)).toEqual([
    expect.objectContaining({ kind: "data", bytes: Uint8Array.of(1, 2), replaced: new Uint8Array(0) }),
    expect.objectContaining({ kind: "data", bytes: Uint8Array.of(3), replaced: Uint8Array.of(1) }),
  ]);
});

it("notes how much of the journal is durable for one inode, and for no other", () => {
  const store = createStore(0);
  const one = openInode(store, "/one", "w", 0) as FileInode;
  const two = openInode(store, "/two", "w", 0) as FileInode;
  writeData(store, one, 0, Uint8Array.of(1), 0);
  markDurable(store, one);
  writeData(store, one, 1, Uint8Array.of(2), 0);
  expect([one.durableUpTo, two.durableUpTo, store.root.durableUpTo, store.journal.length]).toEqual([3, 0, 0, 4]);
  syncDirectoryInode(store, "/");
  expect([one.durableUpTo, two.durableUpTo, store.root.durableUpTo]).toEqual([3, 0, 4]);
});

it("grows a file in doublings, so that a thousand appends do not copy it a thousand times", () => {
  const store = createStore(0);
  const file = openInode(store, "/log", "a", 0) as FileInode;
  const buffers = new Set<ArrayBufferLike>();
  for (let size = 0; size < 4000; size += 4) {
    writeData(store, file, size, Uint8Array.of(1, 2, 3, 4), 0);
    buffers.add(file.bytes.buffer);
  }
  // 4 bytes doubled ten times are the first size that holds 4000.
  expect(buffers.size).toBe(11);
});

it("notes by the port's own sync that the file is durable, and by syncDirectory that its name is", async () => {
  const store = createStore(0);
  const gate: Gate = { request: async (_operation, _object, work) => work(), call: (_operation, _object, work) => work(), note: () => undefined };
  const disk = createDisk({ store, gate, listings: createStream(1, "listings"), nowMs: () => 0 });
  const file = await disk.open("/f", "w");
  await file.write(Uint8Array.of(1));
  const inode = store.root.entries.get("f") as FileInode;
  expect([inode.durableUpTo, store.root.durableUpTo]).toEqual([0, 0]);
  await file.sync();
  expect([inode.durableUpTo, store.root.durableUpTo]).toEqual([store.journal.length, 0]);
  await disk.syncDirectory("/");
  expect(store.root.durableUpTo).toBe(store.journal.length);
});
