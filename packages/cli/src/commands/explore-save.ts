/** The files of `casebook explore --save`: for each finding its trace and its picture. Never writes over anything. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layoutOf, svgDiagram } from "@casebook/explore";
import { UsageError } from "../usage-error.ts";
import type { Searched } from "./explore.ts";

/** Rows of a picture: it can be scrolled, a terminal less well. */
const PICTURE_ROWS = 400;

/** Before the search, so that nobody waits for a result that cannot be kept. */
export function checkFolder(folder: string, systems: readonly { readonly name: string }[]): void {
  const taken = namesIn(folder).find((name) => systems.some((system) => name.startsWith(`${fileWord(system.name)}--`)));
  if (taken !== undefined) {
    throw new UsageError(`--save writes over nothing, and ${join(folder, taken)} is there already. Name another folder, or move it away.`);
  }
}

export interface Saved {
  /** Paths as they were written, sorted. */
  readonly written: readonly string[];
  /** Why there are not more of them. The search stays what it is. */
  readonly problem: string | undefined;
}

export function saveFindings(folder: string, searched: readonly Searched[]): Saved {
  const written: string[] = [];
  const taken = new Set<string>();
  try {
    for (const { finding, trace } of searched.flatMap(({ found }) => found)) {
      const name = unusedName(`${fileWord(trace.system)}--${fileWord(finding.check)}`, taken);
      written.push(write(folder, `${name}.trace.json`, `${JSON.stringify(trace, undefined, 2)}\n`));
      written.push(write(folder, `${name}.svg`, svgDiagram(layoutOf(trace, { maxRows: PICTURE_ROWS }))));
    }
    return { written: written.toSorted(), problem: undefined };
  } catch (thrown) {
    return { written: written.toSorted(), problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Two checks may differ in nothing but the characters that a file name leaves out. */
function unusedName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`;
  taken.add(name);
  return name;
}

function write(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text, { flag: "wx" });
  return path;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw new UsageError(`--save needs a folder, and ${JSON.stringify(folder)} cannot be read as one: ${message}.`);
  }
}

function fileWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "unnamed";
}
