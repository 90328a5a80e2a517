/** Finds keys that stand in one JSON object more than once: parsers keep the last and say nothing. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface RegistryDuplicateKeyFacts {
  readonly registry: string;
  /** Where the second of each stands, such as `line 12, column 5`. */
  readonly keys: readonly { readonly key: string; readonly where: string }[];
}

export const registryDuplicateKey = defineGuard<RegistryDuplicateKeyFacts>(
  {
    id: "registry/duplicate-key",
    needs: ["keys that stand twice in one object"],
    severity: "alarm",
    text: "A key stands in one object twice, and parsers keep the last.",
    case: undefined,
  },
  ({ registry, keys }) => {
    if (keys.length === 0) return undefined;
    const named = firstFew(keys.map(({ key, where }) => `${key} at ${where}`));
    return {
      subject: registry,
      message: `${keys.length} repeated ${keys.length === 1 ? "key" : "keys"}, of which parsers keep the last: ${named}`,
      counts: { keys: keys.length },
    };
  },
);
