/** The shape of `case.json` and `reserved.json`. Closed vocabularies; an unknown field is an error, because it is a misspelt known one. */
import { z } from "zod";

export const LAYERS = ["storage", "registry", "scheduling", "observation", "dispatch", "supervision", "governance"] as const;
export const EVIDENCE = ["public-issue", "public-source", "article", "journal", "injected-only"] as const;
export const OUTCOMES = ["reproduced", "not reproduced", "partial", "not run"] as const;

/** A real calendar day: 2026-02-30 is refused. */
const day = z.iso.date();
const text = z.string().trim().min(1);

/** What `casebook report` leaves for a person to fill in. */
const filledIn = text.regex(/^[^<]/, "still the placeholder");

const reproduction = z.strictObject({
  by: filledIn,
  outcome: z.enum(OUTCOMES),
  caseVersion: text,
  os: text,
  runtime: text,
  counters: z.array(text),
  link: z.url(),
  on: day,
});

const base = {
  title: text,
  layer: z.enum(LAYERS),
  evidence: z.array(z.enum(EVIDENCE)).min(1),
  /** When it happened, as far as is known. */
  occurred: text,
  versions: text,
  platform: text,
  /** `state`: as the tracker showed it on that day, or `not read`. `relation`: what it has to do with this case, when it is not its report. */
  upstream: z.array(
    z.strictObject({ url: z.url(), state: z.enum(["open", "closed", "closed as stale", "not read"]), checkedOn: day, relation: text.optional() }),
  ),
  /** The layout that its disk shows to the doctor, or none and why. */
  doctor: z.union([z.strictObject({ layout: text }), z.strictObject({ none: text })]),
  reproductions: z.array(reproduction),
};

export const caseFile = z.discriminatedUnion("status", [
  z.strictObject({ ...base, status: z.literal("reproduced") }),
  z.strictObject({ ...base, status: z.literal("deprecated"), reason: text }),
]);

const number = z.string().regex(/^\d{3}$/, "three digits");
const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "kebab-case");

export const numbersFile = z.record(number, slug);

export const reservedFile = z.array(
  z.strictObject({
    number,
    slug,
    title: text,
    layer: z.enum(LAYERS),
    evidence: z.array(z.enum(EVIDENCE)).min(1),
    source: text,
  }),
);
