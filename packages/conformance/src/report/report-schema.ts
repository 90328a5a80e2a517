/** The report as a zod schema. Reached by dynamic import only. `schema/conformance-report.schema.json` is generated from this. */
import { NOT_RUN_REASONS } from "@casebook/verdict/words";
import * as z from "zod";
import { type ConformanceReport, REPORT_SCHEMA } from "./report.ts";

const count = z.int().min(0);
const words = z.array(z.string());

const failure = z.looseObject({
  check: z.string().min(1),
  sentence: z.string(),
  seen: z.string().min(1),
  under: words,
  partsAtStep: count.exactOptional(),
  diagram: z.string(),
  replay: z.string(),
  case: z.string(),
});

const played = z.looseObject({ executions: count, faultSets: count, faultSetsOf: count });
const head = { number: z.string().min(1), sentence: z.string().min(1), from: z.string().min(1) };
const asked = { ...head, level: z.enum(["required", "recommended"]), case: z.string().exactOptional(), guards: words.exactOptional(), needs: words.exactOptional() };

const rule = z.discriminatedUnion("verdict", [
  z.looseObject({ ...asked, verdict: z.literal("PASS"), played }),
  z.looseObject({ ...asked, verdict: z.literal("FAIL"), played, failures: z.array(failure).min(1) }),
  z.looseObject({ ...asked, verdict: z.literal("NOT RUN"), played: played.exactOptional(), reason: z.enum(NOT_RUN_REASONS), says: z.string().min(1) }),
  z.looseObject({ ...asked, verdict: z.literal("unsupported"), says: z.string().min(1) }),
  z.looseObject({ ...head, level: z.literal("not-checked"), verdict: z.literal("not checked"), says: z.string().min(1) }),
]);

const shape = z.looseObject({
  schema: z.literal(REPORT_SCHEMA),
  subject: z.looseObject({ name: z.string().min(1), version: z.string().min(1), capabilities: words, limits: z.looseObject({ leaseMs: count.exactOptional() }) }),
  distance: z.enum(["in-process", "json-lines"]),
  seed: z.number(),
  share: z.number(),
  selected: z.string(),
  planned: count,
  passed: count,
  failed: count,
  notRun: count,
  unsupported: count,
  notChecked: count,
  rules: z.array(rule),
});

export const reportSchema = shape.superRefine((report, context) => {
  const counts = { passed: "PASS", failed: "FAIL", notRun: "NOT RUN", unsupported: "unsupported", notChecked: "not checked" } as const;
  for (const [name, verdict] of Object.entries(counts) as [keyof typeof counts, string][]) {
    const counted = report.rules.filter((one) => one.verdict === verdict).length;
    if (counted !== report[name]) context.addIssue({ code: "custom", path: [name], message: `says ${report[name]}, but the rules hold ${counted}` });
  }
  if (report.planned !== report.passed + report.failed + report.notRun) context.addIssue({ code: "custom", path: ["planned"], message: `says ${report.planned}, which is not the sum of passed, failed and not run` });
}) as unknown as z.ZodType<ConformanceReport>;

/** JSON Schema (draft 2020-12). It cannot say that the counts add up. */
export function reportJsonSchema(): Record<string, unknown> {
  return { $comment: "Generated from report-schema.ts; a test compares the two.", title: "casebook conformance report, version 1", ...z.toJSONSchema(shape) };
}
