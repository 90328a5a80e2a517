/** Records of runs that could not be read, and those that could and were not as their layout has them: each record once. */
import { receiptsDamaged } from "@casebook/guards";
import type { ArtefactObservation, LayoutObservation } from "../observation.ts";
import { placeText } from "../report/place-text.ts";
import { raise, type Raised } from "./raised.ts";

type Damage = ArtefactObservation["damaged"][number];

/** What was read, and has a field of another name, form or word. */
const READABLE = /^(WRONG_SHAPE|.*_(RENAMED|MISSING|INVALID|UNKNOWN))$/;

export function damagedRecords({ artefacts, registries }: LayoutObservation): Raised[] {
  if (artefacts === undefined) return [];
  const registryPaths = new Set(registries.map(({ path }) => path));
  const isLine = ({ place, times }: Damage) => place.byteOffset !== undefined || times !== undefined || registryPaths.has(place.path);
  const records = new Map<string, Damage>();
  for (const damage of artefacts.damaged) {
    const key = JSON.stringify([damage.place.path, isLine(damage) ? (damage.place.line ?? damage.code) : ""]);
    const before = records.get(key);
    // What cannot be read at all says more of a record than what is odd in it.
    if (before === undefined || (isReadable(before) && !isReadable(damage))) records.set(key, damage);
  }
  const kept = [...records.values()];
  const { files, lines } = artefacts.searched;
  return raise(
    receiptsDamaged,
    {
      searched: { files, lines },
      damaged: kept.map((damage) => ({
        where: placeText(damage.place),
        code: damage.code,
        record: isLine(damage) ? ("line" as const) : ("file" as const),
        reads: isReadable(damage) ? ("otherwise" as const) : ("not-at-all" as const),
        goodLinesAfter: damage.goodLinesAfter,
        ...(damage.times === undefined ? {} : { times: damage.times }),
      })),
    },
    { tasks: [], where: artefacts.damaged[0]?.place, proof: [`files ${files}, lines ${lines}`], confidence: "measured" },
  );
}

function isReadable({ code }: Damage): boolean {
  return READABLE.test(code);
}
