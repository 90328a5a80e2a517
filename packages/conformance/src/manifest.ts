/** What an adapter says of itself, in the three kits: what is wrong with it is a mistake of whoever wrote it, and stops everything with one code. */
import { AdapterError } from "./adapter-error.ts";
import { type Fields, isFields, listOf, readThrown, shown } from "./answers.ts";

/** The fields of these names. `wanted`: how they are called in the message. */
export function manifestOf(adapter: unknown, names: readonly string[], wanted: string): Fields {
  try {
    if (!isFields(adapter)) throw new AdapterError(`the adapter is ${shown(adapter)}. Pass an object with ${wanted}.`);
    return Object.fromEntries(names.map((name) => [name, adapter[name]]));
  } catch (failure) {
    if (failure instanceof AdapterError) throw failure;
    throw new AdapterError(`the adapter cannot be read: ${readThrown(failure).text.replace(/\.$/, "")}. Pass plain data with ${wanted}.`);
  }
}

export function checkCapabilities(name: string, capabilities: unknown, known: Readonly<Record<string, string>>): readonly string[] {
  const list = listOf(capabilities);
  const all = Object.keys(known).join(", ");
  if (list === undefined) throw new AdapterError(`capabilities of ${name} is ${shown(capabilities)}. Pass a list, which may be empty; there are ${all}.`);
  const at = list.findIndex((one) => typeof one !== "string" || !Object.hasOwn(known, one));
  if (at !== -1) throw new AdapterError(`${name} declares ${shown(list[at])}, which is no capability. There are ${all}.`);
  return list as readonly string[];
}
