/**
 * The documents that `--json` prints, one shape for each command. Published as JSON Schema in `schema/`, generated from here.
 * `casebook test --json` prints the result document of `@casebook/verdict` instead.
 */
import { z } from "zod";
import { caseFile, OUTCOMES, reservedFile } from "./catalog/schema.ts";

const schemaVersion = z.literal(1);
const caseNumber = z.string().regex(/^\d{3}$/);
const fact = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const caseEntry = z.object({
  number: caseNumber,
  slug: z.string(),
  folder: z.string(),
  ...caseFile.options[0].omit({ status: true }).shape,
  status: z.enum(["reproduced", "deprecated"]),
  reason: z.string().optional(),
});

const guardEntry = z.object({
  id: z.string(),
  needs: z.array(z.string()),
  severity: z.enum(["alarm", "warning", "information"]),
  text: z.string(),
  case: caseNumber.optional().describe("Absent when no case shows it yet."),
});

export const listDocument = z
  .object({ schemaVersion, cases: z.array(caseEntry),
    planned: reservedFile,
    unreadable: z.array(z.object({ folder: z.string(), number: caseNumber, problems: z.array(z.string()) })),
  })
  .describe("casebook list --json");

export const runDocument = z
  .object({
    schemaVersion,
    runs: z.array(
      z.object({
        case: caseNumber,
        verdict: z.enum(["OK", "FAIL", "NOT RUN"]).describe("OK: the mechanism was shown, not that anything is healthy."),
        modes: z.array(z.object({ name: z.string(), facts: z.record(z.string(), fact) })),
        twice: z.number().optional().describe("Modes that gave the same trace when they were played again; only with --twice."),
        because: z.string().optional().describe("Why it is not OK: the first differing fact, or what was thrown."),
      }),
    ),
  })
  .describe("casebook run --json");

export const explainDocument = z
  .union([
    z.object({ schemaVersion, guard: guardEntry }),
    z.object({ schemaVersion, case: caseEntry, guards: z.array(guardEntry) }),
  ])
  .describe("casebook explain --json");

export const errorDocument = z
  .object({ schemaVersion, error: z.object({ code: z.string(), message: z.string() }) })
  .describe("What any command prints under --json when it cannot answer.");

export const newDocument = z
  .object({
    schemaVersion,
    created: z.object({ number: caseNumber, slug: z.string(), folder: z.string(), files: z.array(z.string()) }),
    next: z.array(z.string()).describe("Commands, in order, after which the case is judged like every other one."),
  })
  .describe("casebook new incident --json");

export const reportDocument = z
  .object({
    schemaVersion,
    case: caseNumber,
    outcome: z.enum(OUTCOMES).describe("As the person stated it."),
    verdict: z.enum(["OK", "FAIL", "NOT RUN"]).optional().describe("What the run said; absent when nothing was played."),
    contradiction: z.string().optional().describe("Present when outcome and verdict do not go together. Nothing is decided here."),
    block: z.string().describe("The report, Markdown."),
    entry: z.record(z.string(), z.union([z.string(), z.array(z.string())])).describe("For reproductions[] of the case; two fields are to be filled in."),
    form: z.object({
      address: z.string().describe("Prefilled; relative to the repository when its address is not known."),
      holdsReport: z.boolean().describe("False when the report was too long for an address and has to be pasted."),
    }),
  })
  .describe("casebook report --json");

export const DOCUMENTS = { list: listDocument, run: runDocument, explain: explainDocument, new: newDocument, report: reportDocument, error: errorDocument } as const;

/** The published schema of one document, as it stands in `schema/<name>.schema.json`. */
export function schemaText(name: keyof typeof DOCUMENTS): string {
  return `${JSON.stringify(z.toJSONSchema(DOCUMENTS[name], { io: "output" }), undefined, 2)}\n`;
}

