/** The rows A0 to A3 of case 008: one approval, and the same operation with one thing changed. A4 is a row of receipts. */
import { approve, type ApprovedRun, type Operation, runApproved } from "./approval.ts";

interface AuthorityRow {
  readonly change: string;
  readonly actor?: "another";
  /** What is no part of the input: a row that changes it changes nothing, and cannot show that two people are told apart. */
  readonly outside?: { readonly session?: string; readonly human?: string };
}

export const AUTHORITY_ROWS = {
  A0: { change: "same actor, same session" },
  A1: { change: "another actor reuses the approval", actor: "another" },
  A2: { change: "same actor, another session", outside: { session: "session-2" } },
  A3: { change: "a different human who is not part of the input", outside: { human: "somebody else" } },
} as const satisfies Readonly<Record<string, AuthorityRow>>;

export type AuthorityRowId = keyof typeof AUTHORITY_ROWS;

/** `session`, `human`: who and where it is; the check takes an operation, which has no place for them. */
interface Request extends Operation {
  readonly session: string;
  readonly human: string;
}

export async function playAuthorityRow(id: AuthorityRowId): Promise<ApprovedRun> {
  const row: AuthorityRow = AUTHORITY_ROWS[id];
  const first: Request = { actor: { id: "ADMIN", role: "ADMIN" }, operation: "delete-branch", payload: { branch: "old" }, session: "session-1", human: "somebody" };
  const second: Request = { ...first, ...row.outside, actor: row.actor === "another" ? { id: "OPS", role: "ADMIN" } : first.actor };
  let calls = 0;
  const run = await runApproved(approve("approval-1", first), second, () => Promise.resolve(void (calls += 1)));
  return { ...run, calls };
}
