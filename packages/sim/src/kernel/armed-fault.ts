/** Faults as data: armed before a run, at a named point, and each checked afterwards to have fired. */

/** What can happen at a point that a model reaches with `faults.reach`. */
export const POINT_FAULTS = [
  "error",
  "hang",
  "slow",
  "hold",
  "kill",
  "kill-restart",
  "stop-continue",
  "host-dead",
  "host-unreachable",
  "disk-full",
  "clock-jump",
  "clock-back",
  "clock-freeze",
] as const;

/** What can happen to a message on a link, whose point is `network.<from>-><to>`. */
export const LINK_FAULTS = ["drop", "duplicate", "delay", "reorder", "cut", "blackhole", "reset"] as const;

/** What can happen to a service, armed at a point of anybody or at a call such as `ledger.transition`, and to the answer of one call. */
export const SERVICE_FAULTS = ["service-away", "service-slow", "service-refuses", "service-full", "service-stale", "lost-answer"] as const;

export type ServiceFault = (typeof SERVICE_FAULTS)[number];
export type PointFault = (typeof POINT_FAULTS)[number];
export type LinkFault = (typeof LINK_FAULTS)[number];
export type FaultKind = PointFault | LinkFault | ServiceFault;

export const FAULT_KINDS: readonly FaultKind[] = [...POINT_FAULTS, ...LINK_FAULTS, ...SERVICE_FAULTS];

export interface ArmedFault {
  /** The point, or the link as `network.<from>-><to>`. */
  readonly at: string;
  readonly kind: FaultKind;
  /** Fires when the point is reached for the nth time, from 1. Default 1. */
  readonly nth?: number;
  /** And at so many reaches in a row. Default 1. */
  readonly times?: number;
  /** Counts and hits this process only. Default: any. */
  readonly process?: string;
  /** Counts from the firing of this other armed fault on, by its position. Default: from the start. */
  readonly after?: number;
  /** Of `error`. Default EIO. */
  readonly errno?: string;
  /** Of `clock-freeze`, `slow`, `delay`, `stop-continue`, `kill-restart`, `host-unreachable`, `disk-full`, `cut`, `blackhole`, `service-…`: for how long. Default 60,000. */
  readonly forMs?: number;
  /** Of `hold`: the point whose next reach lets go; without it only the heal phase does. */
  readonly until?: string;
  /** Of `clock-jump` and `clock-back`: so far forward, or so far back, default 3,600,000. Of `service-slow`: longer by so much a call, default 1,000. */
  readonly byMs?: number;
  /** Of `service-…`, at a point that is no call of the service: which one. */
  readonly service?: string;
}

/** What every step touches that a fault is armed at: each counts, and one may count from another on. */
export const ARMED_FAULTS = "armed faults";

export const DEFAULT_FOR_MS = 60_000;
export const DEFAULT_JUMP_MS = 3_600_000;

export interface FaultState {
  readonly fault: ArmedFault;
  reaches: number;
  fired: number;
}

export function isLinkFault(kind: FaultKind): kind is LinkFault {
  return (LINK_FAULTS as readonly string[]).includes(kind);
}

/** Counts the reach and says whether the fault is due at it. */
export function isDue(state: FaultState, process: string): boolean {
  const { fault } = state;
  if (fault.process !== undefined && fault.process !== process) return false;
  state.reaches += 1;
  const nth = fault.nth ?? 1;
  return state.reaches >= nth && state.reaches < nth + (fault.times ?? 1);
}

/** `kill at dispatcher.after-intent`, with what differs from the defaults. */
export function faultText(fault: ArmedFault): string {
  const { at, kind, nth = 1, times = 1, process, after, errno, forMs, until, byMs, service } = fault;
  const more = [
    nth === 1 ? "" : ` at reach ${nth}`,
    times === 1 ? "" : ` ${times} times`,
    process === undefined ? "" : ` of ${process}`,
    after === undefined ? "" : ` once fault ${after + 1} has fired`,
    errno === undefined ? "" : ` with ${errno}`,
    forMs === undefined ? "" : ` for ${forMs} ms`,
    until === undefined ? "" : ` until ${until}`,
    byMs === undefined ? "" : ` by ${byMs} ms`,
    service === undefined ? "" : ` to ${service}`,
  ].join("");
  return `${kind} at ${at}${more}`;
}
