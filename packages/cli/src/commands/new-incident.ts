/**
 * `casebook new incident <slug>`: a new case folder from the template. It is written beside its place and renamed into it, so
 * that it is there whole or not at all; the folder beside is named by the number, so that two at a time never take the same one.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, clean, documentText } from "../answer.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import { caseFolders, readReserved } from "../catalog/catalog.ts";
import { checkSlug, chooseNumber, filesOf, type NewCase, type Taken } from "../catalog/new-case.ts";
import { readNumbers } from "../catalog/numbers.ts";
import { UsageError } from "../usage-error.ts";

export interface NewIncidentOptions {
  readonly number: string | undefined;
  readonly json: boolean;
}

const FILES = ["README.md", "case.json", "guard.test.ts", "proof.test.ts", "repro.ts"] as const;
/** As often as others may take the number that was just chosen. */
const MAX_ATTEMPTS = 20;

export async function newIncident(root: string, slug: string, { number, json }: NewIncidentOptions): Promise<Answer> {
  checkSlug(slug);
  const template = templateFiles(root);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const made = caseAt(chooseNumber(slug, number, await takenIn(root)), slug);
    const claim = claimNumber(root, made.number);
    try {
      // Somebody else may have finished between the look and the claim; from here on nobody takes this number.
      if (chooseNumber(slug, number, await takenIn(root)) === made.number) {
        const files = filesOf(made, template, await readReserved(root));
        for (const [name, text] of Object.entries(files)) writeFileSync(join(claim, name), text);
        renameSync(claim, join(root, made.folder));
        return clean(json ? documentText({ created: { ...made, files: Object.keys(files) }, next: nextSteps(made).map(({ command }) => command) }) : asText(made));
      }
    } catch (thrown) {
      rmSync(claim, { recursive: true, force: true });
      throw cannotWrite(thrown);
    }
    rmSync(claim, { recursive: true, force: true });
  }
  throw new UsageError(`${MAX_ATTEMPTS} numbers in a row were taken by others at the same moment. Type it again.`);
}

function caseAt(number: string, slug: string): NewCase {
  return { number, slug, folder: `incidents/${number}-${slug}` };
}

async function takenIn(root: string): Promise<Taken> {
  return { numbers: await readNumbers(root), folders: caseFolders(root), reserved: await readReserved(root) };
}

function templateFiles(root: string): Record<string, string> {
  try {
    return Object.fromEntries(FILES.map((name) => [name, readFileSync(join(root, "template", name), "utf8")]));
  } catch (thrown) {
    throw new CatalogError(`CASE_UNREADABLE: template/ is not whole (${codeOf(thrown)}). A new case is a copy of it: get it back from the repository.`);
  }
}

/** Makes the folder that stands for the number while the case is written. */
function claimNumber(root: string, number: string): string {
  const name = `incidents/.${number}.new`;
  try {
    mkdirSync(join(root, name));
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw cannotWrite(thrown);
    throw new UsageError(`another \`casebook new\` is making number ${number}, or one was interrupted: ${name} exists. Let it finish, or remove that folder; then type it again.`);
  }
  return join(root, name);
}

function cannotWrite(thrown: unknown): unknown {
  const code = codeOf(thrown);
  if (!/^E[A-Z]+$/.test(code)) return thrown;
  return new UsageError(`incidents/ could not be written (${code}), and a new case is a folder in it. Nothing is left of the attempt. Make it writable, or clone the repository where you may write.`);
}

function codeOf(thrown: unknown): string {
  return String((thrown as NodeJS.ErrnoException).code ?? thrown);
}

function nextSteps({ folder }: NewCase): { what: string; command: string }[] {
  return [
    { what: `Tell your story. docs/write-a-case.md takes fifteen minutes; see it run:`, command: `npx tsx ${folder}/repro.ts` },
    { what: "Renew what is generated from it: its page, the table, the forms.", command: "npx pnpm@10.34.9 cases:write" },
    { what: "See it judged like every other case.", command: "npx pnpm@10.34.9 test" },
  ];
}

function asText(made: NewCase): string {
  const steps = nextSteps(made).map(({ what, command }, index) => `${index + 1}. ${what}\n   ${command}\n`);
  return `${made.folder} is a case that works; its story is still the template's.\n\n${steps.join("")}`;
}
