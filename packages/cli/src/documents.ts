/**
 * The documents that `--json` prints, one shape for each command. Published as JSON Schema in `schema/`, generated from here.
 * `casebook test --json` prints the result document of `@casebook/verdict` instead.
 */
import { FAULT_KINDS, type FaultKind } from "@casebook/sim/kernel";
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

const count = z.int().min(0);
const systemName = z.string().describe("The case and the variant, such as 005/claim.");

const finding = z.object({
  check: z.string(),
  says: z.string(),
  faults: z.array(z.string()).describe("Of the shrunk execution, as people read them."),
  arms: count.describe("Arms in which the check failed."),
  switches: count.describe("Of the shrunk execution: how often a process was left that could have gone on."),
  steps: count,
  before: z.object({ faults: count, switches: count, steps: count }).describe("Of the execution that was found first."),
  isLeast: z.boolean().describe("Whether every execution with fewer switches was tried, and holds."),
  tried: count,
  token: z.string().describe("For `casebook replay`."),
});

const searchedSystem = z
  .object({
    system: systemName,
    claim: z.string(),
    expected: z.enum(["holds", "fails"]),
    verdict: z.enum(["exhausted", "sampled", "failed", "not-run", "interrupted"]).describe("What the search came to; never a bare pass."),
    outcome: z.enum(["as expected", "not as expected", "no verdict"]).describe("What the exit code is judged by."),
    arms: z.object({ planned: count, exhausted: count, sampled: count, failed: count, notRun: count }),
    executions: count,
    blocked: count.describe("Executions given up because an equivalent one was played."),
    steps: count,
    bounds: z.object({ budget: count, seed: count, strategy: z.string(), reduction: z.string(), faults: z.string(), durability: z.enum(["kill", "posix-min"]), pairs: z.object({ drawn: count, of: count }).optional() }),
    notRunBecause: z.array(z.string()),
    cells: z.array(z.object({ point: z.string(), kind: z.string(), fired: count.describe("Executions in which it fired; 0 is a cell that was not run.") })),
    pairsNotMet: count,
    sometimes: z.array(z.object({ name: z.string(), executions: count.describe("0 is a gap in the search.") })),
    findings: z.array(finding),
  })
  .refine(({ arms }) => arms.planned === arms.exhausted + arms.sampled + arms.failed + arms.notRun, "the arms do not add up");

export const exploreDocument = z
  .object({
    schemaVersion,
    case: caseNumber,
    systems: z.array(searchedSystem),
    notSearched: z.array(systemName).describe("Selected, and not begun when the search was interrupted."),
    saved: z.array(z.string()).describe("Files that were written, with --save."),
  })
  .describe("casebook explore --json");

const armedFault = z.strictObject({
  at: z.string(),
  kind: z.enum(FAULT_KINDS as [FaultKind, ...FaultKind[]]),
  nth: count.optional(),
  times: count.optional(),
  process: z.string().optional(),
  after: count.optional(),
  errno: z.string().optional(),
  forMs: z.number().optional(),
  until: z.string().optional(),
  byMs: z.number().optional(),
  service: z.string().optional(),
});

/** The same shape as `TraceDocument` of `@casebook/explore`; strict, because it is read again. */
export const traceDocument = z
  .strictObject({
    schemaVersion,
    system: systemName,
    claim: z.string(),
    kernel: count,
    source: z.string().describe("First digits of the SHA-256 of the repro."),
    token: z.string(),
    hash: z.string().regex(/^[0-9a-f]{16}$/),
    startedAtMs: z.number().describe("Virtual instant of the start, in epoch milliseconds."),
    ending: z.strictObject({ how: z.string(), says: z.string() }),
    judged: z.strictObject({ verdict: z.enum(["holds", "fails", "not-run"]), check: z.string(), says: z.string() }),
    faults: z.array(z.strictObject({ armed: armedFault, text: z.string(), fired: count })),
    choices: z.array(count),
    processes: z.array(z.strictObject({ name: z.string(), host: z.string(), isDaemon: z.boolean(), lives: count, status: z.string() })),
    steps: z.array(
      z.strictObject({
        number: count.describe("From 1."),
        atMs: z.number().describe("Virtual milliseconds since the start."),
        process: z.string(),
        host: z.string(),
        life: count,
        operation: z.string(),
        object: z.string(),
        outcome: z.string().describe("`ok`, `held`, or the code of an error."),
        detail: z.string(),
        cause: count.describe("Number of the step whose code made the call; 0: it was made at the start."),
        options: count.describe("How many operations could be taken."),
        taken: count.describe("Which of them was, from 0."),
        fired: z.array(count).describe("Positions in `faults`."),
        isHealing: z.boolean(),
      }),
    ),
    changes: z.array(z.strictObject({ step: count, process: z.string(), status: z.string(), life: count })).describe("What became of processes; step 0: it was so at the start."),
    disks: z
      .array(z.strictObject({ step: count, host: z.string(), pending: z.array(z.string()) }))
      .describe("Under posix-min, after each step that changed it: what of a disk a power loss would take. A disk with more than 500 records is noted no more."),
  })
  .describe("casebook replay --json, and the files of casebook explore --save");

export const DOCUMENTS = { list: listDocument, run: runDocument, explain: explainDocument, explore: exploreDocument, trace: traceDocument, new: newDocument, report: reportDocument, error: errorDocument } as const;

/** The published schema of one document, as it stands in `schema/<name>.schema.json`. */
export function schemaText(name: keyof typeof DOCUMENTS): string {
  return `${JSON.stringify(z.toJSONSchema(DOCUMENTS[name], { io: "output" }), undefined, 2)}\n`;
}

