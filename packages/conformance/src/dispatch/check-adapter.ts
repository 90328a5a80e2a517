/** Reads the manifest of a dispatcher. */
import { AdapterError } from "../adapter-error.ts";
import { shown } from "../answers.ts";
import { checkCapabilities, manifestOf } from "../manifest.ts";
import { CAPABILITIES, type Capability, type DispatcherAdapter } from "./adapter.ts";

export const MAX_LEASE_MS = 60_000;

export function checkAdapter(adapter: unknown): DispatcherAdapter {
  const { name, version, capabilities, limits, create } = manifestOf(adapter, ["name", "version", "capabilities", "limits", "create"], "name, version, capabilities and create");
  if (typeof name !== "string" || name === "") throw new AdapterError("it has no name. Reports and replays carry it.");
  if (typeof version !== "string" || version === "") throw new AdapterError(`${name} has no version. A report is about one version.`);
  if (typeof create !== "function") throw new AdapterError(`create of ${name} is ${typeof create}. Make it a function of the ports.`);
  const declared = checkCapabilities(name, capabilities, CAPABILITIES);
  const leaseMs = (limits as { leaseMs?: unknown } | undefined)?.leaseMs;
  if (leaseMs !== undefined && !(Number.isInteger(leaseMs) && (leaseMs as number) > 0 && (leaseMs as number) <= MAX_LEASE_MS)) throw new AdapterError(`limits.leaseMs of ${name} is ${shown(leaseMs)}. Pass whole milliseconds from 1 to ${MAX_LEASE_MS}; the rules wait no longer.`);
  const wanted: readonly [Capability, Capability][] = [["power-loss", "durable"], ["many-dispatchers", "durable"], ["keyless-runtime", "durable"]];
  const lonely = wanted.find(([one, base]) => declared.includes(one) && !declared.includes(base));
  if (lonely !== undefined) throw new AdapterError(`${name} declares ${lonely[0]} and not ${lonely[1]}. The first is nothing without the second; declare both or neither.`);
  return adapter as DispatcherAdapter;
}
