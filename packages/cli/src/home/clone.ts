/** A clone: cases are the folders in `incidents/`, played from their sources. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Facts, Repro } from "@casebook/repro";
import { type Case, readCatalog } from "../catalog/catalog.ts";
import { ROOT } from "../root.ts";
import type { Home } from "./home.ts";

export const HOME: Home = {
  packageFolder: join(ROOT, "packages", "cli"),
  clone: {
    root: ROOT,
    commands: {
      newIncident: async (slug, options) => (await import("../commands/new-incident.ts")).newIncident(ROOT, slug, options),
      testSuite: async (name, ids, options) => (await import("../commands/test-suite.ts")).testSuite(name, ids, options),
      test: async (ids, options) => (await import("../commands/test.ts")).test(ids, options),
    },
  },
  readCatalog: () => readCatalog(ROOT),
  loadRepro: async (item) => (await load(item)).repro,
  loadSystems: async (item) => (await load(item)).systems,
  readPage: ({ folder }) => readFileSync(join(ROOT, folder, "README.md"), "utf8"),
  readCode: ({ folder }) => ({ name: "repro.ts", bytes: readFileSync(join(ROOT, folder, "repro.ts")) }),
};

function load({ folder }: Case): Promise<{ repro: Repro<unknown, Facts>; systems?: unknown }> {
  return import(pathToFileURL(join(ROOT, folder, "repro.ts")).href) as ReturnType<typeof load>;
}
