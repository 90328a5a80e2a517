/** `casebook list`: one line a case, planned numbers included. */
import { type Answer, clean, documentText } from "../answer.ts";
import { readCatalog } from "../catalog/catalog.ts";
import { outsideCounts, shortName } from "../catalog/render.ts";
import { ROOT } from "../root.ts";

export async function list({ json }: { json: boolean }): Promise<Answer> {
  const catalog = await readCatalog(ROOT);
  if (json) return clean(documentText(catalog));
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
  return clean(
    `${aligned([header, ...rows])}\n\n${catalog.cases.length} cases, ${catalog.planned.length} planned. ` +
      "outside: reproduced · not reproduced · partial · not run, by people outside this project.\n",
  );
}

/** Columns as wide as their widest cell, two spaces between, nothing trailing. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n");
}
