/** Every file that holds a generated block, as it should be. Writing and checking both start here. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PRESETS } from "@casebook/doctor";
import { KNOWN_BAD_RECEIPTS, RECEIPT_RULES } from "@casebook/receipt-reader/known-bad";
import { type Facts, reportAsText, type ReproReport, runRepro } from "@casebook/repro";
import { guardsAbout } from "../commands/explain.ts";
import { loadRepro } from "../commands/run.ts";
import { DOCUMENTS, schemaText } from "../documents.ts";
import { docOutputs } from "../house/doc-outputs.ts";
import { shownOutputs } from "../house/doctor-outputs.ts";
import { exploreOutputs } from "../house/explore-outputs.ts";
import { VERSION } from "../version.ts";
import { AGENT_MARKERS, type GuardTests, guardTestsOn, renderAgentBlock } from "./agent-block.ts";
import { casePage } from "./case-page.ts";
import { type Case, readCatalog, readTemplate } from "./catalog.ts";
import { CatalogError } from "./catalog-error.ts";
import { renderCitation } from "./citation.ts";
import { LIMITS } from "./doctor-limits.ts";
import { choices, FORM_CHOICES, renderForm } from "./forms.ts";
import { FAULT_MARKERS, FIELD_MARKERS, RECORD_SCHEMA_PATH, recordOutputs, recordSchemaText, renderFaults, renderFields } from "./game-day.ts";
import { guardPagePath, renderGuardPage } from "./guard-page.ts";
import { NUMBERS_PATH, numbersText } from "./numbers.ts";
import { renderRules, RULE_MARKERS } from "./render-rules.ts";
import { kitPage, matrixPage } from "./render-conformance.ts";
import { between, MarkersMissing, renderCaseTable, TABLE_MARKERS, withOutputs } from "./render.ts";
import { NOT_SHOWN_MARKERS, PAGE_MARKERS, renderCasePages, renderNotShown } from "./render-docs.ts";
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

/** What the pages show of runs. */
export interface Plays {
  /** A case with every scene. */
  readonly playAll: (item: Case) => Promise<ReproReport>;
  /** What the commands of the documents print, by the id of the output; nothing of a case. */
  readonly print: () => Promise<ReadonlyMap<string, string>>;
  /** The fault table of the game day. */
  readonly renderFaults: () => Promise<string>;
}

/**
 * Path from the root, and the text it should have. Plays every case to know what it prints. How many guard tests a case has takes
 * a test runner to count: whoever only compares leaves `countTests` out, and the counts are those that stand in AGENTS.md. Whoever has
 * played something already, or asks about none of it, hands that in with `plays`.
 */
export async function generatedFiles(
  root: string,
  countTests?: (cases: readonly Case[]) => Promise<GuardTests>,
  plays: Partial<Plays> = {},
): Promise<{ path: string; text: string }[]> {
  const { playAll, print, renderFaults }: Plays = { ...PLAYS, ...plays };
  const catalog = await readCatalog(root);
  const broken = catalog.unreadable.flatMap(({ problems }) => problems);
  if (broken.length > 0) throw new CatalogError(`CASE_UNREADABLE: ${broken.join("\n")}`);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const pages = [...catalog.cases, await readTemplate(root)];
  const outputs = new Map((await Promise.all(pages.map(async (item) => outputsOf(item, await playAll(item))))).flat());
  for (const [id, output] of await print()) outputs.set(id, output);
  const guardTests = (await countTests?.(catalog.cases)) ?? guardTestsOn(read("AGENTS.md"));
  const guards = guardsAbout();
  const offered = choices(catalog, guards);
  const faults = await renderFaults();
  return [
    renewed("README.md", (page) => withOutputs(between(page, TABLE_MARKERS, renderCaseTable(catalog)), outputs)),
    renewed("packages/cli/README.md", (page) => withOutputs(page, outputs)),
    renewed("packages/conformance/README.md", kitPage),
    renewed("AGENTS.md", (page) => withOutputs(between(page, AGENT_MARKERS, renderAgentBlock(catalog.cases, guardTests)), outputs)),
    renewed("CITATION.cff", (file) => renderCitation(file, VERSION)),
    ...readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .toSorted()
      .map((name) => renewed(`docs/${name}`, (page) => withOutputs(ownBlock(name, page), outputs))),
    ...guards.map((about) => ({ path: guardPagePath(about.id), text: renderGuardPage(about, catalog.cases) })),
    ...(Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[]).map((name) => ({
      path: `packages/cli/schema/${name}.schema.json`,
      text: schemaText(name),
    })),
    { path: RECORD_SCHEMA_PATH, text: recordSchemaText() },
    ...pages.map((item) => renewed(`${item.folder}/README.md`, (page) => casePage(page, item, outputs))),
    ...Object.entries(FORM_CHOICES).map(([path, names]) => renewed(path, (form) => renderForm(form, names, offered))),
    { path: NUMBERS_PATH, text: await numbersText(root) },
  ];

  /** The block that one page of `docs/` has and the others do not. */
  function ownBlock(name: string, page: string): string {
    switch (name) {
      case "doctor.md":
        return doctorPage(page);
      case "conformance.md":
        return matrixPage(page, (file) => read(`packages/conformance/${file}`));
      case "guards.md":
        return between(page, GUARD_MARKERS, renderGuards(guards));
      case "cases.md":
        return between(page, PAGE_MARKERS, renderCasePages(catalog.cases, guards));
      case "game-day.md":
        return between(page, FAULT_MARKERS, faults);
      case "terminal-record.md":
        return between(page, FIELD_MARKERS, renderFields());
      case "limits.md":
        return between(page, NOT_SHOWN_MARKERS, renderNotShown(catalog.cases));
      case "receipts.md":
        return between(page, RULE_MARKERS, renderRules(RECEIPT_RULES, KNOWN_BAD_RECEIPTS));
      default:
        return page;
    }
  }

  /** A page with its blocks renewed; one without a place for its block is named. */
  function renewed(path: string, renew: (page: string) => string): { path: string; text: string } {
    try {
      return { path, text: renew(read(path)) };
    } catch (thrown) {
      if (thrown instanceof MarkersMissing) throw new CatalogError(`MARKERS_MISSING: ${path}: ${thrown.message}`);
      throw thrown;
    }
  }
}

function doctorPage(page: string): string {
  const withPresets = between(page, PRESET_MARKERS, renderPresets(PRESETS));
  return between(between(withPresets, PLACE_MARKERS, renderPlaces(PRESETS)), LIMIT_MARKERS, renderLimits(LIMITS));
}

const PLAYS: Plays = {
  playAll: async (item) => runRepro(await loadRepro(item), { all: true, twice: false }),
  print: async () => new Map([...(await shownOutputs()), ...(await docOutputs()), ...(await exploreOutputs()), ...(await recordOutputs())]),
  renderFaults,
};

/** What a plain run and a run with `--all` print, under the ids `001` and `001-all`. One run tells both: the shown modes come first. */
async function outputsOf(item: Case, { twice: _twice, ...all }: ReproReport): Promise<[string, string][]> {
  const repro = await loadRepro(item);
  const modes = all.modes.slice(0, repro.shown.length) as { name: string; facts: Facts }[];
  const plain = all.verdict === "OK" ? { ...all, modes, lines: repro.print(modes) } : await runRepro(repro, { all: false, twice: false });
  return [
    [item.number, reportAsText(plain)],
    [`${item.number}-all`, reportAsText(all)],
  ];
}
