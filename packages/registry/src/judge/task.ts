/** What a registry entry says once it has been read: the shape every later part trusts. */

export type Schedule =
  /** A one-shot: one instant, milliseconds since the epoch. */
  | { readonly kind: "once"; readonly atMs: number }
  /** Five cron fields, read in `zone` (an IANA name), or in the scheduler's own zone when undefined. */
  | { readonly kind: "cron"; readonly expression: string; readonly zone: string | undefined };

export interface Task {
  readonly id: string;
  readonly enabled: boolean;
  readonly schedule: Schedule;
  /** What the registry claims about the last run. A claim, not evidence. */
  readonly lastRunAtMs: number | undefined;
}
