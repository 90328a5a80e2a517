/** What a run consists of: its items, its agents and its budget. */
export interface ItemSpec {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly locks?: readonly string[];
  /** How long its tool works. */
  readonly toolMs: number;
  readonly tokens?: number;
}

export interface AgentSpec {
  readonly name: string;
  /** Begun by this agent and not by the supervisor. */
  readonly children?: readonly AgentSpec[];
}

export interface BudgetSpec {
  readonly wallClockMs: number;
  readonly tokens: number;
  readonly toolCalls: number;
  readonly agents: number;
}

export const DEFAULT_BUDGET: BudgetSpec = { wallClockMs: 900_000, tokens: 1_000_000, toolCalls: 1_000, agents: 12 };

export interface RunSpec {
  readonly id: string;
  readonly items: readonly ItemSpec[];
  readonly agents: readonly AgentSpec[];
  readonly budget: BudgetSpec;
  /** What an earlier run has done, which is not done again: name and address. */
  readonly done?: readonly { readonly item: string; readonly uri: string }[];
}
