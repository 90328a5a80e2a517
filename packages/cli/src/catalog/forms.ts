/** The choices in the issue forms, from the data: cases, outcomes, layers, evidence, guards. Everything else in them is written by hand. */
import type { GuardAbout } from "@casebook/guards";
import type { Case, Catalog } from "./catalog.ts";
import { between } from "./render.ts";
import { EVIDENCE, LAYERS, OUTCOMES } from "./schema.ts";

const FORMS = ".github/ISSUE_TEMPLATE";

/** The forms with choices in them, and which choices each has. */
export const FORM_CHOICES = {
  [`${FORMS}/reproduction.yml`]: ["cases", "outcomes"],
  [`${FORMS}/new-case.yml`]: ["layers", "evidence", "guards"],
  [`${FORMS}/correction.yml`]: ["cases"],
} as const satisfies Record<string, readonly Choice[]>;

type Choice = "cases" | "outcomes" | "layers" | "evidence" | "guards";

export function choices(catalog: Pick<Catalog, "cases">, guards: readonly GuardAbout[]): Readonly<Record<Choice, readonly string[]>> {
  return { cases: catalog.cases.map(caseChoice), outcomes: OUTCOMES, layers: LAYERS, evidence: EVIDENCE, guards: guards.map(({ id }) => id) };
}

export function caseChoice({ number, title }: Pick<Case, "number" | "title">): string {
  return `${number} ${title}`;
}

/** A form with its choices renewed. */
export function renderForm(form: string, names: readonly Choice[], all: ReturnType<typeof choices>): string {
  return names.reduce((text, name) => {
    // A JSON text is a YAML text; bare words such as `no` would be taken for something else.
    const lines = all[name].map((choice) => `${INDENT}- ${JSON.stringify(choice)}`);
    return between(text, [`${INDENT}# ${name}:start`, `${INDENT}# ${name}:end`], lines.join("\n"));
  }, form);
}

/** Where the choices of a dropdown stand. */
const INDENT = " ".repeat(8);
