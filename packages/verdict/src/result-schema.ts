/**
 * The result document as a zod schema. Reached by dynamic import only: zod costs 70 ms, and most
 * who want the words never read a document. `result-document.schema.json` is generated from this.
 */

import * as z from "zod";

import { NOT_RUN_REASONS, tallyOf } from "./words/index.ts";
import { RESULT_SCHEMA_VERSION, type ResultDocument } from "./result-document.ts";

const location = z.looseObject({
  file: z.string(),
  line: z.int().min(1).exactOptional(),
  column: z.int().min(1).exactOptional(),
});

const evidence = z.looseObject({
  command: z.string().exactOptional(),
  versions: z.record(z.string(), z.string()).exactOptional(),
  exitCode: z.int().exactOptional(),
  firstLines: z.array(z.string()).exactOptional(),
});

const common = {
  id: z.string().min(1),
  title: z.string(),
  note: z.string().exactOptional(),
  location: location.exactOptional(),
};

const result = z.discriminatedUnion("verdict", [
  z.looseObject({ ...common, verdict: z.literal("PASS"), evidence: evidence.exactOptional() }),
  z.looseObject({
    ...common,
    verdict: z.literal("FAIL"),
    message: z.string(),
    evidence: evidence.exactOptional(),
    annotation: z.string().exactOptional(),
  }),
  z.looseObject({
    ...common,
    verdict: z.literal("NOT RUN"),
    reason: z.enum(NOT_RUN_REASONS),
    message: z.string(),
    evidence,
  }),
]);

const count = z.int().min(0);

const outside = z.looseObject({
  ...common,
  kind: z.enum(["skipped", "todo", "unsupported"]),
});

const finding = z.looseObject({
  guard: z.string().min(1),
  subject: z.string(),
  message: z.string(),
  counts: z.record(z.string(), z.number()),
});

const shape = z.looseObject({
  schemaVersion: z.literal(RESULT_SCHEMA_VERSION),
  tool: z.looseObject({ name: z.string().min(1), version: z.string() }),
  selection: z.array(z.string()),
  results: z.array(result),
  tally: z.looseObject({ planned: count, passed: count, failed: count, notRun: count }),
  outside: z.array(outside),
  findings: z.array(finding),
});

export const resultDocumentSchema: z.ZodType<ResultDocument> = shape.superRefine(
  (document, context) => {
    const counted = tallyOf(document.results);
    for (const key of ["planned", "passed", "failed", "notRun"] as const) {
      if (counted[key] === document.tally[key]) continue;
      context.addIssue({
        code: "custom",
        path: ["tally", key],
        message: `says ${document.tally[key]}, but the results hold ${counted[key]}`,
      });
    }
    const seen = new Set<string>();
    document.results.forEach(({ id }, index) => {
      if (seen.has(id)) {
        context.addIssue({ code: "custom", path: ["results", index, "id"], message: "is used twice" });
      }
      seen.add(id);
    });
  },
);

/** The JSON Schema (draft 2020-12) that is published beside the package. It cannot say that the tally adds up. */
export function resultJsonSchema(): Record<string, unknown> {
  return {
    $comment: "Generated from result-schema.ts; a test compares the two.",
    title: "casebook result document, version 1",
    ...z.toJSONSchema(shape),
  };
}

/** One line per thing that is wrong, with the place: `results[3].reason: ...`. At most `limit` lines. */
export function schemaProblems(error: z.ZodError, limit: number): string[] {
  const lines = error.issues.map(({ path, message }) => `${pathText(path)}: ${message}`);
  const more = lines.length - limit;
  return more > 0 ? [...lines.slice(0, limit), `and ${more} more`] : lines;
}

function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "document";
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
