/** Guards and their metadata agree: id and function name, and the case that is named exists. */
import * as everyGuard from "@casebook/guards";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
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
    const pages = await Promise.all(cases.map(async (item) => ({ item, page: await pageOf(item.folder) })));
    const unexplained = guardsAbout().flatMap((about) => {
      const own = pages.find(({ item }) => item.number === about.case);
      return own === undefined || own.page.includes(`\`${about.id}\``) || !OWN_GUARDS.includes(about.id) ? [] : [`${about.id} is not on the page of ${about.case}`];
    });
    expect(unexplained).toEqual([]);
  });
});

/** The guards that a case was written for; others point to the case that is nearest to them. */
const OWN_GUARDS = ["encoding/script-quotes", "registry/parity", "registry/lookup-shape", "slot/duplicate", "slot/disabled-fired", "slot/invisible-fire", "slot/wrong-slot"];

async function pageOf(folder: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  return readFile(`${ROOT}/${folder}/README.md`, "utf8");
}
