/** What the kernel throws when no execution can be judged: a reason of NOT RUN and what it says. */
import type { NotRunReason } from "@casebook/verdict";

export interface NoVerdict {
  readonly reason: NotRunReason;
  readonly says: string;
}

const REASONS: Readonly<Record<string, NotRunReason>> = { SYSTEM_NEVER_YIELDS: "unsupported", SYSTEM_NOT_REPEATABLE: "unstable-input" };

export function noVerdict(thrown: unknown): NoVerdict {
  const code = (thrown as { code?: unknown } | undefined)?.code;
  const says = thrown instanceof Error ? thrown.message : String(thrown);
  return { reason: (typeof code === "string" ? REASONS[code] : undefined) ?? "setup-failed", says };
}
