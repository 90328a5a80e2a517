/** Every file that holds a generated block, as it should be. Writing and checking both start here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PRESETS } from "@casebook/doctor";
import { type Facts, reportAsText, runRepro } from "@casebook/repro";
import { guardsAbout } from "../commands/explain.ts";
import { loadRepro } from "../commands/run.ts";
import { DOCUMENTS, schemaText } from "../documents.ts";
import { shownOutputs } from "../house/doctor-outputs.ts";
import { type Case, readCatalog } from "./catalog.ts";
import { CatalogError } from "./catalog-error.ts";
import { LIMITS } from "./doctor-limits.ts";
import {
  between,
  FACTS_MARKERS,
  OUTSIDE_MARKERS,
  renderCaseTable,
  renderFacts,
  renderOutside,
  TABLE_MARKERS,
  withOutputs,
} from "./render.ts";
import {
  GUARD_MARKERS,
  LIMIT_MARKERS,
  PLACE_MARKERS,
  PRESET_MARKERS,
  renderGuards,
  renderLimits,
  renderPlaces,
  renderPresets,
} from "./render-doctor.ts";

/** Path from the root, and the text it should have. Plays every case to know what it prints. */
export async function generatedFiles(root: string): Promise<{ path: string; text: string }[]> {
  const catalog = await readCatalog(root);
  const broken = catalog.unreadable.flatMap(({ problems }) => problems);
  if (broken.length > 0) throw new CatalogError(`CASE_UNREADABLE: ${broken.join("\n")}`);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const outputs = new Map((await Promise.all(catalog.cases.map(outputsOf))).flat());
  for (const [id, output] of await shownOutputs()) outputs.set(id, output);
  const table = between(read("README.md"), TABLE_MARKERS, renderCaseTable(catalog));
  return [
    { path: "README.md", text: withOutputs(table, outputs) },
    { path: "packages/cli/README.md", text: withOutputs(read("packages/cli/README.md"), outputs) },
    { path: "docs/doctor.md", text: withOutputs(doctorPage(read("docs/doctor.md")), outputs) },
    { path: "docs/guards.md", text: between(read("docs/guards.md"), GUARD_MARKERS, renderGuards(guardsAbout())) },
    ...(Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[]).map((name) => ({
      path: `packages/cli/schema/${name}.schema.json`,
      text: schemaText(name),
    })),
    ...catalog.cases.map((item) => {
      const path = `${item.folder}/README.md`;
      const withFacts = between(read(path), FACTS_MARKERS, renderFacts(item));
      return { path, text: withOutputs(between(withFacts, OUTSIDE_MARKERS, renderOutside(item)), outputs) };
    }),
  ];
}

function doctorPage(page: string): string {
  const withPresets = between(page, PRESET_MARKERS, renderPresets(PRESETS));
  return between(between(withPresets, PLACE_MARKERS, renderPlaces(PRESETS)), LIMIT_MARKERS, renderLimits(LIMITS));
}

/** What a plain run and a run with `--all` print, under the ids `001` and `001-all`. One run tells both: the shown modes come first. */
async function outputsOf(item: Case): Promise<[string, string][]> {
  const repro = await loadRepro(item);
  const all = await runRepro(repro, { all: true, twice: false });
  const modes = all.modes.slice(0, repro.shown.length) as { name: string; facts: Facts }[];
  const plain = all.verdict === "OK" ? { ...all, modes, lines: repro.print(modes) } : await runRepro(repro, { all: false, twice: false });
  return [
    [item.number, reportAsText(plain)],
    [`${item.number}-all`, reportAsText(all)],
  ];
}
