/** What an entry has to be, field by field. Says nothing about whether a cron expression means anything: that is the scheduler's. */
import * as z from "zod";
import { isInstantMs, isInstantText } from "./instant.ts";

export const MAX_ID_LENGTH = 200;

/** An id becomes a file name and a word in a log line, so it may hold no separator and nothing that breaks a line. */
export function isTaskId(id: string): boolean {
  if (id.trim() === "" || id === "." || id === ".." || id.length > MAX_ID_LENGTH) return false;
  return !/[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(id);
}

/** The fields that are read. Every other key of an entry is kept and not looked at. */
export const entrySchema = z.object({
  id: z.string().refine(isTaskId),
  enabled: z.boolean().default(true),
  fireAt: z.number().refine(isInstantMs).optional(),
  cronExpression: z.string().refine((text) => text.trim() !== "").optional(),
  zone: z.string().refine((text) => text.trim() !== "").optional(),
  lastRunAt: z.string().refine(isInstantText).nullable().optional(),
});

export type CheckedEntry = z.output<typeof entrySchema>;
export type EntryField = keyof typeof entrySchema.shape;

export const ENTRY_FIELDS = Object.keys(entrySchema.shape) as readonly EntryField[];

export const FIELD_RULES = {
  id: {
    code: "ID_INVALID",
    wanted: `text of 1 to ${MAX_ID_LENGTH} characters without / \\ or control characters, and not . or ..`,
  },
  enabled: { code: "ENABLED_INVALID", wanted: "true, false or no such key, which means true" },
  fireAt: { code: "FIRE_AT_INVALID", wanted: "a whole number of milliseconds since 1970" },
  cronExpression: { code: "CRON_EXPRESSION_INVALID", wanted: "non-empty text" },
  zone: { code: "ZONE_INVALID", wanted: "non-empty text" },
  lastRunAt: { code: "LAST_RUN_AT_INVALID", wanted: "an ISO-8601 date and time with Z or an offset, or null" },
} as const satisfies Record<EntryField, { code: string; wanted: string }>;
