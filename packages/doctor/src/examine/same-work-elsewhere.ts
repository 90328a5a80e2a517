/**
 * Objects that lie below two roots with the same text: a copy, or one set of folders on two mounts, between which a move is no rename.
 * From their bytes nobody can tell which of them counts. Equal ids alone say nothing: roots number their tasks for themselves.
 */
import type { LayoutObservation, NotRead } from "../observation.ts";
import { notRead } from "../read/index.ts";

export function sameWorkElsewhere({ dispatch = [] }: LayoutObservation): NotRead[] {
  const roots = dispatch.flatMap((one) => (one.kind === "lifecycle" ? [one] : []));
  const rootOf = new Map<string, string>();
  const shared = new Map<string, string[]>();
  for (const { root, reading } of roots) {
    for (const { object } of reading.sources) {
      const key = `${object.id} ${object.revision}`;
      const other = rootOf.get(key);
      if (other === undefined) rootOf.set(key, root);
      else if (other !== root) shared.set(`${other} and ${root}`, [...(shared.get(`${other} and ${root}`) ?? []), object.id]);
    }
  }
  return [...shared].map(([both, ids]) => {
    const message = `${ids.length} objects lie with the same text below ${both}, such as ${ids[0]}: a copy, or one set of folders on two mounts, and which of them counts cannot be told`;
    return notRead(both, "missing-input", message, "TWO_ROOTS");
  });
}
