/** Reads the manifest of an adapter: what is wrong with it is a mistake of whoever wrote it, and stops everything with one code. */
import { AdapterError } from "../adapter-error.ts";
import { CAPABILITIES, type Capability, type DispatcherAdapter } from "./adapter.ts";

export const MAX_LEASE_MS = 60_000;

export function checkAdapter(adapter: unknown): DispatcherAdapter {
  if (typeof adapter !== "object" || adapter === null) throw new AdapterError(`the adapter is ${adapter === null ? "null" : typeof adapter}. Pass an object with name, version, capabilities and create.`);
  const { name, version, capabilities, limits, create } = adapter as Partial<Record<keyof DispatcherAdapter, unknown>>;
  if (typeof name !== "string" || name === "") throw new AdapterError("it has no name. Reports and replays carry it.");
  if (typeof version !== "string" || version === "") throw new AdapterError(`${name} has no version. A report is about one version.`);
  if (typeof create !== "function") throw new AdapterError(`create of ${name} is ${typeof create}. Make it a function of the ports.`);
  if (!Array.isArray(capabilities)) throw new AdapterError(`capabilities of ${name} is ${typeof capabilities}. Pass a list, which may be empty; there are ${Object.keys(CAPABILITIES).join(", ")}.`);
  const unknown = (capabilities as unknown[]).find((one) => typeof one !== "string" || !Object.hasOwn(CAPABILITIES, one));
  if (unknown !== undefined) throw new AdapterError(`${name} declares ${JSON.stringify(unknown)}, which is no capability. There are ${Object.keys(CAPABILITIES).join(", ")}.`);
  const leaseMs = (limits as { leaseMs?: unknown } | undefined)?.leaseMs;
  if (leaseMs !== undefined && !(Number.isInteger(leaseMs) && (leaseMs as number) > 0 && (leaseMs as number) <= MAX_LEASE_MS)) throw new AdapterError(`limits.leaseMs of ${name} is ${String(leaseMs)}. Pass whole milliseconds from 1 to ${MAX_LEASE_MS}; the rules wait no longer.`);
  const wanted: readonly [Capability, Capability][] = [["power-loss", "durable"], ["many-dispatchers", "durable"], ["keyless-runtime", "durable"]];
  const lonely = wanted.find(([one, base]) => (capabilities as unknown[]).includes(one) && !(capabilities as unknown[]).includes(base));
  if (lonely !== undefined) throw new AdapterError(`${name} declares ${lonely[0]} and not ${lonely[1]}. The first is nothing without the second; declare both or neither.`);
  return adapter as DispatcherAdapter;
}
