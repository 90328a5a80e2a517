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
  { where: /\/node_modules\/(?:@vitest|vitest|vite|vite-node|tinypool|birpc)\//, calls: /./, because: "the test runner works on while a test does" },
  { where: /^node:internal\/(?:modules|source_map|process\/esm)/, calls: /./, because: "a module is loaded, or a stack is mapped to its source" },
];

let isInPlace = false;
/** Known once; looking them up costs more than putting them in place. */
let known: readonly Door[] | undefined;

/** Throws TRAPS_IN_USE where they are in place already. `onLeak` is told before the call throws. */
export function trapAmbient(onLeak: (leak: Leak) => void = () => undefined): Traps {
  if (isInPlace) throw new WorldError("TRAPS_IN_USE", "the traps are in place already, and can watch one run at a time. Await the other run, or restore its traps.");
  isInPlace = true;
  const leaks: Leak[] = [];
  let isLooking = false;

  function check(call: string, instead: string): void {
    // Finding out who called may use a door itself, where somebody maps stacks to sources.
    if (isLooking) return;
    isLooking = true;
    let caller: Caller;
    try {
      caller = findCaller();
    } finally {
      isLooking = false;
    }
    if (ALLOWED.some(({ where, calls }) => where.test(caller.file) && calls.test(call))) return;
    const leak = { call, at: caller.text, instead };
    leaks.push(leak);
    onLeak(leak);
    throw new WorldError("AMBIENT_CALL", leakText(leak));
  }

  known ??= doors();
  const undo = known.map(({ owner, key, name, instead }) => {
    const original = (owner as Record<string, (...given: unknown[]) => unknown>)[key] as (...given: unknown[]) => unknown;
    return replace(owner, key, new Proxy(original, {
      apply(target, self, given: unknown[]) {
        check(name, instead);
        return Reflect.apply(target, self, given);
      },
      construct(target, given: unknown[], newTarget) {
        check(`new ${name}`, instead);
        return Reflect.construct(target, given, newTarget) as object;
      },
    }));
  });
  undo.push(replace(globalThis, "Date", new Proxy(Date, {
    apply(target) {
      check(`${DATE.name}()`, DATE.instead);
      return target();
    },
    construct(target, given: [], newTarget) {
      if (given.length === 0) check(`new ${DATE.name}()`, DATE.instead);
      return Reflect.construct(target, given, newTarget) as Date;
    },
  })));
  syncBuiltinESMExports();

  return {
    leaks,
    restore() {
      if (undo.length === 0) return;
      for (const putBack of undo.splice(0).reverse()) putBack();
      syncBuiltinESMExports();
      isInPlace = false;
    },
  };
}

/** `Date.now was called by readRow (store/rows.ts:12:5). Take `clock` from the ports …` */
export function leakText({ call, at, instead }: Leak): string {
  return `${call} was called by ${at}. ${instead}`;
}

function replace(owner: object, key: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, { configurable: true, enumerable: before?.enumerable ?? true, writable: true, value });
  return () => {
    // What was inherited is inherited again.
    if (before === undefined) delete (owner as Record<string, unknown>)[key];
    else Object.defineProperty(owner, key, before);
  };
}

interface Caller {
  readonly file: string;
  readonly text: string;
}

const FRAMES = 30;

/** The nearest line that is neither ours nor an engine's, such as the one that handed `Math.random` to `map`. */
function findCaller(): Caller {
  const limit = Error.stackTraceLimit;
  // Searches switch stacks off for speed.
  Error.stackTraceLimit = FRAMES;
  const lines = (new Error("where").stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  Error.stackTraceLimit = limit;
  for (const line of lines) {
    const [, name = "", named = "", bare = ""] = /^\s+at (?:async )?(?:(.+) \((.+:\d+:\d+)\)|(.+:\d+:\d+))$/.exec(line) ?? [];
    const place = named || bare;
    const file = place.replace(/^file:\/\//, "").replaceAll("\\", "/");
    if (file.includes("/sim/src/node/traps.") || file.includes("/sim/dist/node/traps.") || place === "") continue;
    if (file.startsWith("node:") && !ALLOWED.some(({ where }) => where.test(file))) continue;
    return { file, text: `${name === "" || name === "<anonymous>" ? "code without a name" : name.replace(/^Object\./, "")} (${file.split("/").slice(-2).join("/")})` };
  }
  return { file: "", text: "code that cannot be found in the stack" };
}
