/**
 * What a world is made from, checked where it enters, and the error for what it cannot take.
 * Nothing has a default that comes from the machine.
 */
import type { Volume } from "memfs";

/** An error of the world itself, as opposed to one of the program that plays in it. The code never changes. */
export class WorldError extends Error {
  override readonly name = "WorldError";
  readonly code: string;

  /** `text` says what happened, why that is an error, and what to do now. */
  constructor(code: string, text: string) {
    super(`${code}: ${text}`);
    this.code = code;
  }
}

export interface WorldOptions {
  /** Whole number from 0 to 2^32−1. Everything undetermined is drawn from it. */
  readonly seed: number;
  /** What the clock shows at the start: milliseconds since 1970, or ISO-8601 with `Z` or an offset. */
  readonly epoch: number | string;
  /** What is on the disk at the start: files and directories. It is copied; later changes to it are not seen. */
  readonly volume?: Volume | undefined;
  /** Directories on the volume at which another file system begins: a rename across their border answers EXDEV. */
  readonly mounts?: readonly string[] | undefined;
  /** Port operations after which the run stops with WORLD_TIMED_OUT. Default `MAX_STEPS`. */
  readonly maxSteps?: number | undefined;
  /** Virtual time after which the run stops with WORLD_TIMED_OUT. Default `MAX_VIRTUAL_MS`. */
  readonly maxVirtualMs?: number | undefined;
}

/** A week of minutes with twenty operations each; a loop that never ends gets there in a few seconds. */
export const MAX_STEPS = 250_000;
/** Ten years: the longest honest wait is for the next 29 February, eight years away at worst. */
export const MAX_VIRTUAL_MS = 10 * 366 * 24 * 3_600_000;
const MAX_SEED = 2 ** 32 - 1;
const MAX_INSTANT_MS = Date.UTC(9999, 11, 31);

export function readSeed(seed: unknown): number {
  if (typeof seed === "number" && Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED) return seed;
  const code = seed === undefined ? "WORLD_SEED_REQUIRED" : "WORLD_SEED_INVALID";
  throw new WorldError(
    code,
    `createWorld was given seed ${describe(seed)}; a world draws everything undetermined from its seed and takes none ` +
      `from the system, so that a run can be repeated. Pass a whole number from 0 to ${MAX_SEED}, such as seed: 1.`,
  );
}

export function readEpoch(epoch: unknown): number {
  const epochMs = typeof epoch === "string" ? parseInstant(epoch) : epoch;
  if (isInstant(epochMs)) return epochMs;
  const code = epoch === undefined ? "WORLD_EPOCH_REQUIRED" : "WORLD_EPOCH_INVALID";
  throw new WorldError(
    code,
    `createWorld was given epoch ${describe(epoch)}; a world has its own clock and never reads the machine's. ` +
      'Pass milliseconds since 1970 or an ISO-8601 instant with a zone, such as epoch: "2026-03-01T00:00:00Z".',
  );
}

/** What `setClock` is given. */
export function readClock(toMs: unknown): number {
  if (isInstant(toMs)) return toMs;
  throw new WorldError(
    "WORLD_CLOCK_INVALID",
    `setClock was given ${describe(toMs)}; a clock shows whole milliseconds since 1970. ` +
      "Pass a number such as world.epochMs + 3_600_000.",
  );
}

function isInstant(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_INSTANT_MS;
}

export function readCap(name: "maxSteps" | "maxVirtualMs", value: unknown, standard: number): number {
  if (value === undefined) return standard;
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  throw new WorldError(
    "WORLD_CAP_INVALID",
    `createWorld was given ${name} ${describe(value)}; without a limit an endless loop would hang the world. ` +
      `Pass a whole number above 0, or leave it out for ${standard}.`,
  );
}

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Undefined for anything that is not an instant; JavaScript alone would read 30 February as 2 March. */
function parseInstant(text: string): number | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const instantMs = Date.parse(text);
  return Number.isNaN(instantMs) ? undefined : instantMs;
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
}
