/** Where the outcome that a person states and the verdict of the run do not go together. It is said, and nothing is decided. */
import type { ReproReport } from "@casebook/repro";
import type { CaseFile } from "../catalog/catalog.ts";

export type Outcome = CaseFile["reproductions"][number]["outcome"];

/** The verdicts that each outcome goes with. `partial` is a person's judgement of a run that counted something. */
const GOES_WITH: Readonly<Record<Outcome, readonly ReproReport["verdict"][]>> = {
  reproduced: ["OK"],
  "not reproduced": ["FAIL"],
  partial: ["OK", "FAIL"],
  "not run": ["NOT RUN"],
};

const COUNTED = {
  OK: "the run showed the mechanism (OK)",
  FAIL: "the run counted something else than the page promises (FAIL)",
  "NOT RUN": "the run came to no verdict (NOT RUN)",
} as const;

export function contradiction(outcome: Outcome, verdict: ReproReport["verdict"] | undefined): string | undefined {
  if (verdict === undefined || GOES_WITH[outcome].includes(verdict)) return undefined;
  return `stated is "${outcome}", and ${COUNTED[verdict]}. Both stand in the report; say in --note how they go together.`;
}
