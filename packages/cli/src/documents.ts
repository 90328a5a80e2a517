/**
 * The documents that `--json` prints, one shape for each command. Published as JSON Schema in `schema/`, generated from here.
 * `casebook test --json` prints the result document of `@casebook/verdict` instead.
 */
import { z } from "zod";
import { caseFile, reservedFile } from "./catalog/schema.ts";

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
  .object({ schemaVersion, cases: z.array(caseEntry), planned: reservedFile })
  .describe("casebook list --json");

export const runDocument = z
  .object({
    schemaVersion,
    runs: z.array(
      z.object({
        case: caseNumber,
        verdict: z.enum(["OK", "FAIL", "NOT RUN"]).describe("OK: the mechanism was shown, not that anything is healthy."),
        modes: z.array(z.object({ name: z.string(), facts: z.record(z.string(), fact) })),
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

export const DOCUMENTS = { list: listDocument, run: runDocument, explain: explainDocument, error: errorDocument } as const;

/** The published schema of one document, as it stands in `schema/<name>.schema.json`. */
export function schemaText(name: keyof typeof DOCUMENTS): string {
  return `${JSON.stringify(z.toJSONSchema(DOCUMENTS[name], { io: "output" }), undefined, 2)}\n`;
}

