/** What a new case is called, which number it gets, and what stands in its files. Pure: names and texts in, texts out. */
import { UsageError } from "../usage-error.ts";
import { type Case, type CaseFile, type Reserved, TEMPLATE_NUMBER } from "./catalog.ts";
import { casePage } from "./case-page.ts";
import type { Numbers } from "./numbers.ts";

/** A slug is read in listings and typed in commands. */
const MAX_SLUG_LENGTH = 60;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What is taken already. */
export interface Taken {
  /** Ever given, whether or not the case is still there. */
  readonly numbers: Numbers;
  readonly folders: readonly { readonly name: string; readonly number: string; readonly slug: string }[];
  readonly reserved: readonly Reserved[];
}

export function checkSlug(slug: string): void {
  const why = whyNoSlug(slug);
  if (why === undefined) return;
  throw new UsageError(
    `${JSON.stringify(slug)} is no slug: ${why}. Take lower-case letters and digits with single hyphens between, ${MAX_SLUG_LENGTH} characters at most, such as a-lock-that-nobody-removes.`,
  );
}

function whyNoSlug(slug: string): string | undefined {
  if (slug === "") return "it is empty";
  if (/[/\\]|\.\./.test(slug)) return "it is a path, and a case is one folder in incidents/";
  if (/^\d{3}-/.test(slug)) return "it begins with a number, which is chosen for you or given with --number";
  if (/[A-Z]/.test(slug)) return "it has capitals, which some file systems do not tell from small letters";
  if (slug.length > MAX_SLUG_LENGTH) return `it has ${slug.length} characters`;
  return SLUG.test(slug) ? undefined : "it holds something else than letters, digits and single hyphens";
}

/** The reserved number of that slug, or the number asked for, or the lowest that was never given and is promised to nobody. */
export function chooseNumber(slug: string, wanted: string | undefined, taken: Taken): string {
  if (wanted !== undefined && (!/^\d{3}$/.test(wanted) || wanted === TEMPLATE_NUMBER)) {
    throw new UsageError(`${JSON.stringify(wanted)} is no case number. Give three digits from 001 on, or leave --number out for the next free one.`);
  }
  const same = taken.folders.find((folder) => folder.slug === slug);
  if (same !== undefined) throw new UsageError(`incidents/${same.name} exists. Change that case, or take another slug.`);
  const promise = taken.reserved.find((row) => row.slug === slug);
  if (promise !== undefined && wanted !== undefined && wanted !== promise.number) {
    throw new UsageError(`"${slug}" has the number ${promise.number} in incidents/reserved.json. Leave --number out.`);
  }
  const number = promise?.number ?? wanted ?? nextFree(taken);
  const owner = ownerOf(number, taken);
  if (owner !== undefined) {
    throw new UsageError(`number ${number} was given to "${owner}" and is never given to another case. Leave --number out for the next free one (${nextFree(taken)}).`);
  }
  const other = taken.reserved.find((row) => row.number === number && row.slug !== slug);
  if (other !== undefined) {
    throw new UsageError(
      `number ${number} is promised to "${other.slug}" in incidents/reserved.json. To write that case, give its slug; else leave --number out for the next free one (${nextFree(taken)}).`,
    );
  }
  return number;
}

function ownerOf(number: string, { numbers, folders }: Taken): string | undefined {
  return folders.find((folder) => folder.number === number)?.slug ?? numbers[number];
}

function nextFree(taken: Taken): string {
  for (let number = 1; number <= 999; number += 1) {
    const text = String(number).padStart(3, "0");
    if (ownerOf(text, taken) === undefined && !taken.reserved.some((row) => row.number === text)) return text;
  }
  throw new UsageError("all 999 case numbers are taken. A fourth digit is a change of the format: open an issue.");
}

export interface NewCase {
  readonly number: string;
  readonly slug: string;
  /** From the root, with `/`. */
  readonly folder: string;
}

/** The files of the template as those of a new case. It runs as it is; its story is still the template's. */
export function filesOf(made: NewCase, template: Readonly<Record<string, string>>, reserved: readonly Reserved[]): Record<string, string> {
  const promise = reserved.find((row) => row.number === made.number);
  const data = JSON.parse(template["case.json"] ?? "") as CaseFile;
  const title = promise?.title ?? titleOf(made.slug);
  // The example report is the template's. Evidence stays as it is until there is some.
  const own: CaseFile = { ...data, title, layer: promise?.layer ?? data.layer, reproductions: [] };
  const item: Case = { ...own, ...made };
  const named = (text: string) =>
    text.replaceAll("template/repro.ts", `${made.folder}/repro.ts`).replace(new RegExp(String.raw`\b${TEMPLATE_NUMBER}\b`, "g"), made.number);
  return Object.fromEntries(
    Object.entries(template).map(([name, text]) => {
      if (name === "case.json") return [name, `${JSON.stringify(own, undefined, 2)}\n`];
      return [name, name === "README.md" ? casePage(named(text.replaceAll(data.title, title)), item, new Map()) : named(text)];
    }),
  );
}

function titleOf(slug: string): string {
  const words = slug.replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
