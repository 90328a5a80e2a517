/**
 * Ways to replace one small file, each in the same world, under the same faults and the same two questions. Models one writer on
 * one host whose disk keeps, over a power loss, any of the operations that were not synced; says nothing about two writers at once,
 * about other file systems, or about what a library promises elsewhere.
 */
import { commitFile } from "@casebook/file-commit";
import type { ArmedFault, ProcessPorts } from "@casebook/sim/kernel";
import { createLibrary, createNodeFs } from "@casebook/sim/node-fs";
import { Volume } from "memfs";
import type { System } from "../system.ts";

const FILE = "/state/tasks.json";
export const OLD = "the old tasks";
export const NEW = "the new tasks, which are more";

export type Write = (ports: ProcessPorts, path: string, text: string) => Promise<unknown>;

const library = createLibrary("write-file-atomic", import.meta.url);

/** What a complete writer does beyond writing and renaming; each can be left out, to see what it is for. */
export type Part = "other name" | "sync" | "rest of a short write" | "sync of the directory";

export function byHand(leftOut?: Part): Write {
  return async (ports, path, text) => {
    const { open, rename } = createNodeFs(ports.disk).promises;
    const written = leftOut === "other name" ? path : `${path}.tmp`;
    const file = await open(written, leftOut === "other name" ? "w" : "wx");
    if (leftOut === "rest of a short write") await file.write(text);
    else await file.writeFile(text);
    if (leftOut !== "sync") await file.sync();
    await file.close();
    if (written !== path) await rename(written, path);
    if (leftOut === "sync of the directory") return;
    const directory = await open(path.slice(0, path.lastIndexOf("/")), "r");
    await directory.sync();
    await directory.close();
  };
}

export const WRITERS = {
  /** `fs.writeFile` onto the file itself. */
  "in-place": (ports, path, text) => createNodeFs(ports.disk).promises.writeFile(path, text),
  /** write-file-atomic 7.0.1 as it comes out of its package, with its defaults. */
  "write-file-atomic": (ports, path, text) => library.start<(path: string, text: string) => Promise<void>>(ports)(path, text),
  /** The same with its option that leaves the sync out: what the search would say if the library did not sync. */
  "write-file-atomic, told not to sync": (ports, path, text) =>
    library.start<(path: string, text: string, options: { fsync: boolean }) => Promise<void>>(ports)(path, text, { fsync: false }),
  /** Ours, over the disk port. */
  "file-commit": (ports, path, text) => commitFile(ports, path, new TextEncoder().encode(text)),
  /** The same steps in Node's call shapes. */
  "synced-by-hand": byHand(),
} as const satisfies Record<string, Write>;

export interface Held {
  /** undefined: there is no such file. */
  readonly content: string | undefined;
  /** The writer was told that it is done, before whatever happened then. */
  readonly wasTold: boolean;
}

/** A write that takes half of what it was given, and says so. */
export const SHORT_WRITE: ArmedFault = { at: "disk.write", kind: "short-write" };

/** A crash at every step, and a write of which half arrives before the power goes. */
const FAULTS: NonNullable<System<Held>["faults"]> = { points: [], kinds: [], steps: ["kill-restart", "power-loss"], armed: [{ at: "disk.write", kind: "torn-write" }] };

export const WHOLE: System<Held>["checks"][number] = {
  id: "file/old-or-new",
  when: "end",
  alarm: ({ content }) => (content === OLD || content === NEW ? undefined : `the file holds ${inWords(content)}`),
};

export const KEPT: System<Held>["checks"][number] = {
  id: "file/kept-once-answered",
  when: "end",
  alarm: ({ content, wasTold }) => (wasTold && content !== NEW ? `the writer was told that it is done, and the file holds ${inWords(content)}` : undefined),
};

export function writerSystem(name: string, write: Write, expect: "holds" | "fails", check: System<Held>["checks"][number]): System<Held> {
  const volume = Volume.fromJSON({ [FILE]: OLD });
  return {
    name: `calibration/${name}`,
    claim: check === WHOLE ? "A crash leaves the old file or the new one." : "What was answered survives a power loss.",
    expect,
    durability: "posix-min",
    checks: [check],
    faults: FAULTS,
    build(space) {
      space.disk("box", volume);
      const files = space.files("box");
      space.process(
        "writer",
        async (ports) => {
          // The next life only lives: whatever it did would hide what the crash has left.
          if (ports.process.life > 1) return;
          await write(ports, FILE, NEW);
          ports.log.write("info", "answered");
          await ports.faults.reach("writer.answered");
        },
        { host: "box" },
      );
      return { facts: () => ({ content: files.text(FILE), wasTold: space.log.some(({ event }) => event === "answered") }) };
    },
  };
}

export function inWords(content: string | undefined): string {
  if (content === undefined) return "nothing: it is gone";
  if (content === OLD) return "the old text";
  if (content === NEW) return "the new text";
  return content === "" ? "no byte" : `a part: ${JSON.stringify(content)}`;
}
