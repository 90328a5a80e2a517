/** A packed copy: cases are the folders in `dist/cases/`, bundled and checked when they were packed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Facts, Repro } from "@casebook/repro";
import type { Catalog } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import type { Home } from "./home.ts";

// By the package's own name, because the bundler decides which file this code ends up in.
const PACKAGE = fileURLToPath(new URL(".", import.meta.resolve("casebook/package.json")));
const CATALOG = "dist/cases/catalog.json";

export const HOME: Home = {
  packageFolder: PACKAGE,
  clone: undefined,
  async readCatalog() {
    const text = readPacked(CATALOG).toString("utf8");
    try {
      return JSON.parse(text) as Catalog;
    } catch (thrown) {
      throw notWhole(CATALOG, thrown);
    }
  },
  async loadRepro({ folder }) {
    const loaded = (await import(pathToFileURL(join(PACKAGE, folder, "repro.js")).href)) as { repro: Repro<unknown, Facts> };
    return loaded.repro;
  },
  readPage: ({ folder }) => readPacked(`${folder}/README.md`).toString("utf8"),
  readCode: ({ folder }) => ({ name: "repro.js", bytes: readPacked(`${folder}/repro.js`) }),
};

function readPacked(path: string): Buffer {
  try {
    return readFileSync(join(PACKAGE, path));
  } catch (thrown) {
    throw notWhole(path, thrown);
  }
}

function notWhole(path: string, thrown: unknown): CatalogError {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new CatalogError(`CASE_UNREADABLE: ${path}: ${why}. This copy of casebook is not whole: install it again.`);
}
