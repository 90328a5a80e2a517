/** Reads `incidents/` into one sorted list: the cases that run and the numbers promised to cases not yet written. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { CatalogError } from "./catalog-error.ts";
import { readData } from "./read-data.ts";
import type { caseFile, reservedFile } from "./schema.ts";

export type CaseFile = z.infer<typeof caseFile>;
export type Reserved = z.infer<typeof reservedFile>[number];

export interface Case extends Omit<CaseFile, "status"> {
  /** Three digits. */
  readonly number: string;
  readonly slug: string;
  readonly status: CaseFile["status"];
  /** From the root of the clone, or from that of the package in a packed copy; with `/`. */
  readonly folder: string;
}

export interface Catalog {
  readonly cases: readonly Case[];
  /** Without the numbers that a case folder has taken up. */
  readonly planned: readonly Reserved[];
  /** Case folders that could not be read, and why: they cost no other case. */
  readonly unreadable: readonly { readonly folder: string; readonly number: string; readonly problems: readonly string[] }[];
}

const FOLDER = /^(\d{3})-([a-z0-9]+(?:-[a-z0-9]+)*)$/;

export async function readCatalog(root: string): Promise<Catalog> {
  const schema = await import("./schema.ts");
  const problems: string[] = [];
  const unreadable: { folder: string; number: string; problems: string[] }[] = [];
  const cases = caseFolders(root).flatMap(({ name, number, slug }) => {
    const folder = `incidents/${name}`;
    const own: string[] = [];
    const read = readData(root, `${folder}/case.json`, schema.caseFile, own);
    if (read !== undefined) return [{ number, slug, folder, ...read }];
    unreadable.push({ folder, number, problems: own });
    return [];
  });
  const reserved = readData(root, "incidents/reserved.json", schema.reservedFile, problems) ?? [];
  problems.push(...clashes(cases, reserved));
  if (problems.length > 0) throw new CatalogError(`CASE_UNREADABLE: ${problems.join("\n")}`);
  const taken = new Set([...cases, ...unreadable].map((item) => item.number));
  return { cases, planned: reserved.filter((item) => !taken.has(item.number)), unreadable };
}

/** The number that stands for one in `template/`. No case has it. */
export const TEMPLATE_NUMBER = "000";

/** `template/` as if it were a case. It is held to everything that a case is held to, and counted nowhere. */
export async function readTemplate(root: string): Promise<Case> {
  const { caseFile } = await import("./schema.ts");
  const problems: string[] = [];
  const read = readData(root, "template/case.json", caseFile, problems);
  if (read === undefined) throw new CatalogError(`CASE_UNREADABLE: ${problems.join("\n")}`);
  return { number: TEMPLATE_NUMBER, slug: "template", folder: "template", ...read };
}

/** The numbers promised to cases, those that were taken up included. */
export async function readReserved(root: string): Promise<readonly Reserved[]> {
  const { reservedFile } = await import("./schema.ts");
  const problems: string[] = [];
  const read = readData(root, "incidents/reserved.json", reservedFile, problems);
  if (read === undefined) throw new CatalogError(`CASE_UNREADABLE: ${problems.join("\n")}`);
  return read;
}

/** Case folders sorted by number; anything in `incidents/` that is not named like a case is left alone. */
export function caseFolders(root: string): { name: string; number: string; slug: string }[] {
  return readdirSync(join(root, "incidents"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
    .flatMap((name) => {
      const [, number, slug] = FOLDER.exec(name) ?? [];
      return number === undefined || slug === undefined ? [] : [{ name, number, slug }];
    });
}

function clashes(cases: readonly Case[], reserved: readonly Reserved[]): string[] {
  const twice = (numbers: readonly string[], what: string) =>
    numbers
      .filter((number, index) => numbers.indexOf(number) !== index)
      .map((number) => `number ${number} is used twice in ${what}. A case number is never reused: take the next free one.`);
  const moved = cases.flatMap((item) => {
    const promise = reserved.find((other) => other.number === item.number);
    return promise === undefined || promise.slug === item.slug
      ? []
      : [`${item.folder}: number ${item.number} is promised to "${promise.slug}" in incidents/reserved.json.`];
  });
  return [
    ...twice(cases.map((item) => item.number), "incidents/"),
    ...twice(reserved.map((item) => item.number), "incidents/reserved.json"),
    ...moved,
  ];
}
