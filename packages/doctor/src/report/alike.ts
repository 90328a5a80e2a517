/** Texts that say one thing of many places: the first few are printed, and the others counted. */

/** More of one kind are counted. */
const MAX_ALIKE = 8;

export interface Alike<Item> {
  readonly shown: readonly Item[];
  /** None, or at least two. */
  readonly rest: readonly Item[];
}

/** Kinds in the order of their first items, and items in their order. Nothing is lost. */
export function alike<Item>(items: readonly Item[], textOf: (item: Item) => string, most: number = MAX_ALIKE): Alike<Item>[] {
  const kinds = new Map<string, Item[]>();
  for (const item of items) {
    const kind = kindOf(textOf(item));
    const own = kinds.get(kind);
    if (own === undefined) kinds.set(kind, [item]);
    else own.push(item);
  }
  return [...kinds.values()].map((own) => {
    const isFew = own.length <= most + 1;
    return { shown: isFew ? own : own.slice(0, most), rest: isFew ? [] : own.slice(most) };
  });
}

/** Without its numbers and places. */
function kindOf(text: string): string {
  return text.replaceAll(/\S*\/\S+/g, "/").replaceAll(/\d+/g, "0");
}
