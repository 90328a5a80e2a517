/** `casebook list`: one line a case, planned numbers included. */
import { EXIT } from "@casebook/verdict";
import { type Answer, documentText } from "../answer.ts";
import { outsideCounts, shortName } from "../catalog/render.ts";
import { HOME } from "../home/here.ts";

export async function list({ json }: { json: boolean }): Promise<Answer> {
  const catalog = await HOME.readCatalog();
  if (json) return { text: documentText(catalog), exitCode: catalog.unreadable.length === 0 ? EXIT.clean : EXIT.usage };
  const rows = [
    ...catalog.cases.map((item) => [
      item.number,
      item.title,
      item.layer,
      item.status,
      item.upstream.map(({ url, state }) => `${shortName(url)} ${state}`)[0] ?? "-",
      outsideCounts(item),
    ]),
    ...catalog.planned.map((item) => [item.number, item.title, item.layer, "planned", item.source, "-"]),
  ].toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  const header = ["#", "case", "layer", "status", "upstream", "outside"];
  const unreadable = catalog.unreadable.flatMap(({ problems }) => problems.map((problem) => `unreadable: ${problem}\n`)).join("");
  const text =
    `${aligned([header, ...rows])}\n\n${catalog.cases.length} cases, ${catalog.planned.length} planned. ` +
      "outside: reproduced · not reproduced · partial · not run, by people outside this project.\n" +
    unreadable;
  return { text, exitCode: unreadable === "" ? EXIT.clean : EXIT.usage };
}

/** Columns as wide as their widest cell, two spaces between, nothing trailing. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n");
}
