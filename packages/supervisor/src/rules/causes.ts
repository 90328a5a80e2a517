/** Why a run ended: the closed list. A record whose cause is not here is one that nobody can act on. */
export const CAUSES = [
  "completed",
  "cancelled_by_operator",
  "deadline",
  "deadlock",
  "budget_tokens",
  "budget_tool_calls",
  "budget_agents",
  "failed",
  "unclassified",
] as const;

export type Cause = (typeof CAUSES)[number];

export type RunState = "running" | TerminalState;
export const TERMINAL_STATES = ["completed", "cancelled", "failed"] as const;
export type TerminalState = (typeof TERMINAL_STATES)[number];

/** What can run out beside the time. */
export const COUNTERS = ["tokens", "toolCalls", "agents"] as const;
export type Counter = (typeof COUNTERS)[number];

export const CAUSE_OF_COUNTER: Readonly<Record<Counter, Cause>> = {
  tokens: "budget_tokens",
  toolCalls: "budget_tool_calls",
  agents: "budget_agents",
};

export function stateOf(cause: Cause): TerminalState {
  if (cause === "completed") return "completed";
  return cause === "failed" ? "failed" : "cancelled";
}
