/**
 * Messages between processes. A message is sent in a step of its sender and delivered in a step of its own, in the order of
 * sending on each link. Models connections that close with a process and that say nothing when a host is gone.
 * Leaves out bandwidth, sizes and broken bytes.
 */
import type { MessageDelivery, MessageReply, Messages } from "@casebook/ports";
import { ARMED_FAULTS, DEFAULT_FOR_MS, type FaultKind } from "./armed-fault.ts";
import type { Execution } from "./execution.ts";
import type { OperationPlan } from "./operation.ts";
import { plainCopy, valueText } from "./plain.ts";
import { isAlive, isGone, type ProcessState } from "./process-state.ts";

/** The port of messages, under the names that the kernel's own code uses. */
export type Delivery = MessageDelivery;
export type Reply = MessageReply;
export type Network = Messages;

const BOTH_WAYS: readonly FaultKind[] = ["cut", "blackhole", "reset"];

interface Message {
  readonly kind: "message" | "answer" | "closed";
  readonly body: unknown;
  /** Ties an answer to its request. */
  readonly request: Pending | undefined;
  isOutOfOrder: boolean;
}

interface Pending {
  readonly asker: ProcessState;
  readonly life: number;
  settle(reply: Reply): void;
}

interface Link {
  readonly from: ProcessState;
  readonly to: ProcessState;
  readonly queue: Message[];
  /** Nothing passes; what is sent meanwhile is lost. */
  isCut: boolean;
}

/** Of one execution. */
export interface Switchboard {
  readonly links: Map<string, Link>;
  readonly inboxes: Map<ProcessState, Delivery[]>;
  /**
   * With whom each process has exchanged a message, as it knows: what it sent, and what was delivered to it. Changed in its own steps
   * only, so that the order of steps of others does not matter.
   */
  readonly connected: Map<ProcessState, Set<ProcessState>>;
  /** Requests without an answer; each changed in steps of its asker only. */
  readonly pending: Set<Pending & { readonly to: ProcessState }>;
}

const boards = new WeakMap<Execution, Switchboard>();

function boardOf(execution: Execution): Switchboard {
  const known = boards.get(execution);
  if (known !== undefined) return known;
  const board: Switchboard = { links: new Map(), inboxes: new Map(), connected: new Map(), pending: new Set() };
  boards.set(execution, board);
  execution.rare.onEnded.push((process) => closeConnections(execution, process));
  return board;
}

export function createNetwork(execution: Execution, process: ProcessState, life: number): Network {
  const send = (to: string, message: Message): Promise<void> => {
    const receiver = execution.processes.find(({ name }) => name === to);
    if (receiver === undefined) return Promise.reject(noSuchProcess(execution, to));
    return execution.park(process, life, sendPlan(execution, process, receiver, message));
  };
  return {
    async send(to, body) {
      await send(to, plain(body));
    },
    receive() {
      const inbox = inboxOf(execution, process);
      return execution.park<Delivery>(process, life, {
        name: "network.receive",
        object: "",
        isReady: () => inbox.length > 0,
        waitsFor: "a message",
        effect: () => inbox.shift() as Delivery,
        describe: (delivery) => (delivery.kind === "closed" ? `closed by ${delivery.from}` : `${delivery.from}: ${text(delivery.body)}`),
      });
    },
    async request(to, body, timeoutMs) {
      const receiver = execution.processes.find(({ name }) => name === to);
      if (receiver === undefined) throw noSuchProcess(execution, to);
      const { pending } = boardOf(execution);
      let resolve!: (reply: Reply) => void;
      const replied = new Promise<Reply>((keep) => (resolve = keep));
      const settle = (reply: Reply): void => {
        // It may have died since it asked.
        if (process.life !== life || isGone(process)) return;
        process.timed -= 1;
        resolve(reply);
      };
      const entry = { asker: process, life, to: receiver, settle };
      pending.add(entry);
      process.timed += 1;
      await send(to, { ...plain(body), request: entry });
      execution.clock.wait(timeoutMs, undefined, () => {
        if (!pending.delete(entry) || process.life !== life || isGone(process)) return;
        execution.parkOfWorld(process, { name: "network.timeout", object: to, resumes: true, effect: () => settle({ outcome: "unknown", why: "timed-out" }) });
      });
      return replied;
    },
  };
}

function connectionsOf(execution: Execution, process: ProcessState): Set<ProcessState> {
  const { connected } = boardOf(execution);
  const peers = connected.get(process) ?? new Set();
  connected.set(process, peers);
  return peers;
}

function plain(body: unknown): Message {
  return { kind: "message", body: plainCopy(body), request: undefined, isOutOfOrder: false };
}

function inboxOf(execution: Execution, process: ProcessState): Delivery[] {
  const { inboxes } = boardOf(execution);
  const inbox = inboxes.get(process) ?? [];
  inboxes.set(process, inbox);
  return inbox;
}

function linkOf(execution: Execution, from: ProcessState, to: ProcessState): Link {
  const { links } = boardOf(execution);
  const name = linkPoint(from, to);
  const link = links.get(name) ?? { from, to, queue: [], isCut: false };
  links.set(name, link);
  return link;
}

export function linkPoint(from: { readonly name: string }, to: { readonly name: string }): string {
  return `network.${from.name}->${to.name}`;
}

function sendPlan(execution: Execution, from: ProcessState, to: ProcessState, message: Message): OperationPlan<void> {
  const link = linkOf(execution, from, to);
  const point = linkPoint(from, to);
  return {
    name: message.kind === "answer" ? "network.answer" : "network.send",
    object: to.name,
    isRemote: true,
    // Which message is the nth may depend on whether another fault has fired.
    shared: execution.isArmed(point) ? ARMED_FAULTS : undefined,
    access: "write",
    // A cut concerns what others send as well.
    reach: execution.isArmed(point, BOTH_WAYS) ? "world" : undefined,
    effect: () => put(execution, link, message),
    describe: () => text(message.body),
  };
}

function put(execution: Execution, link: Link, message: Message): void {
  connectionsOf(execution, link.from).add(link.to);
  const fault = execution.faultAt(linkPoint(link.from, link.to), link.from.name, "link");
  const forMs = fault?.forMs ?? DEFAULT_FOR_MS;
  const back = linkOf(execution, link.to, link.from);
  const cut = (links: readonly Link[]): void => {
    for (const one of links) one.isCut = true;
    const reconnect = (): void => {
      for (const one of links) one.isCut = false;
    };
    execution.rare.mend.push(reconnect);
    execution.clock.wait(forMs, undefined, () => execution.parkOfWorld(link.to, { name: "network.reconnect", object: link.from.name, reach: "world", effect: reconnect }));
  };
  switch (fault?.kind) {
    case "drop":
      return;
    case "duplicate":
      enqueue(execution, link, message);
      return enqueue(execution, link, { ...message });
    case "delay":
      execution.clock.wait(forMs, undefined, () => execution.parkOfWorld(link.to, deliverPlan(execution, link, message, true)));
      return;
    case "reorder":
      message.isOutOfOrder = true;
      return enqueue(execution, link, message);
    case "cut":
      return cut([link]);
    case "blackhole":
      return cut([link, back]);
    case "reset":
      tellClosed(execution, link.from, link.to);
      return tellClosed(execution, link.to, link.from);
    default:
      return enqueue(execution, link, message);
  }
}

function enqueue(execution: Execution, link: Link, message: Message): void {
  if (link.isCut) return;
  link.queue.push(message);
  execution.parkOfWorld(link.to, deliverPlan(execution, link, message, false));
}

/** `isLate`: it does not stand in the queue, because it was held up on its way. */
function deliverPlan(execution: Execution, link: Link, message: Message, isLate: boolean): OperationPlan<void> {
  return {
    name: "network.deliver",
    object: link.from.name,
    isReady: () => {
      if (link.to.status === "stopped" || link.to.host.status !== "up" || link.from.host.status === "unreachable") return false;
      return isLate || message.isOutOfOrder || link.queue.find((one) => !one.isOutOfOrder) === message;
    },
    waitsFor: "its turn on the link",
    effect: () => {
      const at = link.queue.indexOf(message);
      if (at !== -1) link.queue.splice(at, 1);
      deliver(execution, link, message);
    },
    describe: () => (message.kind === "closed" ? "closed" : text(message.body)),
  };
}

function deliver(execution: Execution, { from, to }: Link, message: Message): void {
  const { pending } = boardOf(execution);
  const { request } = message;
  if (message.kind === "answer") {
    const entry = [...pending].find((one) => one === request);
    if (entry === undefined || entry.life !== to.life) return;
    pending.delete(entry);
    return entry.settle({ outcome: "ok", body: message.body });
  }
  if (message.kind === "closed") {
    for (const entry of pending) {
      if (entry.asker !== to || entry.to !== from) continue;
      pending.delete(entry);
      entry.settle({ outcome: "unknown", why: "closed" });
    }
    inboxOf(execution, to).push({ kind: "closed", from: from.name });
    return;
  }
  if (!isAlive(to)) {
    // Nobody listens: the asker is told, as by a closed port. Whether it still waits is looked at in its own step.
    const asked = request as (typeof request & { readonly to: ProcessState }) | undefined;
    if (asked === undefined) return tellClosed(execution, to, from);
    execution.parkOfWorld(asked.asker, {
      name: "network.refused",
      object: to.name,
      resumes: true,
      effect: () => void (pending.delete(asked) && asked.settle({ outcome: "failed", why: "refused" })),
    });
    return;
  }
  connectionsOf(execution, to).add(from);
  const { life } = to;
  inboxOf(execution, to).push({
    kind: "message",
    from: from.name,
    // One that was duplicated arrives as two.
    body: plainCopy(message.body),
    answer: (body) =>
      execution.park(to, life, sendPlan(execution, to, from, { ...plain(body), kind: "answer", request })),
  });
}

/** What had arrived and was not received was in memory: who comes back finds none of it. */
export function loseInbox(execution: Execution, process: ProcessState): void {
  inboxOf(execution, process).length = 0;
}

/** Everyone it exchanged a message with sees one end, behind what it sent before. Who sends to it later is told then. */
export function closeConnections(execution: Execution, process: ProcessState): void {
  loseInbox(execution, process);
  const peers = connectionsOf(execution, process);
  for (const peer of peers) if (peer !== process) tellClosed(execution, process, peer);
  peers.clear();
}

function tellClosed(execution: Execution, from: ProcessState, to: ProcessState): void {
  enqueue(execution, linkOf(execution, from, to), { kind: "closed", body: undefined, request: undefined, isOutOfOrder: false });
}

function text(body: unknown): string {
  return body === undefined ? "" : typeof body === "string" ? JSON.stringify(body) : valueText(body);
}

function noSuchProcess(execution: Execution, name: string): Error {
  const known = execution.processes.map((process) => process.name).join(", ");
  return Object.assign(new Error(`NETWORK_NO_SUCH_PROCESS: no process is called ${JSON.stringify(name)}; there are ${known}. Check the spelling.`), {
    code: "NETWORK_NO_SUCH_PROCESS",
  });
}
