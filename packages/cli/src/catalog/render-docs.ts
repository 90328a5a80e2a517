/** Lists in the documents that follow the catalog: the pages of the cases, and what each of them does not show. Pure: data in, text out. */
import type { GuardAbout } from "@casebook/guards";
import type { Case } from "./catalog.ts";
import { guardPagePath } from "./guard-page.ts";

export const PAGE_MARKERS = ["<!-- case-pages:start -->", "<!-- case-pages:end -->"] as const;
export const NOT_SHOWN_MARKERS = ["<!-- not-shown:start -->", "<!-- not-shown:end -->"] as const;

/** For a page in `docs/`. */
export function renderCasePages(cases: readonly Case[], guards: readonly GuardAbout[]): string {
  return cases
    .map(({ number, title, folder, status }) => {
      const own = guards.filter((about) => about.case === number).map(({ id }) => `[\`${id}\`](${guardPagePath(id).replace("docs/", "")})`);
      const dead = status === "deprecated" ? " (deprecated)" : "";
      return `- [${number}](../${folder}/README.md) ${title}${dead}${own.length === 0 ? "" : `: ${own.join(", ")}`}`;
    })
    .join("\n");
}

export function renderNotShown(cases: readonly Case[]): string {
  return cases.map(({ number, title, folder }) => `- [${number}](../${folder}/README.md#what-this-does-not-show) ${title}`).join("\n");
}
