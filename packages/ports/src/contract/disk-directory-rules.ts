/** Rules about names, directories and renames. */
import type { DiskRule } from "./disk.ts";
import type { DiskStep } from "./disk-script.ts";

type PathStep = "unlink" | "mkdir" | "rmdir" | "readdir" | "stat" | "syncDirectory";
const on = (what: PathStep, path: string): DiskStep => ({ do: what, path });
const rename = (from: string, to: string): DiskStep => ({ do: "rename", from, to });
const create = (path: string): DiskStep => ({ do: "open", slot: 0, path, flags: "w" });

export const directoryRules: readonly DiskRule[] = [
  {
    name: "makes one level, and says EEXIST for a file or a directory that is there",
    steps: [
      [on("mkdir", "/a/b"), "ENOENT: mkdir '/a/b'"],
      [on("mkdir", "/a"), "ok"],
      [on("mkdir", "/a"), "EEXIST: mkdir '/a'"],
      [on("mkdir", "/a/b/"), "ok"],
      [create("/c"), "ok"],
      [on("mkdir", "/c"), "EEXIST: mkdir '/c'"],
      [on("readdir", "/"), '["directory a","file c"]'],
    ],
  },
  {
    name: "removes empty directories with rmdir and files with unlink, and nothing else",
    steps: [
      [on("mkdir", "/a"), "ok"],
      [create("/a/b"), "ok"],
      [on("rmdir", "/a"), "ENOTEMPTY: rmdir '/a'"],
      [on("unlink", "/a"), "EISDIR: unlink '/a'"],
      [on("rmdir", "/a/b"), "ENOTDIR: rmdir '/a/b'"],
      [on("unlink", "/a/b"), "ok"],
      [on("unlink", "/a/b"), "ENOENT: unlink '/a/b'"],
      [on("rmdir", "/a"), "ok"],
      [on("rmdir", "/a"), "ENOENT: rmdir '/a'"],
      [on("rmdir", "/"), "EBUSY: rmdir '/'"],
    ],
  },
  {
    name: "keeps the root where it is",
    steps: [
      [on("mkdir", "/a"), "ok"],
      [rename("/", "/b"), "EBUSY: rename '/' -> '/b'"],
      [rename("/a", "/"), "EBUSY: rename '/a' -> '/'"],
      [on("unlink", "/"), "EISDIR: unlink '/'"],
      [on("mkdir", "//"), "EEXIST: mkdir '//'"],
      [create("/"), "EISDIR: open '/'"],
      [on("readdir", "/"), '["directory a"]'],
    ],
  },
  {
    name: "lets no path lead through a file",
    steps: [
      [create("/a"), "ok"],
      [on("stat", "/a/b"), "ENOTDIR: stat '/a/b'"],
      [create("/a/b"), "ENOTDIR: open '/a/b'"],
      [on("stat", "/a/"), "ENOTDIR: stat '/a/'"],
      [on("stat", "/a/.."), "ENOTDIR: stat '/a/..'"],
      [on("readdir", "/a"), "ENOTDIR: readdir '/a'"],
      [on("syncDirectory", "/a"), "ENOTDIR: syncDirectory '/a'"],
      [rename("/a", "/a/b"), "ENOTDIR: rename '/a' -> '/a/b'"],
    ],
  },
  {
    name: "walks `.` and `..` and does not cancel them against names that are not there",
    steps: [
      [on("mkdir", "/a"), "ok"],
      [on("stat", "/a/../a/."), "directory 0"],
      [on("stat", "/missing/../a"), "ENOENT: stat '/missing/../a'"],
      [on("stat", "/../../a"), "directory 0"],
      [on("rmdir", "/a/."), "EINVAL: rmdir '/a/.'"],
      [on("rmdir", "/a/.."), "ENOTEMPTY: rmdir '/a/..'"],
      [rename("/a/.", "/b"), "EBUSY: rename '/a/.' -> '/b'"],
    ],
  },
  {
    name: "takes a trailing slash as the wish for a directory",
    steps: [
      [create("/a/"), "EISDIR: open '/a/'"],
      [on("mkdir", "/a/"), "ok"],
      [on("stat", "/a//"), "directory 0"],
      [create("/f"), "ok"],
      [on("unlink", "/f/"), "ENOTDIR: unlink '/f/'"],
      [rename("/f", "/g/"), "ENOTDIR: rename '/f' -> '/g/'"],
      [rename("/a/", "/b/"), "ok"],
      [on("readdir", "/"), '["directory b","file f"]'],
    ],
  },
  {
    name: "replaces a file by a file and an empty directory by a directory",
    steps: [
      [create("/a"), "ok"],
      [{ do: "write", slot: 0, bytes: [1], position: undefined }, "1"],
      [create("/b"), "ok"],
      [rename("/a", "/b"), "ok"],
      [on("stat", "/b"), "file 1"],
      [on("stat", "/a"), "ENOENT: stat '/a'"],
      [on("mkdir", "/c"), "ok"],
      [on("mkdir", "/d"), "ok"],
      [create("/c/e"), "ok"],
      [rename("/c", "/d"), "ok"],
      [on("readdir", "/d"), '["file e"]'],
      [rename("/d", "/d"), "ok"],
    ],
  },
  {
    name: "refuses renames that would lose something",
    steps: [
      [on("mkdir", "/a"), "ok"],
      [on("mkdir", "/a/b"), "ok"],
      [on("mkdir", "/c"), "ok"],
      [create("/f"), "ok"],
      [rename("/c", "/a"), "ENOTEMPTY: rename '/c' -> '/a'"],
      [rename("/f", "/c"), "EISDIR: rename '/f' -> '/c'"],
      [rename("/c", "/f"), "ENOTDIR: rename '/c' -> '/f'"],
      [rename("/a", "/a/b/x"), "EINVAL: rename '/a' -> '/a/b/x'"],
      [rename("/a/b", "/a"), "ENOTEMPTY: rename '/a/b' -> '/a'"],
      [rename("/missing", "/f"), "ENOENT: rename '/missing' -> '/f'"],
      [rename("/f", "/missing/f"), "ENOENT: rename '/f' -> '/missing/f'"],
      [on("readdir", "/"), '["directory a","directory c","file f"]'],
    ],
  },
  {
    name: "takes names of 255 bytes of UTF-8 and not of 256",
    steps: [
      [on("mkdir", `/${"é".repeat(127)}x`), "ok"],
      [on("mkdir", `/${"é".repeat(128)}`), `ENAMETOOLONG: mkdir '/${"é".repeat(128)}'`],
      [create(`/${"x".repeat(255)}`), "ok"],
      [create(`/${"x".repeat(256)}`), `ENAMETOOLONG: open '/${"x".repeat(256)}'`],
    ],
  },
  {
    name: "refuses a path that is empty, relative, or holds a NUL",
    steps: [
      [on("stat", ""), "ENOENT: stat ''"],
      [on("mkdir", "a"), "EINVAL: mkdir 'a'"],
      [on("mkdir", "/a\0b"), "ERR_INVALID_ARG_VALUE: mkdir '/a\0b'"],
      [rename("/a\0b", "/a"), "ERR_INVALID_ARG_VALUE: rename '/a\0b' -> '/a'"],
    ],
  },
  {
    name: "stores a name as UTF-8, in which half a surrogate pair is U+FFFD",
    steps: [
      [on("mkdir", "/\ud800"), "ok"],
      [on("stat", "/\ufffd"), "directory 0"],
      [on("mkdir", "/\udfff"), "EEXIST: mkdir '/\udfff'"],
      [on("readdir", "/"), '["directory \ufffd"]'],
    ],
  },
  {
    name: "has ordinary names where a program might not expect them",
    steps: [
      [on("mkdir", "/__proto__"), "ok"],
      [create("/__proto__/constructor"), "ok"],
      [create("/new\nline"), "ok"],
      [on("readdir", "/__proto__"), '["file constructor"]'],
      [on("syncDirectory", "/__proto__"), "ok"],
    ],
  },
];
