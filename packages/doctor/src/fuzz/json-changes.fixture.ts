/**
 * Damage to JSON that still looks like JSON: another key, another type, another place. Made on the value and written again, so
 * that what no value can hold, such as a key that stands twice or a number beyond all numbers, is put into the text.
 */
import type { Random } from "./random.fixture.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Container = Json[] | { [key: string]: Json };

/** One member of a container. */
interface Spot {
  readonly holder: Container;
  readonly key: string;
}

/** Written in place of a string that stands for it. */
type Raw = Map<string, string>;

type JsonChange = (spots: readonly Spot[], random: Random, raw: Raw) => void;

/** Ids and names as people and programs have them; some are no ids at all. */
export const ODD_TEXTS: readonly string[] = [
  "", " ", ".", "..", "../../etc/passwd", "/home/ada/.ssh/id", "C:\\Users\\ada", "__proto__", "constructor", "toString", "null", "NaN",
  "a\nb", "a\rb", "\0", "\x1b[31mred", "\x07", "\u009b1m", "\u202ereversed", "\u2066isolated\u2069", "\u2028", "\u{feff}", "\u200b", "\ud800", "a\udc00",
  "夜間", "ليلة", "לילה", "рутина", "ρουτίνα", "ตารางเวลา", "e\u0301", "👩‍🚀", "x".repeat(300), '"', "'", "`$(x)`", "%s%n", "# EOF", "|a|b|",
];

const ODD_VALUES: readonly Json[] = [
  null, true, false, 0, -1, 1, 0.5, 1e15, 8.64e15, "x", "* * * * *", "61 25 * * *", "0 0 31 2 *", "2026-02-30T00:00:00Z", "2026-09-02T07:00:00",
  "+275760-09-13T00:00:00Z", 1_788_332_400, 1_788_332_400_000, 1_788_332_400_000_000, [], {}, ["x"], [[]], { x: 1 }, [{}], "Nowhere/Atlantis",
];

const ODD_NUMBERS = ["1e400", "-1e400", "-0", "1e-400", "123456789012345678901234567890", "9007199254740993", "0.1e1", "00", "NaN", "-Infinity", "0x10", "1.", "+1"];

const JSON_CHANGES_OF: Readonly<Record<string, JsonChange>> = {
  "rename a key": (spots, random) => renameKey(keyed(spots, random), (key) => random.pick([`${key}_v2`, key.toUpperCase(), ` ${key}`, random.pick(ODD_TEXTS)])),
  "lose a member": (spots, random) => remove(random.pick(spots)),
  "change a type": (spots, random) => put(random.pick(spots), copyOf(random.pick(ODD_VALUES))),
  "write an odd number": (spots, random, raw) => putRaw(random.pick(spots), random.pick(ODD_NUMBERS), raw),
  "write odd text": (spots, random) => {
    const texts = spots.filter((spot) => typeof valueOf(spot) === "string");
    put(random.pick(texts.length === 0 ? spots : texts), random.pick(ODD_TEXTS));
  },
  "nest deeply": (spots, random, raw) => {
    const spot = random.pick(spots);
    const depth = random.pick([1, 3, 40, 400, 5_000]);
    const [open, close] = random.pick([["[", "]"], ['{"a":', "}"]] as const);
    putRaw(spot, `${open.repeat(depth)}${JSON.stringify(valueOf(spot))}${close.repeat(depth)}`, raw);
  },
  "write a key twice": (spots, random, raw) => {
    const { holder, key } = keyed(spots, random);
    const again = `@twice ${raw.size}@`;
    raw.set(JSON.stringify(again), JSON.stringify(key));
    (holder as { [key: string]: Json })[again] = copyOf(random.pick([valueOf({ holder, key }), ...ODD_VALUES]));
  },
  "move a list": (spots, random) => {
    const spot = chosen(spots, random, (value) => Array.isArray(value));
    const value = valueOf(spot);
    remove(spot);
    const [root] = spots as [Spot];
    if (Array.isArray(root.holder)) root.holder.push({ items: value });
    else root.holder[random.pick(["items", "archive", "data", "tasks"])] = random.pick([value, { items: value }]);
  },
  "make a map of a list": (spots, random) => {
    const spot = chosen(spots, random, (value) => Array.isArray(value));
    const value = valueOf(spot);
    if (Array.isArray(value)) put(spot, Object.fromEntries(value.map((member, index) => [idOf(member) ?? String(index), member])));
  },
  "empty it": (spots, random) => {
    const spot = chosen(spots, random, (value) => typeof value === "object" && value !== null);
    put(spot, Array.isArray(valueOf(spot)) ? [] : {});
  },
  "swap two values": (spots, random) => {
    const [one, other] = [random.pick(spots), random.pick(spots)];
    // Whole parts of each other would make a value that holds itself.
    if (holds(valueOf(one), other) || holds(valueOf(other), one)) return;
    const kept = valueOf(one);
    put(one, valueOf(other));
    put(other, kept);
  },
  "repeat a member": (spots, random) => {
    const inLists = spots.filter(({ holder }) => Array.isArray(holder));
    if (inLists.length === 0) return;
    const spot = random.pick(inLists);
    const times = random.pick([1, 2, 30, 300]);
    for (let time = 0; time < times; time += 1) (spot.holder as Json[]).push(copyOf(valueOf(spot)));
  },
};

export const JSON_CHANGES: readonly string[] = Object.keys(JSON_CHANGES_OF);

/** The text of a JSON document, or of one line of a JSONL file, changed. Undefined: there is nothing in it that could be. */
export function changedJson(name: string, text: string, random: Random): string | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return changedValue(name, whole, random, 2);
  const lines = text.split("\n");
  const at = random.below(lines.length);
  const line = parsed(lines[at] ?? "");
  const changed = line === undefined ? undefined : changedValue(name, line, random, 0);
  return changed === undefined ? undefined : [...lines.slice(0, at), changed, ...lines.slice(at + 1)].join("\n");
}

function changedValue(name: string, value: Json, random: Random, indent: number): string | undefined {
  const spots = spotsIn(value);
  if (spots.length === 0) return undefined;
  const raw: Raw = new Map();
  (JSON_CHANGES_OF[name] as JsonChange)(spots, random, raw);
  return [...raw].reduce((written, [mark, instead]) => written.replace(mark, () => instead), JSON.stringify(value, undefined, indent));
}

/** Deeper than this an earlier change has nested it, and there is no more to be had from it. */
const MAX_DEPTH = 100;

function parsed(text: string): Json | undefined {
  if (depthOf(text) > MAX_DEPTH) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, (depth += 1));
    if (character === "]" || character === "}") depth -= 1;
  }
  return deepest;
}

function spotsIn(holder: Json): Spot[] {
  if (typeof holder !== "object" || holder === null) return [];
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...spotsIn(valueOf({ holder, key }))]);
}

function keyed(spots: readonly Spot[], random: Random): Spot {
  const inObjects = spots.filter(({ holder }) => !Array.isArray(holder));
  return random.pick(inObjects.length === 0 ? spots : inObjects);
}

function chosen(spots: readonly Spot[], random: Random, is: (value: Json) => boolean): Spot {
  const those = spots.filter((spot) => is(valueOf(spot)));
  return random.pick(those.length === 0 ? spots : those);
}

function valueOf({ holder, key }: Spot): Json {
  return (holder as { [key: string]: Json })[key] as Json;
}

/** Defined and not assigned: `__proto__` is a key like any other. */
function put({ holder, key }: Spot, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

function putRaw(spot: Spot, text: string, raw: Raw): void {
  const mark = `@raw ${raw.size}@`;
  raw.set(JSON.stringify(mark), text);
  put(spot, mark);
}

function remove({ holder, key }: Spot): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** Stays where it stands among the others. */
function renameKey({ holder, key }: Spot, rename: (key: string) => string): void {
  if (Array.isArray(holder)) return;
  const name = rename(key);
  const members = Object.entries(holder);
  for (const [own] of members) delete holder[own];
  for (const [own, value] of members) put({ holder, key: own === key ? name : own }, value);
}

function idOf(value: Json): string | undefined {
  const id = typeof value === "object" && value !== null && !Array.isArray(value) ? value["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function holds(value: Json, { holder }: Spot): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value === holder || Object.values(value).some((member) => holds(member as Json, { holder, key: "" }));
}

function copyOf(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
