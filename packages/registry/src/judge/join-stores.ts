/**
 * Joins what several stores of one installation register with the prompts that they share. Pure: ids in, ids out.
 * Says nothing about which store counts: a program that is signed in to one account reads that one and no other.
 */

/** One registry, with the ids of its entries, set aside or not. */
export interface StoreIds {
  readonly store: string;
  /** Undefined: it is there, and its entries could not be told apart. */
  readonly ids: readonly string[] | undefined;
}

/** Ids are sorted, each once. */
export interface JoinedStores {
  /** In at least one store that could be read. */
  readonly registered: readonly string[];
  /** In more than one, with the stores. All of them write to one prompt. */
  readonly shared: readonly { readonly id: string; readonly stores: readonly string[] }[];
  /** Prompts that no store registers. Undefined when a store or the prompts could not be read: then nobody knows. */
  readonly orphans: readonly string[] | undefined;
  /** Registered, and without a prompt. Undefined when the prompts could not be read. */
  readonly promptless: readonly string[] | undefined;
}

/** `prompts`: ids of the prompts on disk; undefined when they could not be listed. */
export function joinStores(stores: readonly StoreIds[], prompts: readonly string[] | undefined): JoinedStores {
  const storesOf = new Map<string, Set<string>>();
  for (const { store, ids } of stores) {
    for (const id of ids ?? []) storesOf.set(id, (storesOf.get(id) ?? new Set()).add(store));
  }
  const registered = [...storesOf.keys()].sort();
  const areAllRead = stores.every(({ ids }) => ids !== undefined);
  return {
    registered,
    shared: registered.flatMap((id) => {
      const holders = [...(storesOf.get(id) ?? [])].sort();
      return holders.length > 1 ? [{ id, stores: holders }] : [];
    }),
    orphans: areAllRead ? prompts && missingFrom(storesOf, prompts) : undefined,
    promptless: prompts && missingFrom(new Set(prompts), registered),
  };
}

function missingFrom(known: { has(id: string): boolean }, ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => !known.has(id)).sort();
}
