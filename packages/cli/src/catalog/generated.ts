/** Every file that holds a generated block, as it should be. Writing and checking both start here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCatalog } from "./catalog.ts";
import {
  between,
  FACTS_MARKERS,
  OUTSIDE_MARKERS,
  renderCaseTable,
  renderFacts,
  renderOutside,
  TABLE_MARKERS,
} from "./render.ts";

/** Path from the root, and the text it should have. */
export async function generatedFiles(root: string): Promise<{ path: string; text: string }[]> {
  const catalog = await readCatalog(root);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  return [
    { path: "README.md", text: between(read("README.md"), TABLE_MARKERS, renderCaseTable(catalog)) },
    ...catalog.cases.map((item) => {
      const path = `${item.folder}/README.md`;
      const withFacts = between(read(path), FACTS_MARKERS, renderFacts(item));
      return { path, text: between(withFacts, OUTSIDE_MARKERS, renderOutside(item)) };
    }),
  ];
}
