/**
 * Traps at the doors of `ambient.ts` for as long as code under test plays. A call through one is noted with the line that made it
 * and throws, so that nothing real happens and nothing is guessed. Leaves out what was taken by another name before, such as
 * `const { now } = Date` at the top of a file: that shows when an execution is played twice.
 */
import { syncBuiltinESMExports } from "node:module";
import { WorldError } from "../world-options.ts";
import { DATE, type Door, doors } from "./ambient.ts";

export interface Leak {
  /** `Date.now`, `fs.promises.readFile`. */
  readonly call: string;
  /** Function and line that called, with the last two parts of the path: `readRow (store/rows.ts:12:5)`. */
  readonly at: string;
  readonly instead: string;
}

export interface Traps {
  readonly leaks: readonly Leak[];
  /** Puts everything back; a second call does nothing. */
  restore(): void;
}

/** Code that may use a door, and why. The nearest line that called decides. */
interface Allowed {
  readonly where: RegExp;
  readonly calls: RegExp;
  readonly because: string;
}

export const ALLOWED: readonly Allowed[] = [
  { where: /\/node_modules\/croner\//, calls: /Date/, because: "reads the clock once a call, also when it is told from which moment to count; the answer does not depend on it" },
  { where: /\/node_modules\/@sinonjs\/fake-timers\//, calls: /Date|performance|hrtime/, because: "looks at what there is before it stands in for it" },
  { where: /\/node_modules\/memfs\//, calls: /Date/, because: "stamps its inodes; the times of the world come from the virtual clock" },
  { where: /\/node-fs\/library\.[jt]s/, calls: /^fs\./, because: "reads the text of a library when it is asked for, which is the same every time" },
  { where: /\/node_modules\/(?:@vitest|vitest|vite|vite-node|tinypool|birpc)\//, calls: /./, because: "the test runner works on while a test does" },
  { where: /^node:internal\/(?:modules|source_map|process\/esm)/, calls: /./, because: "a module is loaded, or a stack is mapped to its source" },
];

/** What a call through a door does now; undefined while no trap is in place. */
let check: ((call: string, instead: string) => void) | undefined;
/** Made once, because making them costs more than putting them in place. */
let stands: Stand[] | undefined;

type Callable = (...given: unknown[]) => unknown;

/** Stands in for what is behind one door. */
interface Stand extends Door {
  original: unknown;
  trap: unknown;
}

/** Throws TRAPS_IN_USE where they are in place already. `onLeak` is told before the call throws. */
export function trapAmbient(onLeak: (leak: Leak) => void = () => undefined): Traps {
  if (check !== undefined) throw new WorldError("TRAPS_IN_USE", "the traps are in place already, and can watch one run at a time. Await the other run, or restore its traps.");
  const leaks: Leak[] = [];
  let isLooking = false;
  check = (call, instead) => {
    // Finding out who called may use a door itself, where somebody maps stacks to sources.
    if (isLooking) return;
    isLooking = true;
    let caller: Caller;
    try {
      caller = findCaller(check);
    } finally {
      isLooking = false;
    }
    if (ALLOWED.some(({ where, calls }) => where.test(caller.file) && calls.test(call))) return;
    const leak = { call, at: caller.text, instead };
    leaks.push(leak);
    onLeak(leak);
    throw new WorldError("AMBIENT_CALL", leakText(leak));
  };
  stands ??= [...doors(), { name: DATE.name, owner: globalThis, key: "Date", instead: DATE.instead }].map((door) => ({ ...door, original: undefined, trap: undefined }));
  const undo = stands.map(putInPlace);
  syncBuiltinESMExports();

  return {
    leaks,
    restore() {
      if (undo.length === 0) return;
      for (const putBack of undo.splice(0).reverse()) putBack();
      syncBuiltinESMExports();
      check = undefined;
    },
  };
}

function putInPlace(stand: Stand): () => void {
  const { owner, key, name, instead } = stand;
  const before = Object.getOwnPropertyDescriptor(owner, key);
  const original = (owner as Record<string, unknown>)[key];
  // Another one when somebody put something else there meanwhile, such as a fake timer.
  if (stand.original !== original) {
    stand.original = original;
    stand.trap = key === "Date" ? trapDate(original as DateConstructor, instead) : trapFunction(original as Callable, name, instead);
  }
  Object.defineProperty(owner, key, { configurable: true, enumerable: before?.enumerable ?? true, writable: true, value: stand.trap });
  return () => {
    // What was inherited is inherited again.
    if (before === undefined) delete (owner as Record<string, unknown>)[key];
    else Object.defineProperty(owner, key, before);
  };
}

function trapFunction(original: Callable, name: string, instead: string): unknown {
  return new Proxy(original, {
    apply(target, self, given: unknown[]) {
      check?.(name, instead);
      return Reflect.apply(target, self, given);
    },
    construct(target, given: unknown[], newTarget) {
      check?.(`new ${name}`, instead);
      return Reflect.construct(target, given, newTarget) as object;
    },
  });
}

/** A date of given numbers asks no clock. */
function trapDate(original: DateConstructor, instead: string): unknown {
  return new Proxy(original, {
    apply(target) {
      check?.("Date()", instead);
      return target();
    },
    construct(target, given: [], newTarget) {
      if (given.length === 0) check?.("new Date()", instead);
      return Reflect.construct(target, given, newTarget) as Date;
    },
  });
}

/** `Date.now was called by readRow (store/rows.ts:12:5). Take `clock` from the ports …` */
export function leakText({ call, at, instead }: Leak): string {
  return `${call} was called by ${at}. ${instead}`;
}

interface Caller {
  readonly file: string;
  readonly text: string;
}

const FRAMES = 30;

/** The nearest line that is not an engine's, such as the one that handed `Math.random` to `map`. `above` is left out, with its caller. */
function findCaller(above: unknown): Caller {
  const limit = Error.stackTraceLimit;
  // Searches switch stacks off for speed.
  Error.stackTraceLimit = FRAMES;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, above as () => void);
  const lines = (holder.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)).slice(1);
  Error.stackTraceLimit = limit;
  for (const line of lines) {
    const [, name = "", named = "", bare = ""] = /^\s+at (?:async )?(?:(.+) \((.+:\d+:\d+)\)|(.+:\d+:\d+))$/.exec(line) ?? [];
    const place = named || bare;
    const file = place.replace(/^file:\/\//, "").replaceAll("\\", "/");
    if (place === "") continue;
    if (file.startsWith("node:") && !ALLOWED.some(({ where }) => where.test(file))) continue;
    return { file, text: `${name === "" || name === "<anonymous>" ? "code without a name" : name.replace(/^Object\./, "")} (${file.split("/").slice(-2).join("/")})` };
  }
  return { file: "", text: "code that cannot be found in the stack" };
}
