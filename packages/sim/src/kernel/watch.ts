/**
 * Watchers of the disks of hosts. A change is a step of whoever makes it; what a watcher is told of it is an event on its way, delivered
 * in a step of its own, in the order of the changes. Events of one watcher pass no other; those of two watchers come in any order.
 * Without a fault each change makes one event. Leaves out the bound of what is on its way: the world ends as timed out first. What was
 * delivered and not read is bounded (`MAX_UNREAD_EVENTS`).
 */
import { DiskError, type Watch, type Watcher, type WatchEvent } from "@casebook/ports";
import { EventQueue } from "@casebook/ports/watch";
import { changesSeen } from "../disk/changes.ts";
import { findDirectory } from "../disk/operations.ts";
import { partsOfPaths } from "../disk/parts.ts";
import { createStore, type DirectoryInode, type JournalRecord, type Store } from "../disk/store.ts";
import { named } from "../disk/walk.ts";
import type { Part } from "../gate.ts";
import { DEFAULT_FOR_MS, type FaultKind, WATCH_POINTS } from "./armed-fault.ts";
import type { Execution } from "./execution.ts";
import { type OperationPlan, withParts } from "./operation.ts";
import { type HostState, isAlive, type ProcessState } from "./process-state.ts";

/** What is on its way to a watcher. */
interface Tidings {
  /** The word that a watcher broke comes as one more. */
  event: WatchEvent | { readonly kind: "broken"; readonly code: string };
  isOutOfOrder: boolean;
}

interface Subscription {
  readonly process: ProcessState;
  readonly life: number;
  readonly path: string;
  /** Unlike that of any other watcher of its process, in all lives. */
  readonly label: string;
  readonly directory: DirectoryInode;
  /** Delivered and not read. */
  readonly queue: EventQueue;
  /** In the order of the changes; what was held up is not among them. */
  readonly onTheWay: Tidings[];
  isOpen: boolean;
}

/** Of one execution: sorted by process, and by age within one. Which of two processes opened first is no matter to anybody. */
const subscriptions = new WeakMap<Execution, Subscription[]>();
/** How many watchers each process opened, in all lives. */
const opened = new WeakMap<ProcessState, number>();

/** What every step touches that changes the disk of a host, or asks it. */
export function diskKey(host: HostState): string {
  return `disk ${host.name}`;
}

export function watchPoint({ name }: { readonly name: string }): string {
  return `${WATCH_POINTS}${name}`;
}

export function createWatch(execution: Execution, process: ProcessState, life: number): Watch {
  const { host } = process;
  const storeOfHost = (): Store => (host.store ??= createStore(execution.options.epochMs));
  const park = <T>(plan: OperationPlan<T>): Promise<T> => execution.park(process, life, plan);
  const parkAtDisk = <T>(plan: OperationPlan<T>, path?: string): Promise<T> => {
    const whole: OperationPlan<T> = { shared: diskKey(host), access: "read", ...plan };
    return park(execution.keepsParts ? withParts(whole, () => partsOfWatching(storeOfHost(), path)) : whole);
  };
  return {
    open: (path) =>
      parkAtDisk({
        name: "watch.open",
        object: path,
        effect: () => {
          const directory = named("watch", path, () => findDirectory(storeOfHost(), path));
          return watcherOf(execution, subscribe(execution, process, life, path, directory), park, parkAtDisk);
        },
        describe: () => "",
      }, path),
  };
}

type Park = <T>(plan: OperationPlan<T>) => Promise<T>;

function watcherOf(execution: Execution, subscription: Subscription, park: Park, parkAtDisk: Park): Watcher {
  const { queue, label } = subscription;
  return {
    next: () =>
      park({
        name: "watch.next",
        object: label,
        isReady: () => queue.isReady,
        waitsFor: "an event",
        effect: () => queue.take(),
        describe: (event) => (event === undefined ? "closed" : eventText(event)),
      }),
    close: () =>
      parkAtDisk({
        name: "watch.close",
        object: label,
        effect: () => {
          queue.close();
          if (subscription.isOpen) end(execution, subscription);
        },
      }),
  };
}

function subscribe(execution: Execution, process: ProcessState, life: number, path: string, directory: DirectoryInode): Subscription {
  const all = subscriptions.get(execution) ?? [];
  if (!subscriptions.has(execution)) {
    subscriptions.set(execution, all);
    execution.rare.onEnded.push((ended) => {
      for (const one of all) if (one.process === ended) withdraw(execution, one);
    });
  }
  const nth = (opened.get(process) ?? 0) + 1;
  opened.set(process, nth);
  const label = nth === 1 ? path : `${path} (watcher ${nth})`;
  const subscription = { process, life, path, label, directory, queue: new EventQueue(), onTheWay: [], isOpen: true };
  const behind = all.findIndex((one) => one.process.index > process.index);
  all.splice(behind === -1 ? all.length : behind, 0, subscription);
  return subscription;
}

/** Closed or broken. */
function end(execution: Execution, subscription: Subscription): void {
  const all = subscriptions.get(execution) as Subscription[];
  subscription.isOpen = false;
  all.splice(all.indexOf(subscription), 1);
  withdraw(execution, subscription);
}

/** Nothing on its way arrives. */
function withdraw(execution: Execution, subscription: Subscription): void {
  subscription.onTheWay.length = 0;
  execution.withdraw(({ plan }) => plan.belongsTo === subscription);
}

function isListening({ isOpen, process, life }: Subscription): boolean {
  return isOpen && process.life === life && isAlive(process);
}

/** Most models watch nothing. */
export function isAnyWatching(execution: Execution): boolean {
  return subscriptions.has(execution);
}

/** How far a change of the disk of the host reaches, beyond the disk: which event is the nth can depend on whether another fault fired. */
export function watchReach(execution: Execution, host: HostState): "world" | undefined {
  if (execution.faults.length < 2) return undefined;
  const isHit = execution.processes.some((process) => process.host === host && execution.isArmed(watchPoint(process)));
  return isHit ? "world" : undefined;
}

/**
 * What is told of the changes of a disk, as a part of it that calls touch: who begins to watch or stops reads it, each change adds to it.
 * As long as nobody watches, changes of different things may change places; as soon as somebody does, he sees their order.
 */
const EVENTS = "events";
const READS_EVENTS: readonly Part[] = [{ name: EVENTS, access: "read" }];

function partsOfWatching(store: Store, path: string | undefined): readonly Part[] | undefined {
  if (path === undefined) return READS_EVENTS;
  const parts = partsOfPaths(store, [path], { call: "list" });
  return parts === undefined ? undefined : [...parts, ...READS_EVENTS];
}

/** Parts that a call at the disk of the host touches, with what is told of it. */
export function withEvents(execution: Execution, host: HostState, parts: readonly Part[] | undefined): readonly Part[] | undefined {
  if (parts === undefined || parts.every(({ access }) => access === "read")) return parts;
  const isWatched = subscriptions.get(execution)?.some(({ process }) => process.host === host) === true;
  return [...parts, { name: EVENTS, access: isWatched ? "write" : "add" }];
}

/** In the step that made the change. */
export function tellWatchers(execution: Execution, records: readonly JournalRecord[]): void {
  // Records of one host's disk are about no directory of another's.
  for (const one of subscriptions.get(execution) ?? []) {
    const say = isListening(one) ? tell : tellNobody;
    for (const name of changesSeen(one.directory, records)) say(execution, one, { kind: "changed", name });
  }
}

/**
 * The process is gone. Had the change come before its end, it might have been told of it: a search has to see that there is such an
 * event, or it does not try that order.
 */
function tellNobody(execution: Execution, subscription: Subscription, event: WatchEvent): void {
  const plan = deliverPlan(execution, subscription, { event, isOutOfOrder: true }, true);
  execution.parkOfWorld(subscription.process, plan);
  withdraw(execution, subscription);
}

function tell(execution: Execution, subscription: Subscription, event: WatchEvent): void {
  const { process, onTheWay } = subscription;
  const fault = execution.faultAt(watchPoint(process), process.name, "watch");
  const send = (tidings: Tidings["event"], isOutOfOrder = false): void => {
    const one = { event: tidings, isOutOfOrder };
    onTheWay.push(one);
    execution.parkOfWorld(process, deliverPlan(execution, subscription, one, false));
  };
  switch (fault?.kind) {
    case "drop":
      return;
    case "duplicate":
      send(event);
      return send(event);
    case "delay":
      execution.clock.wait(fault.forMs ?? DEFAULT_FOR_MS, undefined, () => {
        if (!isListening(subscription)) return;
        execution.parkOfWorld(process, deliverPlan(execution, subscription, { event, isOutOfOrder: true }, true));
      });
      return;
    case "reorder":
      return send(event, true);
    case "merge": {
      const last = onTheWay.at(-1);
      if (last === undefined || last.event.kind === "broken") return send(event);
      last.event = merged(last.event, event);
      return;
    }
    case "overflow":
      return send({ kind: "overflow" });
    case "reset":
      return send({ kind: "broken", code: fault.errno ?? "EIO" });
    default:
      return send(event);
  }
}

/** One that stands for two: for their name if it is the same, else for the whole directory. */
function merged(one: WatchEvent, other: WatchEvent): WatchEvent {
  if (one.kind === "overflow" || other.kind === "overflow") return { kind: "overflow" };
  return { kind: "changed", name: one.name === other.name ? one.name : undefined };
}

/** What is still on its way can become another; and what comes after a break is not counted any more. */
const TIED_TO_CHANGES: readonly FaultKind[] = ["merge", "reset"];

/** `isLate`: it was held up, and waits for no other. */
function deliverPlan(execution: Execution, subscription: Subscription, tidings: Tidings, isLate: boolean): OperationPlan<void> {
  const { process, label, path, queue, onTheWay } = subscription;
  const isTied = execution.isArmed(watchPoint(process), TIED_TO_CHANGES);
  return {
    name: "watch.deliver",
    object: label,
    // It touches its process only, and so is independent of what others do: but where a change asks what was delivered.
    shared: isTied ? diskKey(process.host) : undefined,
    access: isTied ? "read" : undefined,
    parts: () => READS_EVENTS,
    resumes: true,
    belongsTo: subscription,
    isReady: () => isLate || tidings.isOutOfOrder || onTheWay.find((one) => !one.isOutOfOrder) === tidings,
    waitsFor: "its turn",
    effect: () => {
      const at = onTheWay.indexOf(tidings);
      if (at !== -1) onTheWay.splice(at, 1);
      const { event } = tidings;
      if (event.kind !== "broken") return queue.push(event);
      queue.fail(new DiskError(event.code, "watch", path));
      end(execution, subscription);
    },
    describe: () => (tidings.event.kind === "broken" ? `broken by ${tidings.event.code}` : eventText(tidings.event)),
  };
}

function eventText(event: WatchEvent): string {
  return event.kind === "overflow" ? "overflow" : event.name === undefined ? "changed" : `changed ${JSON.stringify(event.name)}`;
}
