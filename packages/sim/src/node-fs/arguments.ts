/** What callers hand to `node:fs`, read as it reads it: paths, flags, positions, bytes, options. Throws at the call, as it does. */
import { constants } from "node:fs";
import { fileURLToPath } from "node:url";
import type { OpenFlags } from "@casebook/ports";
import { notModelled, outOfRange, wrongType, wrongValue } from "./errors.ts";

/** As given, for messages, and as the disk takes it. The working directory of the world is its root. */
export interface GivenPath {
  readonly given: string;
  readonly full: string;
}

export function readPath(value: unknown, name = "path"): GivenPath {
  const given = textOfPath(value, name);
  if (given.includes("\0")) throw wrongValue(name, "a path without NUL", given);
  // An empty one names nothing, in every directory.
  return { given, full: given === "" || given.startsWith("/") ? given : `/${given}` };
}

function textOfPath(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  if (value instanceof URL) return fileURLToPath(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  throw wrongType(name, "a string, a Buffer or a file: URL", value);
}

const { O_ACCMODE = 3, O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_SYNC, O_DSYNC, O_DIRECTORY } = constants as typeof constants & { O_ACCMODE?: number };

export interface GivenFlags {
  readonly flags: OpenFlags;
  readonly mustBeDirectory: boolean;
}

const NAMED: Readonly<Record<string, OpenFlags>> = { r: "r", "r+": "r+", w: "w", wx: "wx", xw: "wx", "w+": "w+", "wx+": "wx+", "xw+": "wx+", a: "a", ax: "ax", xa: "ax", "a+": "a+", "ax+": "ax+", "xa+": "ax+" };
const SYNCHRONOUS = new Set(["rs", "sr", "rs+", "sr+", "as", "sa", "as+", "sa+"]);

export function readFlags(value: unknown, otherwise: OpenFlags): GivenFlags {
  if (value === undefined || value === null) return { flags: otherwise, mustBeDirectory: false };
  if (typeof value === "number") return readBits(value);
  if (typeof value !== "string") throw wrongType("flags", "a string or a number", value);
  if (SYNCHRONOUS.has(value)) throw notSynchronous(`open with the flags "${value}"`);
  const flags = Object.hasOwn(NAMED, value) ? NAMED[value] : undefined;
  if (flags === undefined) throw wrongValue("flags", "one of those that node:fs knows", value);
  return { flags, mustBeDirectory: false };
}

function readBits(bits: number): GivenFlags {
  const has = (bit: number): boolean => (bits & bit) !== 0;
  if (has(O_DSYNC) || (bits & O_SYNC) === O_SYNC) throw notSynchronous("open with O_SYNC or O_DSYNC");
  const access = bits & O_ACCMODE;
  const plus = access === O_RDWR ? "+" : "";
  const exclusive = has(O_EXCL) ? "x" : "";
  const mustBeDirectory = has(O_DIRECTORY);
  if (!has(O_CREAT) && !has(O_TRUNC) && !has(O_APPEND) && access !== O_WRONLY) return { flags: access === O_RDONLY ? "r" : "r+", mustBeDirectory };
  if (access !== O_RDONLY && has(O_CREAT) && has(O_APPEND) && !has(O_TRUNC)) return { flags: `a${exclusive}${plus}`, mustBeDirectory };
  // What is created exclusively is empty, truncated or not.
  if (access !== O_RDONLY && has(O_CREAT) && !has(O_APPEND) && (has(O_TRUNC) || has(O_EXCL))) return { flags: `w${exclusive}${plus}`, mustBeDirectory };
  throw notModelled(`open with the flags ${bits}`, "they are none of r, r+, w, w+, a and a+, with or without x, and the disk of the world opens no other way. Use one of those.");
}

function notSynchronous(call: string): Error {
  return notModelled(call, "every write would be durable when it answers, which the disk of the world does not do. Write, then call fsync.");
}

/** Bytes of a write. A string is encoded. */
export function readBytes(value: unknown, encoding: BufferEncoding = "utf8", name = "data"): Buffer {
  if (typeof value === "string") return Buffer.from(value, encoding);
  return viewOf(value, name);
}

/** The same memory. */
export function viewOf(value: unknown, name = "buffer"): Buffer {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw wrongType(name, "a Buffer, a typed array or a DataView", value);
}

export function readViews(value: unknown): Buffer[] {
  if (!Array.isArray(value)) throw wrongType("buffers", "an array of Buffers", value);
  return value.map((part) => viewOf(part, "buffers"));
}

export function readEncoding(value: unknown): BufferEncoding | undefined {
  if (value === undefined || value === null || value === "buffer") return undefined;
  if (typeof value === "string" && Buffer.isEncoding(value)) return value;
  throw wrongValue("encoding", "one that Buffer knows", value);
}

/** `{}` for what was left out; a string is an encoding. */
export function readOptions(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null || typeof value === "function") return {};
  if (typeof value === "string") return { encoding: value };
  if (typeof value === "object") return value as Record<string, unknown>;
  throw wrongType("options", "an object or a string", value);
}

export function refuseSignal(call: string, options: Record<string, unknown>): void {
  if (options["signal"] !== undefined) throw notModelled(`${call} with a signal`, "it could stop half-way at a moment that nothing decides. Leave the signal out.");
}

export function refuseBigint(call: string, options: Record<string, unknown>): void {
  if (options["bigint"] === true) throw notModelled(`${call} with bigint`, "figures are numbers here. Leave the option out.");
}

export function readDescriptor(value: unknown): number {
  if (typeof value !== "number") throw wrongType("fd", "a number", value);
  if (!Number.isInteger(value) || value < 0 || value > 2_147_483_647) throw outOfRange("fd", "a whole number from 0 up", value);
  return value;
}

/** A part of a buffer, with Node's defaults. */
export function readPart(size: number, offset: unknown, length: unknown): { offset: number; length: number } {
  const start = offset ?? 0;
  if (typeof start !== "number") throw wrongType("offset", "a number", offset);
  if (!Number.isInteger(start) || start < 0 || start > size) throw outOfRange("offset", `a whole number from 0 to ${size}`, offset);
  const count = length ?? size - start;
  if (typeof count !== "number") throw wrongType("length", "a number", length);
  if (!Number.isInteger(count) || count < 0 || count > size - start) throw outOfRange("length", `a whole number from 0 to ${size - start}`, length);
  return { offset: start, length: count };
}

/** Where to read; undefined: where the descriptor stands. */
export function readPositionOfRead(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const position = typeof value === "bigint" ? Number(value) : value;
  if (typeof position !== "number") throw wrongType("position", "a number, a bigint or null", value);
  if (!Number.isSafeInteger(position) || position < -1) throw outOfRange("position", "a whole number from -1 up", value);
  return position === -1 ? undefined : position;
}

/** Where to write. Node takes everything that is no position for "where the descriptor stands". */
export function readPositionOfWrite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function readLength(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value !== "number") throw wrongType("len", "a number", value);
  if (!Number.isSafeInteger(value)) throw outOfRange("len", "a whole number", value);
  return Math.max(0, value);
}
