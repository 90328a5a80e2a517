/** A library of four files, as it would stand in node_modules. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulation, macrotasks, play } from "@casebook/sim/kernel";
import { createWorld } from "@casebook/sim";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trapAmbient } from "../node/index.ts";
import type { FsError } from "./errors.ts";
import { createLibrary, createNodeFs, type Library } from "./index.ts";

const FILES: Readonly<Record<string, string>> = {
  "keeper/package.json": '{ "name": "keeper", "main": "lib/index.js" }',
  "keeper/lib/index.js": `#!/usr/bin/env node
const { writeFile } = require("node:fs/promises");
const { promisify } = require("util");
const { words } = require("helper");
const setImmediate = "a name of its own";
globalThis.calls = globalThis.calls ?? 0;
module.exports = {
  where: [__filename, __dirname, require.resolve("helper"), process.cwd(), require("path").resolve("a")],
  count: () => ++global.globalThis.calls,
  random: () => [process.pid, Math.random(), require("crypto").randomBytes(4).toString("hex"), require("node:crypto").randomUUID()],
  now: () => [Date.now(), new Date().toISOString(), new Date(0).getTime(), performance.now(), new Date() instanceof Date],
  async keep(path) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await promisify(require("fs").rename)(path, path + ".kept");
      } catch (failure) {
        if (tries === 3) await writeFile("/gave-up", words(failure, tries));
        if (tries === 3) throw failure;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  },
  spawn: () => require("child_process"),
  exit: () => process.exit(1),
  missing: () => require("no-such-library"),
};`,
  "helper/package.json": '{ "name": "helper", "main": "index.js" }',
  "helper/index.js": 'exports.words = (failure, tries) => failure.code + " " + tries + " " + require("./data.json").unit;',
  "helper/data.json": '{ "unit": "times" }',
  "modern/package.json": '{ "name": "modern", "main": "index.js", "type": "module" }',
  "modern/index.js": "export default 1;",
};

interface Keeper {
  readonly where: readonly string[];
  count(): number;
  random(): unknown[];
  now(): unknown[];
  keep(path: string): Promise<void>;
  spawn(): unknown;
  exit(): void;
  missing(): unknown;
}

let base = "";
let keeper: Library;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "casebook-library-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(base, "node_modules", path, ".."), { recursive: true });
    writeFileSync(join(base, "node_modules", path), text);
  }
  keeper = createLibrary("keeper", join(base, "index.js"));
});
afterAll(() => rmSync(base, { recursive: true }));

const freshWorld = () => createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" });

describe("a library in the world", () => {
  it("sees its own names and the root of the world, and no path of the machine", () => {
    expect(keeper.start<Keeper>(freshWorld().ports).where).toEqual(["/node_modules/keeper/lib/index.js", "/node_modules/keeper/lib", "/node_modules/helper/index.js", "/", "/a"]);
  });

  it("is evaluated anew for each life, and shares not even what it hangs on globalThis", () => {
    const { ports } = freshWorld();
    const [one, other] = [keeper.start<Keeper>(ports), keeper.start<Keeper>(ports)];
    expect([one.count(), one.count(), other.count(), "calls" in globalThis]).toEqual([1, 2, 1, false]);
  });

  it("reads the clock of the world, and draws the same random numbers every run and others each time", async () => {
    const draw = (): unknown[] => {
      const library = keeper.start<Keeper>(freshWorld().ports);
      return [library.random(), library.random(), library.now()];
    };
    const [first, second, now] = draw();
    expect(draw()).toEqual([first, second, now]);
    expect(second).not.toEqual(first);
    expect(now).toEqual([1772323200000, "2026-03-01T00:00:00.000Z", 0, 0, true]);
  });

  it("has another process id in each process and in each life", async () => {
    const ids: unknown[] = [];
    const { execution } = createSimulation(
      (space) => {
        for (const name of ["one", "other"]) {
          space.process(name, async (ports) => {
            ids.push(keeper.start<Keeper>(ports).random()[0]);
            await ports.faults.reach(`${name}.moment`);
          });
        }
        return { facts: () => ({}) };
      },
      { chooser: { choose: () => 0 }, faults: [{ at: "one.moment", kind: "kill-restart" }] },
    );
    await play(execution, macrotasks);
    expect(new Set(ids).size).toBe(3);
  });

  it("waits between its tries by the clock of the world, and touches its disk only", async () => {
    const world = freshWorld();
    await expect(world.run((ports) => keeper.start<Keeper>(ports).keep("/tasks.json"))).rejects.toMatchObject({ code: "ENOENT", syscall: "rename", dest: "/tasks.json.kept" });
    expect([world.volume().toJSON(), world.ports.clock.now() - world.epochMs]).toEqual([{ "/gave-up": "ENOENT 3 times" }, 200]);
  });

  it("meets a refusal that was armed as Node's error, and gets through at its next try", async () => {
    let told: unknown;
    const failures: unknown[] = [];
    const { execution } = createSimulation(
      (space) => {
        const files = space.files("keeper");
        space.process("keeper", async (ports) => {
          const { promises } = createNodeFs(ports.disk);
          await promises.writeFile("/a", "text");
          await promises.rename("/a", "/b").catch(({ code, errno, syscall, path, dest }: FsError) => failures.push({ code, errno, syscall, path, dest }));
          await keeper.start<Keeper>(ports).keep("/a");
          told = [ports.clock.now(), files.list("/")];
        });
        return { facts: () => ({}) };
      },
      { epoch: 0, chooser: { choose: () => 0 }, faults: [{ at: "disk.rename", kind: "error", errno: "EPERM", times: 3 }] },
    );
    await play(execution, macrotasks);
    expect(failures).toEqual([{ code: "EPERM", errno: -1, syscall: "rename", path: "/a", dest: "/b" }]);
    expect(told).toEqual([200, ["a.kept"]]);
  });

  it("goes through no door to the real world", async () => {
    const world = freshWorld();
    await world.run(async (ports) => {
      const traps = trapAmbient();
      try {
        // Anew, so that its files are read, too.
        const library = createLibrary("keeper", join(base, "index.js")).start<Keeper>(ports);
        library.random();
        library.now();
        await library.keep("/a").catch(() => undefined);
      } finally {
        traps.restore();
      }
      expect(traps.leaks).toEqual([]);
    });
  });

  it("is refused what reaches out of the process, by name, and finds missing what is missing", () => {
    const library = keeper.start<Keeper>(freshWorld().ports);
    expect(() => library.spawn()).toThrow('NODE_MODULE_NOT_MODELLED: require("child_process"): this module of Node\'s reaches out of the process, and the world has nothing to put in its place. Leave it out of what runs in the world.');
    expect(() => library.exit()).toThrow("NODE_MODULE_NOT_MODELLED: process.exit reaches out of the process");
    expect(() => library.missing()).toThrow(expect.objectContaining({ code: "MODULE_NOT_FOUND" }));
  });

  it("has to be there, and to be CommonJS", () => {
    expect(() => createLibrary("no-such-library", join(base, "index.js"))).toThrow(expect.objectContaining({ code: "LIBRARY_NOT_FOUND" }));
    expect(() => createLibrary("modern", join(base, "index.js"))).toThrow(/^LIBRARY_UNSUPPORTED: \/node_modules\/modern\/index\.js is no CommonJS module/);
  });
});
