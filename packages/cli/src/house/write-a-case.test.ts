/** Holds docs/write-a-case.md to what it says: its example is played, and the places that it lists are there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Facts, play, type Scene } from "@casebook/repro";
import { Volume } from "memfs";
import { describe, expect, it } from "vitest";
import { readReserved } from "../catalog/catalog.ts";
import { readNumbers } from "../catalog/numbers.ts";
import { NOT_ASKED } from "../commands/doctor-self-test.ts";
import { ROOT } from "../root.ts";
import { fences } from "./markdown.ts";

type World = Parameters<Scene<object, Facts>["run"]>[0];

const page = readFileSync(join(ROOT, "docs/write-a-case.md"), "utf8");
const own = readFileSync(join(ROOT, "packages/cli/src/house/write-a-case.test.ts"), "utf8");

describe("docs/write-a-case.md", () => {
  it("shows how bytes get on a disk, and a scene reads them back", async () => {
    // example:start
    function disk() {
      const volume = Volume.fromJSON({ "/job/task.ps1": "" });
      volume.writeFileSync("/job/task.ps1", Uint8Array.of(0xef, 0xbb, 0xbf, 0x97));
      return volume;
    }
    // example:end
    const shown = own.slice(own.indexOf("// example:start\n") + 17, own.indexOf("    // example:end")).replace(/^ {4}/gm, "");
    expect(fences(page).find(({ language }) => language === "ts")?.text).toBe(`import { Volume } from "memfs";\n\n${shown}`);
    const scene = {
      name: "reads",
      disk,
      run: async ({ ports }: World) => {
        const file = await ports.disk.open("/job/task.ps1", "r");
        return { bytes: [...(await file.read(8, 0))].map(String) };
      },
      with: {},
      expect: { bytes: [] },
    };
    const { facts } = await play({ id: "000", seed: 1, epoch: "2026-09-02T02:00:00Z" }, scene);
    expect(facts.bytes).toEqual(["239", "187", "191", "151"]);
  });

  it("names every file of a case, as the template has them", () => {
    const named = [...page.matchAll(/^\| `(\w[\w.]*\.\w+)` \|/gm)].map(([, name = ""]) => name);
    expect(named.toSorted()).toEqual(readdirSync(join(ROOT, "template")).toSorted());
  });

  it("names only files that are there", () => {
    const named = [...page.matchAll(/`((?:packages|incidents)\/[\w/.-]+\.\w+)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThanOrEqual(6);
    expect(named.filter((path) => !path.includes("NNN") && !existsSync(join(ROOT, path)))).toEqual([]);
    expect(NOT_ASKED.length).toBeGreaterThan(0);
  });

  it("says of fast-check what `incidents/package.json` says", () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "incidents/package.json"), "utf8")) as Record<string, Record<string, string>>;
    expect({ ...dependencies, ...devDependencies }).toHaveProperty("fast-check");
  });

  it("says that a promise stays when its case lands: rows and numbers that were given agree", async () => {
    const numbers = await readNumbers(ROOT);
    const landed = (await readReserved(ROOT)).filter(({ number }) => number in numbers);
    expect(landed.map(({ number, slug }) => [number, slug])).toEqual(landed.map(({ number }) => [number, numbers[number]]));
    expect(landed.length).toBeGreaterThan(0);
  });
});
