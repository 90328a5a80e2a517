/** Reads a report that somebody else's run wrote. Loads zod on first use, which is why it is async. */
import type { ConformanceReport } from "./report.ts";

export type ReadReport = { readonly outcome: "report"; readonly report: ConformanceReport } | { readonly outcome: "unusable"; readonly code: "REPORT_NOT_JSON" | "REPORT_INVALID"; readonly says: string };

export async function readReport(text: string): Promise<ReadReport> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: "unusable", code: "REPORT_NOT_JSON", says: "REPORT_NOT_JSON: it is no JSON. Was it cut off, or is it another file?" };
  }
  const { reportSchema } = await import("./report-schema.ts");
  const read = reportSchema.safeParse(value);
  if (read.success) return { outcome: "report", report: read.data };
  const [issue] = read.error.issues;
  return { outcome: "unusable", code: "REPORT_INVALID", says: `REPORT_INVALID: ${issue?.path.join(".") || "report"}: ${issue?.message ?? "is no report"}. Read it with the version that wrote it.` };
}
