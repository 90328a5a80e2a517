/** Rules about open files. */
import type { OpenFlags } from "../disk.ts";
import type { DiskRule } from "./disk.ts";
import type { DiskStep } from "./disk-script.ts";

const open = (path: string, flags: OpenFlags, slot = 0): DiskStep => ({ do: "open", slot, path, flags });
const write = (bytes: number[], position?: number, slot = 0): DiskStep => ({ do: "write", slot, bytes, position });
const read = (length: number, position: number, slot = 0): DiskStep => ({ do: "read", slot, length, position });
const onSlot = (what: "sync" | "fstat" | "close", slot = 0): DiskStep => ({ do: what, slot });

export const fileRules: readonly DiskRule[] = [
  {
    name: "creates exclusively: the second of two finds EEXIST and the first one's bytes stay",
    steps: [
      [open("/a", "wx"), "ok"],
      [write([1, 2]), "2"],
      [open("/a", "wx", 1), "EEXIST: open '/a'"],
      [open("/a", "ax+", 1), "EEXIST: open '/a'"],
      [open("/a", "r", 1), "ok"],
      [read(9, 0, 1), "[1 2]"],
    ],
  },
  {
    name: "opens r and r+ only what exists, and empties in the w modes",
    steps: [
      [open("/a", "r"), "ENOENT: open '/a'"],
      [open("/a", "r+"), "ENOENT: open '/a'"],
      [open("/a", "w"), "ok"],
      [write([1, 2, 3]), "3"],
      [open("/a", "r+"), "ok"],
      [onSlot("fstat"), "file 3"],
      [open("/a", "w+"), "ok"],
      [onSlot("fstat"), "file 0"],
    ],
  },
  {
    name: "writes at a position, or where the handle's last write ended, and fills a gap with NULs",
    steps: [
      [open("/a", "w+"), "ok"],
      [write([1]), "1"],
      [write([2]), "1"],
      [write([5], 4), "1"],
      [write([6]), "1"],
      [write([9], 0), "1"],
      [read(9, 0), "[9 2 0 0 5 6]"],
      [read(2, 5), "[6]"],
      [read(2, 6), "[]"],
    ],
  },
  {
    name: "appends at the end whatever the position, also after another handle has written",
    steps: [
      [open("/a", "a+"), "ok"],
      [write([1, 2]), "2"],
      [open("/a", "r+", 1), "ok"],
      [write([3], 2, 1), "1"],
      [write([4], 0), "1"],
      [read(9, 0), "[1 2 3 4]"],
    ],
  },
  {
    name: "cuts and extends with NULs, and what was cut does not come back",
    steps: [
      [open("/a", "w+"), "ok"],
      [write([1, 2, 3, 4]), "4"],
      [{ do: "truncate", slot: 0, size: 1 }, "ok"],
      [{ do: "truncate", slot: 0, size: 3 }, "ok"],
      [read(9, 0), "[1 0 0]"],
      [write([7], 4), "1"],
      [read(9, 0), "[1 0 0 0 7]"],
    ],
  },
  {
    name: "refuses what the handle was not opened for",
    steps: [
      [open("/a", "w"), "ok"],
      [read(1, 0), "EBADF: read '/a'"],
      [read(0, 0), "EBADF: read '/a'"],
      [open("/a", "r"), "ok"],
      [write([1]), "EBADF: write '/a'"],
      [write([]), "EBADF: write '/a'"],
      [{ do: "truncate", slot: 0, size: 0 }, "EINVAL: truncate '/a'"],
      [onSlot("sync"), "ok"],
    ],
  },
  {
    name: "refuses everything on a closed handle, a second close included",
    steps: [
      [open("/a", "w+"), "ok"],
      [onSlot("close"), "ok"],
      [onSlot("close"), "EBADF: close '/a'"],
      [read(0, 0), "EBADF: read '/a'"],
      [write([]), "EBADF: write '/a'"],
      [onSlot("fstat"), "EBADF: fstat '/a'"],
      [onSlot("sync"), "EBADF: sync '/a'"],
      [{ do: "truncate", slot: 0, size: 0 }, "EBADF: truncate '/a'"],
    ],
  },
  {
    name: "refuses positions and lengths that are no whole number from 0 up",
    steps: [
      [open("/a", "w+"), "ok"],
      [read(-1, 0), "ERR_OUT_OF_RANGE: read '/a'"],
      [read(1, 0.5), "ERR_OUT_OF_RANGE: read '/a'"],
      [write([1], -1), "ERR_OUT_OF_RANGE: write '/a'"],
      [{ do: "truncate", slot: 0, size: -1 }, "ERR_OUT_OF_RANGE: truncate '/a'"],
    ],
  },
  {
    name: "keeps an open file readable and writable after its name is gone or taken by another",
    steps: [
      [open("/a", "w+"), "ok"],
      [write([1]), "1"],
      [open("/b", "w+", 1), "ok"],
      [write([2, 2], 0, 1), "2"],
      [{ do: "rename", from: "/b", to: "/a" }, "ok"],
      [read(9, 0), "[1]"],
      [{ do: "unlink", path: "/a" }, "ok"],
      [write([3], 2, 1), "1"],
      [read(9, 0, 1), "[2 2 3]"],
      [onSlot("fstat", 1), "file 3"],
      [{ do: "readdir", path: "/" }, "[]"],
    ],
  },
  {
    name: "opens a directory for reading only, and reads no bytes from it",
    steps: [
      [{ do: "mkdir", path: "/a" }, "ok"],
      [open("/a", "r"), "ok"],
      [onSlot("fstat"), "directory 0"],
      [read(1, 0), "EISDIR: read '/a'"],
      [onSlot("sync"), "ok"],
      [open("/a", "r+"), "EISDIR: open '/a'"],
      [open("/a", "w"), "EISDIR: open '/a'"],
      [open("/a", "wx"), "EEXIST: open '/a'"],
    ],
  },
];
