/** Guards and their metadata agree: id and function name, and the case that is named exists. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GUARD_IDS } from "@casebook/doctor";
import * as everyGuard from "@casebook/guards";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
import { NOT_ASKED } from "../commands/doctor-self-test.ts";
import { guardsAbout } from "../commands/explain.ts";
import { ROOT } from "../root.ts";

/** `registry/parity` is `registryParity`. */
function nameOf(id: string): string {
  const [first = "", ...rest] = id.split(/[/-]/);
  return first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

describe("the guards", () => {
  it("are functions whose names say their ids", () => {
    const named = Object.entries(everyGuard).flatMap(([name, value]) =>
      typeof value === "function" && "about" in value ? [[name, nameOf((value.about as { id: string }).id)] as const] : [],
    );
    expect(named.length).toBe(guardsAbout().length);
    expect(named.filter(([name, wanted]) => name !== wanted)).toEqual([]);
  });

  it("name cases that are there or promised, and cases name guards that a page explains", async () => {
    const { cases, planned } = await readCatalog(ROOT);
    const numbers = [...cases, ...planned].map((item) => item.number);
    expect(guardsAbout().filter((about) => about.case !== undefined && !numbers.includes(about.case))).toEqual([]);
    const pages = await Promise.all(cases.map(async (item) => ({ item, page: await textOf(item.folder, "README.md"), repro: await textOf(item.folder, "repro.ts") })));
    const unexplained = guardsAbout().flatMap((about) => {
      const own = pages.find(({ item }) => item.number === about.case);
      // A guard that the repro asks is one that the case is about; others point to the case that is nearest to them.
      return own === undefined || own.page.includes(`\`${about.id}\``) || !own.repro.includes(nameOf(about.id)) ? [] : [`${about.id} is not on the page of ${about.case}, whose repro asks it`];
    });
    expect(unexplained).toEqual([]);
  });

  it("are each asked by the doctor, or named with a reason among those that it does not ask", () => {
    const notAsked = guardsAbout().map(({ id }) => id).filter((id) => !(GUARD_IDS as readonly string[]).includes(id));
    const named = NOT_ASKED.flatMap((line) => line.match(/[a-z]+\/[a-z-]+/g) ?? []);
    expect(named.toSorted(), "write a reason into NOT_ASKED in packages/cli/src/commands/doctor-self-test.ts, or let the doctor ask the guard").toEqual(notAsked);
  });
});

function textOf(folder: string, name: string): Promise<string> {
  return readFile(join(ROOT, folder, name), "utf8");
}
