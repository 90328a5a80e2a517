/**
 * `incidents/numbers.json`: every number that was ever given, and the case it was given to. `cases:write` adds to it; nothing
 * takes away from it, so that a number stays taken when its folder goes.
 */
import { readData } from "./read-data.ts";
import { CatalogError } from "./catalog-error.ts";
import { caseFolders } from "./catalog.ts";

export const NUMBERS_PATH = "incidents/numbers.json";

/** Number to slug. */
export type Numbers = Readonly<Record<string, string>>;

export async function readNumbers(root: string): Promise<Numbers> {
  const { numbersFile } = await import("./schema.ts");
  const problems: string[] = [];
  const numbers = readData(root, NUMBERS_PATH, numbersFile, problems);
  if (numbers === undefined) throw new CatalogError(`CASE_UNREADABLE: ${problems.join("\n")}`);
  return numbers;
}

/** The file as it should be: what it holds, and the folders that are there. A number with another slug is refused. */
export async function numbersText(root: string): Promise<string> {
  const numbers = await readNumbers(root);
  const folders = caseFolders(root);
  const moved = folders.filter(({ number, slug }) => (numbers[number] ?? slug) !== slug);
  if (moved.length > 0) {
    const problems = moved.map(
      ({ name, number }) => `incidents/${name}: number ${number} was given to "${numbers[number]}" and is never given to another one; see ${NUMBERS_PATH}. Take the next free one.`,
    );
    throw new CatalogError(`CASE_UNREADABLE: ${problems.join("\n")}`);
  }
  const all = { ...numbers, ...Object.fromEntries(folders.map(({ number, slug }) => [number, slug])) };
  const lines = Object.keys(all).toSorted().map((number) => `  ${JSON.stringify(number)}: ${JSON.stringify(all[number])}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}
