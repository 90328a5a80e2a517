/** The report as one JSON document; its schema is published as `schema/doctor-report.schema.json`. */
import type { DoctorReport } from "../doctor-report.ts";
import { redact, type Redaction } from "./redact.ts";

/** Every text in it is redacted as a person would see it, keys excepted: those are ours. */
export function writeReportJson(report: DoctorReport, redaction: Redaction): string {
  const clean = (_key: string, value: unknown): unknown => {
    if (value === Number.NEGATIVE_INFINITY || value === Number.POSITIVE_INFINITY) return null;
    return typeof value === "string" ? redact(value, redaction) : value;
  };
  return `${JSON.stringify(report, clean, 2)}\n`;
}
