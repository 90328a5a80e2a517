/**
 * Runs a CommonJS library from `node_modules`, unmodified, in the world: its files and those of what it requires are evaluated anew
 * for each life of a process, with the `node:fs`, timers and globals of that life. Models one module graph for each life, which
 * shares no state with another. Leaves out ES modules, native ones, and `import()`.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Script } from "node:vm";
import { createProcessGlobals, isNodes, type LifePorts } from "./process-globals.ts";

export interface Library {
  /** What the library exports, evaluated for this life and no other. Call it once for each. */
  start<T = unknown>(ports: LifePorts): T;
}

type Wrapped = (...globals: unknown[]) => (this: unknown, exports: unknown, require: unknown, module: unknown, filename: string, directory: string) => void;

interface Source {
  /** As the module sees itself: from its package on, so that no path of the machine gets into the world. */
  readonly filename: string;
  readonly run: Wrapped | undefined;
  readonly json: string | undefined;
}

/** Names of the globals that are handed in. */
const GLOBALS = ["globalThis", "global", "process", "Date", "Math", "performance", "crypto", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"] as const;

/**
 * Finds `specifier` as `from` (a file: URL or an absolute path) would. Throws LIBRARY_NOT_FOUND where it cannot, and
 * LIBRARY_UNSUPPORTED for what is no CommonJS.
 */
export function createLibrary(specifier: string, from: string | URL): Library {
  const sources = new Map<string, Source>();
  const found = new Map<string, string>();
  const requireReal = createRequire(import.meta.url);
  const entry = resolveFrom(from, specifier);
  sourceOf(entry);

  return {
    start<T>(ports: LifePorts): T {
      const { globals, builtin } = createProcessGlobals(ports, (name) => requireReal(`node:${name}`) as unknown);
      const given = GLOBALS.map((name) => globals[name]);
      const modules = new Map<string, { exports: unknown }>();
      const load = (path: string): unknown => {
        const known = modules.get(path);
        if (known !== undefined) return known.exports;
        const { filename, run, json } = sourceOf(path);
        const module = { exports: {} as unknown, id: filename, filename, loaded: false, children: [], paths: [] };
        modules.set(path, module);
        try {
          if (run === undefined) module.exports = JSON.parse(json ?? "null");
          else run(...given).call(module.exports, module.exports, requireOf(path), module, filename, directoryOf(filename));
        } catch (failure) {
          // As Node: what failed to load is loaded anew by whoever asks again.
          modules.delete(path);
          throw failure;
        }
        module.loaded = true;
        return module.exports;
      };
      const requireOf = (path: string): unknown => {
        const require = (wanted: string): unknown => (isNodes(wanted) ? builtin(wanted.replace(/^node:/, "")) : load(resolveFrom(path, wanted)));
        const resolve = (wanted: string): string => (isNodes(wanted) ? wanted : sourceOf(resolveFrom(path, wanted)).filename);
        return Object.assign(require, { resolve, main: undefined, cache: {} });
      };
      return load(entry) as T;
    },
  };

  function resolveFrom(base: string | URL, wanted: string): string {
    const key = `${String(base)}\0${wanted}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    try {
      const path = createRequire(base).resolve(wanted);
      found.set(key, path);
      return path;
    } catch (failure) {
      // What a library asks for and can do without has to look as it does in Node.
      if (base !== from) throw failure;
      throw refusal("LIBRARY_NOT_FOUND", `"${wanted}" was not found from ${base instanceof URL ? base.href : base}. Install it there, or give the file that asks for it.`, failure);
    }
  }

  function sourceOf(path: string): Source {
    const known = sources.get(path);
    if (known !== undefined) return known;
    const filename = nameInWorld(path.replaceAll("\\", "/"));
    const source = path.endsWith(".json") ? { filename, run: undefined, json: readFileSync(path, "utf8") } : { filename, run: compile(path, filename), json: undefined };
    sources.set(path, source);
    return source;
  }
}

/** From `node_modules` on; a file of nobody's package is in a folder of its own. */
function nameInWorld(path: string): string {
  return path.includes("/node_modules/") ? path.slice(path.lastIndexOf("/node_modules/")) : `/library/${path.slice(path.lastIndexOf("/") + 1)}`;
}

/** Globals come in an outer function, so that a module may declare names like theirs. The text keeps its lines. */
function compile(path: string, filename: string): Wrapped {
  if (path.endsWith(".node") || path.endsWith(".mjs")) throw unsupported(filename);
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "").replace(/^#!.*/, "");
  try {
    return new Script(`(function (${GLOBALS.join(", ")}) { return function (exports, require, module, __filename, __dirname) { ${text}\n}; })`, { filename }).runInThisContext() as Wrapped;
  } catch (failure) {
    if (failure instanceof SyntaxError) throw unsupported(filename, failure);
    throw failure;
  }
}

function unsupported(filename: string, cause?: unknown): Error {
  return refusal("LIBRARY_UNSUPPORTED", `${filename} is no CommonJS module that Node could run as text${cause instanceof Error ? ` (${cause.message})` : ""}. Take a version of the library that is CommonJS, or hand your ES module its fs: createNodeFs(ports.disk).`, cause);
}

function refusal(code: string, says: string, cause: unknown): Error {
  return Object.assign(new Error(`${code}: ${says}`, { cause }), { code });
}

function directoryOf(filename: string): string {
  return filename.slice(0, filename.lastIndexOf("/")) || "/";
}
