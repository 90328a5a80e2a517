/** The report as one JSON document; its schema is published as `schema/doctor-report.schema.json`. */
import type { DoctorReport } from "../doctor-report.ts";
import { redact, redactCommand, type Redaction } from "./redact.ts";

/** Every text in it is redacted as a person would see it, keys excepted: those are ours. A count that is no number is left out. */
export function writeReportJson(report: DoctorReport, redaction: Redaction): string {
  const clean = (key: string, value: unknown): unknown => {
    if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
    if (typeof value !== "string") return value;
    return key === "verify" || key === "tryThis" ? redactCommand(value, redaction) : redact(value, redaction);
  };
  return `${JSON.stringify(report, clean, 2)}\n`;
}
