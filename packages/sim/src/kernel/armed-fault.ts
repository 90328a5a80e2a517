/** Faults as data: armed before a run, at a named point, and each checked afterwards to have fired. */
import { WorldError } from "../world-options.ts";

/**
 * What can happen at a point: one that a model reaches with `faults.reach`, a call at the disk port (`disk.rename`), or any port
 * call of a process (`step`). At a call, an error comes in place of what it would have done; all else strikes when the call has
 * taken effect and before its caller hears of it.
 */
export const POINT_FAULTS = [
  "error",
  "hang",
  "slow",
  "hold",
  "kill",
  "kill-restart",
  "stop-continue",
  "host-dead",
  "power-loss",
  "host-unreachable",
  "disk-full",
  "short-write",
  "torn-write",
  "clock-jump",
  "clock-back",
  "clock-freeze",
] as const;

/** What can happen to a message on a link, whose point is `network.<from>-><to>`. */
export const LINK_FAULTS = ["drop", "duplicate", "delay", "reorder", "cut", "blackhole", "reset"] as const;

/** What can happen to an event of a watcher, whose point is `watch.<process>`. */
export const WATCH_FAULTS = ["drop", "duplicate", "delay", "reorder", "merge", "overflow", "reset"] as const;

/** What can happen to a service, armed at a point of anybody or at a call such as `ledger.transition`, and to the answer of one call. */
export const SERVICE_FAULTS = ["service-away", "service-slow", "service-refuses", "service-full", "service-stale", "lost-answer"] as const;

export type PointFault = (typeof POINT_FAULTS)[number];
export type LinkFault = (typeof LINK_FAULTS)[number];
export type WatchFault = (typeof WATCH_FAULTS)[number];
export type ServiceFault = (typeof SERVICE_FAULTS)[number];
export type FaultKind = PointFault | LinkFault | WatchFault | ServiceFault;

export const FAULT_KINDS: readonly FaultKind[] = [...new Set([...POINT_FAULTS, ...LINK_FAULTS, ...WATCH_FAULTS, ...SERVICE_FAULTS])];

export interface ArmedFault {
  /**
   * The point, or the link as `network.<from>-><to>`, or the watchers of a process as `watch.<process>`, or a call at the disk port
   * as `disk.<call>`; or `step`, with a `process`: its nth port call, whatever it is.
   */
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
  /** Of `error`, and of `reset` of a watcher. Default EIO. */
  readonly errno?: string;
  /** Of `clock-freeze`, `slow`, `delay`, `stop-continue`, `kill-restart`, `power-loss`, `torn-write`, `host-unreachable`, `disk-full`, `cut`, `blackhole`, `service-…`: for how long. Default 60,000. */
  readonly forMs?: number;
  /** Of `hold`: the point whose next reach lets go; without it only the heal phase does. */
  readonly until?: string;
  /** Of `clock-jump` and `clock-back`: so far forward, or so far back, default 3,600,000. Of `service-slow`: longer by so much a call, default 1,000. */
  readonly byMs?: number;
  /** Of `service-…`, at a point that is no call of the service: which one. */
  readonly service?: string;
}

/** Where a fault is armed that strikes at the nth port call of a process. */
export const STEP = "step";

/** Begins the name of a point that is a call at the disk port. */
export const DISK_POINT = "disk.";

/** What can happen at any port call, and needs nothing of the call. */
export const STEP_FAULTS: readonly PointFault[] = [
  "hang",
  "slow",
  "kill",
  "kill-restart",
  "stop-continue",
  "host-dead",
  "power-loss",
  "host-unreachable",
  "disk-full",
  "clock-jump",
  "clock-back",
  "clock-freeze",
];

/** What is a part of a write. */
export const WRITE_FAULTS: readonly PointFault[] = ["short-write", "torn-write"];

/** What every step touches that a fault is armed at: each counts, and one may count from another on. */
export const ARMED_FAULTS = "armed faults";

export const DEFAULT_FOR_MS = 60_000;
export const DEFAULT_JUMP_MS = 3_600_000;

export interface FaultState {
  readonly fault: ArmedFault;
  reaches: number;
  fired: number;
}

/** Where a fault strikes: at a moment that code reaches, at a message of a link, at an event of a watcher. */
export type FaultPlace = "point" | "link" | "watch";

const KINDS_AT: Readonly<Record<FaultPlace, readonly string[]>> = { point: [...POINT_FAULTS, ...SERVICE_FAULTS], link: LINK_FAULTS, watch: WATCH_FAULTS };

export function placeOf(point: string): FaultPlace {
  return point.startsWith("network.") ? "link" : point.startsWith(WATCH_POINTS) ? "watch" : "point";
}

export const WATCH_POINTS = "watch.";

export function canStrike(kind: FaultKind, place: FaultPlace): boolean {
  return KINDS_AT[place].includes(kind);
}

/** Throws FAULT_IMPOSSIBLE for a kind that nothing at its point could have done to it. */
export function checkFault(fault: ArmedFault): void {
  const { at, kind, process } = fault;
  const refuse = (why: string): never => {
    throw new WorldError("FAULT_IMPOSSIBLE", `the fault \`${faultText(fault)}\` can never happen: ${why}.`);
  };
  if (at === STEP) {
    if (process === undefined) refuse("at a step it needs the process whose steps are counted. Add `process`");
    if (!STEP_FAULTS.includes(kind as PointFault)) refuse(`at a step there can be ${STEP_FAULTS.join(", ")}`);
  } else if (at.startsWith(DISK_POINT)) {
    const allowed = ["error", ...(at === "disk.write" ? WRITE_FAULTS : []), ...STEP_FAULTS];
    if (!allowed.includes(kind)) refuse(`at ${at} there can be ${allowed.join(", ")}`);
  } else if (placeOf(at) === "watch") {
    if (!canStrike(kind, "watch")) refuse(`at an event of a watcher there can be ${WATCH_FAULTS.join(", ")}`);
  } else if (kind === "merge" || kind === "overflow") refuse("only events of a watcher can merge or be too many. Arm it at watch.<process>");
  else if (WRITE_FAULTS.includes(kind as PointFault)) refuse("only a write can be short or torn. Arm it at disk.write");
}

/** Counts the reach and says whether the fault is due at it. */
export function isDue(state: FaultState, process: string): boolean {
  const { fault } = state;
  if (fault.process !== undefined && fault.process !== process) return false;
  state.reaches += 1;
  const nth = fault.nth ?? 1;
  return state.reaches >= nth && state.reaches < nth + (fault.times ?? 1);
}

/** How far a fault of this kind reaches beyond its own process. A kill reaches its peers through messages only. */
export const REACH: Partial<Record<FaultKind, "host" | "world">> = {
  "host-dead": "host",
  "power-loss": "host",
  "host-unreachable": "world",
  "disk-full": "host",
  "clock-jump": "host",
  "clock-back": "host",
  "clock-freeze": "host",
  "service-away": "world",
  "service-slow": "world",
  "service-refuses": "world",
  "service-full": "world",
  "service-stale": "world",
};

/** How far calls of a process reach when a fault may strike at them, as `step` or as a call at the disk port; undefined: as they are. */
export function reachOfCalls(faults: readonly FaultState[], process: string, at: string): "host" | "world" | undefined {
  let widestSoFar: "host" | "world" | undefined;
  for (const { fault } of faults) {
    if (fault.at !== at || (fault.process !== undefined && fault.process !== process)) continue;
    // Which of several processes comes to the nth reach depends on the order of all of them, and so does what counts from another firing on.
    const reach = fault.process === undefined || fault.after !== undefined ? "world" : REACH[fault.kind];
    if (reach === "world") return reach;
    widestSoFar ??= reach;
  }
  return widestSoFar;
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
