/** `casebook run <id…>`: plays cases in this process and prints what the repro prints when it runs alone. */
import { type Facts, REPRO_EXIT, reportAsText, type Repro, type ReproReport, runRepro } from "@casebook/repro";
import { EXIT, type ExitCode } from "@casebook/verdict";
import { type Answer, documentText } from "../answer.ts";
import type { Case } from "../catalog/catalog.ts";
import { HOME } from "../home/here.ts";
import { selectCases } from "./select-cases.ts";

export interface RunOptions {
  readonly all: boolean;
  readonly twice: boolean;
  readonly json: boolean;
}

export async function run(ids: readonly string[], options: RunOptions): Promise<Answer> {
  const cases = selectCases(await HOME.readCatalog(), ids);
  const reports: ReproReport[] = [];
  for (const item of cases) reports.push(await runRepro(await loadRepro(item), options));
  const title = (index: number) => (cases.length > 1 ? `${cases[index]?.number} ${cases[index]?.title}\n` : "");
  return {
    text: options.json
      ? documentText({ runs: reports.map(({ lines: _lines, ...document }) => document) })
      : reports.map((report, index) => title(index) + reportAsText(report)).join(""),
    exitCode: worst(reports.map((report) => REPRO_EXIT[report.verdict])),
  };
}

/** A failure beats a missing verdict, which beats success. */
function worst(codes: readonly ExitCode[]): ExitCode {
  return [EXIT.findings, EXIT.noVerdict].find((code) => codes.includes(code)) ?? EXIT.clean;
}

export function loadRepro(item: Case): Promise<Repro<unknown, Facts>> {
  return HOME.loadRepro(item);
}
