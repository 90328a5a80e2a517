/**
 * Whether a folder that could not be listed may hold traces of a layout's runs: it stands on the way to where they belong. A
 * shut folder of any other name hides none, or one in a home would leave no slot of any layout judged.
 */
import type { Glob, Preset } from "../preset.ts";
import { PRESETS } from "../presets/index.ts";
import { advance, compileGlob, startOf } from "../read/index.ts";
import { segmentsOf } from "../trees/index.ts";

/** `places`: what was looked in. One that refuses whole may hold everything, unless it is where another layout usually is. */
export function mayHoldTraces(path: string, preset: Preset, places: readonly string[]): boolean {
  const { artefacts, prompts } = preset;
  if (artefacts.some((pattern) => pattern.kind !== "in-record" && isBegun(path, pattern.glob))) return true;
  if (artefacts.length === 0 || (prompts !== undefined && isBegun(path, prompts.glob))) return false;
  return isOnTheWayHome(path, preset) || (places.includes(path) && !PRESETS.some((other) => isOnTheWayHome(path, other)));
}

/** The folder's last names match the beginning of a pattern: `…/cron/runs` of `cron/runs/*.jsonl`. */
function isBegun(path: string, pattern: Glob): boolean {
  const glob = compileGlob(`**/${pattern}`);
  const start = new Set(startOf(glob).map(({ at }) => at));
  let states = startOf(glob);
  for (const name of segmentsOf(path)) states = advance(glob, states, name);
  return states.some(({ at }) => !start.has(at));
}

/** The folder's last names are the first ones of a place where the layout usually is: `…/.config` of `~/.config/Claude`. */
function isOnTheWayHome(path: string, { places }: Preset): boolean {
  const names = segmentsOf(path);
  const homes = [...new Set(Object.values(places).flat())].map((place) => segmentsOf(place.replace(/^~/, "")));
  return homes.some((home) => home.some((_name, index) => isTail(names, home.slice(0, index + 1))));
}

function isTail(names: readonly string[], tail: readonly string[]): boolean {
  return tail.length <= names.length && tail.every((name, index) => name === names[names.length - tail.length + index]);
}
