/**
 * A program behind an adapter. Each life of a process is a program of its own; when the world kills a process, its program hears no
 * answer any more and is stopped at the latest when the next begins. Comes with the runner that waits for programs between steps.
 */
import type { Clock } from "@casebook/ports";
import { asynchronousRunner, type Runner } from "@casebook/sim/kernel";
import { type AdapterPorts, type DispatcherAdapter, type DispatcherUnderTest, TOLD } from "../../dispatch/adapter.ts";
import type { ReceiptLogAdapter } from "../../receipts/adapter.ts";
import { answerTo, ASKS, type Asks, createMailbox, RECEIPT_ASKS } from "./asks.ts";
import { ChildError, type Program } from "./child.ts";
import { type Conversation, startConversation } from "./conversation.ts";
import type { Line, Manifest } from "./protocol.ts";

/** Each costs the whole of its patience: a program that hangs everywhere would be waited for all night. */
const MOST_SILENCES = 12;

export interface Bridge {
  readonly runner: Runner;
  /** The program of a process that begins a life. */
  start(name: string, clock: Clock): Conversation;
  /** Settles when no program is left. */
  close(): Promise<void>;
}

export function createBridge(program: Program, isConcurrent: boolean): Bridge {
  const programs = new Map<string, Conversation>();
  const leaving = new Set<Promise<void>>();
  const atRest: (() => void)[] = [];
  let waiting = 0;
  let silences = 0;
  const busy = (change: number): void => {
    waiting += change;
    if (waiting === 0) for (const look of atRest.splice(0)) setImmediate(look);
  };
  const failed = ({ code }: ChildError): void => void (silences += code === "ADAPTER_CHILD_SILENT" ? 1 : 0);
  const { name, run } = asynchronousRunner({
    name: "json-lines",
    whenAtRest(goOn) {
      // A turn of the event loop, so that what the last line set in motion has asked for its next.
      const look = (): void => void (waiting === 0 ? goOn() : atRest.push(look));
      setImmediate(look);
    },
  });
  return {
    runner: {
      name,
      async run(next, done) {
        if (silences >= MOST_SILENCES) throw new ChildError("ADAPTER_CHILD_SILENT", `${program.command} was silent ${silences} times, and is not started again. Flush standard output after each line, and answer every line.`);
        await run(next, done);
      },
    },
    start(processName, clock) {
      programs.get(processName)?.stop();
      const one = startConversation(program, { isConcurrent, now: () => clock.now(), busy, failed });
      programs.set(processName, one);
      leaving.add(one.gone);
      void one.gone.then(() => leaving.delete(one.gone));
      return one;
    },
    async close() {
      for (const one of programs.values()) one.stop();
      programs.clear();
      await Promise.all(leaving);
    },
  };
}

/** Functions of a dispatcher that may be left out: a program names in `functions` which it has. */
const OPTIONAL = ["probe"] as const;
/** The kit tells nothing to who declares nothing of it. */
const isTold = (capabilities: unknown): boolean => Array.isArray(capabilities) && Object.values(TOLD).some((one) => capabilities.includes(one));

export function dispatcherOver(bridge: Bridge, { name, version, capabilities, limits, functions }: Manifest): DispatcherAdapter {
  return {
    ...({ name, version, capabilities } as Pick<DispatcherAdapter, "name" | "version" | "capabilities">),
    ...(limits === undefined ? {} : { limits }),
    async create(ports: AdapterPorts): Promise<DispatcherUnderTest> {
      const call = callsOf(bridge, ASKS, { ...ports, network: createMailbox(ports.network, ports.clock) }, ports.network.peers);
      await call("create", { name: ports.name, keys: ports.sessions.keys, peers: ports.network.peers, trust: ports.trust });
      return {
        submit: (task) => call("submit", { task }) as Promise<never>,
        tick: async () => void (await call("tick")),
        observe: () => call("observe") as Promise<never>,
        ...(isTold(capabilities) ? { tell: (notice) => call("tell", { notice }) as Promise<never> } : {}),
        ...Object.fromEntries(OPTIONAL.filter((one) => functions.includes(one)).map((one) => [one, () => call(one)])),
      };
    },
  };
}

export function receiptLogOver(bridge: Bridge, { name, version, capabilities }: Manifest): ReceiptLogAdapter {
  return {
    ...({ name, version, capabilities } as Pick<ReceiptLogAdapter, "name" | "version" | "capabilities">),
    async create(ports) {
      const call = callsOf(bridge, RECEIPT_ASKS, ports);
      await call("create", { name: ports.name });
      return {
        append: (receipt) => call("append", { receipt }) as Promise<never>,
        read: (key) => call("read", { key }) as Promise<never>,
      };
    },
  };
}

/** A namesake has the name of one that is only stopped, and goes on later: `peers` tell them apart. */
function callsOf<Ports extends { readonly name: string; readonly clock: Clock }>(bridge: Bridge, asks: Asks<Ports>, ports: Ports, peers: readonly string[] = []) {
  const program = bridge.start([ports.name, ...peers].join(" "), ports.clock);
  return (name: string, facts: Line = {}): Promise<unknown> => program.call(name, facts, (line) => answerTo(asks, ports, line));
}
