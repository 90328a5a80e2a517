/** Tables of the doctor's documents, from its data: layouts, usual places, limits, guards. Pure: data in, text out. */
import type { Preset } from "@casebook/doctor";
import type { GuardAbout } from "@casebook/guards";
import { guardPagePath } from "./guard-page.ts";

export const PRESET_MARKERS = ["<!-- presets:start -->", "<!-- presets:end -->"] as const;
export const PLACE_MARKERS = ["<!-- places:start -->", "<!-- places:end -->"] as const;
export const LIMIT_MARKERS = ["<!-- limits:start -->", "<!-- limits:end -->"] as const;
export const GUARD_MARKERS = ["<!-- guards:start -->", "<!-- guards:end -->"] as const;

export function renderPresets(presets: readonly Preset[]): string {
  return table(
    ["preset", "layout", "confidence", "a run is seen by", "read from"],
    presets.map(({ id, title, confidence, artefacts, dispatch, seen }) => {
      const kinds = [...new Set(artefacts.map(({ kind }) => WORDS[kind]))];
      const none = dispatch === undefined ? "nothing: claims stand alone" : "nothing is due: it holds work that is handed out";
      return [`\`${id}\``, title, confidence, kinds.length === 0 ? none : kinds.join(", "), seen.join("; ")];
    }),
  );
}

const WORDS: Readonly<Record<Preset["artefacts"][number]["kind"], string>> = {
  "json-file": "session file",
  "json-line": "run log",
  transcript: "transcript",
  "output-file": "output file",
  "in-record": "runs in its record",
};

const SYSTEMS = ["linux", "darwin", "win32"] as const;

export function renderPlaces(presets: readonly Preset[]): string {
  return table(
    ["preset", "Linux", "macOS", "Windows"],
    presets.map(({ id, places }) => {
      const shown = SYSTEMS.map((system) => places[system].map((place) => `\`${place}\``).join(", "));
      return [`\`${id}\``, ...shown.map((text) => (text === "" ? "none: name the folder" : text))];
    }),
  );
}

export interface Limit {
  readonly name: string;
  readonly value: number;
  readonly unit: "bytes" | "ms" | "";
  readonly of: string;
}

export function renderLimits(limits: readonly Limit[]): string {
  return table(["limit", "value", "of what"], limits.map(({ name, value, unit, of }) => [`\`${name}\``, amount(value, unit), of]));
}

function amount(value: number, unit: Limit["unit"]): string {
  if (unit === "bytes") return value % MEBIBYTE === 0 ? `${value / MEBIBYTE} MiB` : `${value / 1024} KiB`;
  return unit === "ms" ? `${value / 1000} s` : String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

const MEBIBYTE = 1024 * 1024;

export function renderGuards(guards: readonly GuardAbout[]): string {
  return table(
    ["guard", "severity", "alarms when", "needs", "case"],
    guards.map((about) => [`[\`${about.id}\`](${guardPagePath(about.id).replace("docs/", "")})`, about.severity, about.text, about.needs.join("; "), about.case ?? "–"]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`).replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
