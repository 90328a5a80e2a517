/** The shape of the JSON report, for readers in other languages. Loaded only where a schema is wanted. */
import { z } from "zod";

const place = z.object({
  path: z.string(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  pointer: z.string().optional(),
  byteOffset: z.number().int().optional(),
});

const counts = z.object({ planned: z.number().int(), passed: z.number().int(), failed: z.number().int(), notRun: z.number().int() });

const finding = z.object({
  guard: z.string(),
  subject: z.string(),
  message: z.string(),
  counts: z.record(z.string(), z.number()),
  severity: z.enum(["alarm", "warning", "information"]),
  where: place.optional(),
  what: z.string(),
  why: z.string(),
  proof: z.array(z.string()),
  fix: z.object({ step: z.string(), risk: z.string() }),
  verify: z.string(),
  case: z.string().optional(),
  confidence: z.enum(["measured", "inferred"]).describe("inferred: some other reading fits what is known too"),
  tasks: z.array(z.string()),
});

const slots = {
  due: z.number().int().optional().describe("absent: which slots there are is not known"),
  claimed: z.number().int().optional(),
  seen: z.number().int().optional().describe("absent: nobody could look"),
  withoutTrace: z.number().int().describe("missed, or claimed and not seen"),
  discarded: z.number().int().describe("passed while the machine slept, as far as anybody can tell, and dropped as the product says"),
  unjudged: z.number().int().describe("due is seen + withoutTrace + discarded + unjudged"),
};

const row = z.object({
  subject: z.string(),
  kind: z.enum(["task", "layout", "place", "work", "run"]),
  layout: z.string(),
  place: z.string(),
  verdict: z.enum(["PASS", "FAIL", "NOT RUN"]),
  ...slots,
  because: z.string(),
  reason: z.string().optional(),
});

const work = z.object({
  task: z.string(),
  layout: z.string(),
  place: z.string(),
  state: z.string().describe("the folder or the status that it is in; conflict, missing, unknown"),
  responsible: z.string().describe("whose work it is; empty where nobody says"),
  fact: z.string(),
  openAction: z.string().describe("none: nothing is open"),
  mayDecide: z.string(),
  failures: z.array(z.string()).describe("earlier attempts that failed or were refused"),
});

const run = z.object({
  run: z.string(),
  layout: z.string(),
  place: z.string(),
  state: z.string(),
  cause: z.string().optional().describe("absent: none is on record"),
  waits: z.array(z.object({ who: z.string(), forWhom: z.string(), over: z.string(), sinceMs: z.number() })),
  leases: z.number().int().describe("items in hand"),
  leasesPastExpiry: z.number().int(),
  obligations: z.number().int(),
  obligationsOpen: z.number().int(),
  items: z.number().int(),
  itemsDone: z.number().int(),
  itemsOpen: z.number().int().describe("neither done nor failed nor dropped"),
  line: z.string(),
  record: z
    .object({ why: z.string(), resume: z.string(), look: z.string() })
    .optional()
    .describe("its one terminal record in words; absent: it has none, or none that can be relied on"),
});

export const reportShape = z
  .object({
    schemaVersion: z.literal(1),
    tool: z.object({ name: z.string(), version: z.string() }),
    window: z.object({ fromMs: z.number(), toMs: z.number() }),
    layouts: z.array(z.object({ id: z.string(), confidence: z.string(), places: z.array(z.string()), files: z.number().int() })),
    totals: z.object(slots).describe("the sums of the rows"),
    rows: z.array(row),
    findings: z.array(finding),
    work: z.array(work).describe("tasks that were handed out: what is the case, what is to be done, who may decide it"),
    runs: z.array(run).describe("runs of several agents, as a ledger has them"),
    outside: z.array(z.object({ check: z.string(), because: z.string() })),
    looked: z.array(z.object({ path: z.string(), found: z.string() })),
    candidates: z.array(z.object({ path: z.string(), what: z.string(), tryThis: z.string() })),
    notes: z.array(z.string()),
    tally: counts.describe("planned is passed + failed + notRun, and the number of rows"),
  })
  .describe("casebook doctor --json");

export function reportSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(reportShape, { io: "output" }), undefined, 2)}\n`;
}
