/** Registries that are the reference with one policy changed, and the rules that each of them breaks by it. */
import type { LoaderPolicy } from "../judge/reading.ts";
import type { LookupReader } from "../judge/look-up.ts";
import type { WriterPolicy } from "../write-registry.ts";

export interface RegistryPolicies {
  readonly loader: LoaderPolicy;
  readonly lookup: LookupReader["policy"];
  readonly writer: WriterPolicy;
}

export const REFERENCE_POLICIES: RegistryPolicies = {
  loader: "quarantine-entry",
  lookup: "strict-declared",
  writer: "merge-into-read",
};

export const REGISTRY_RULES = {
  "registry/one-bad-entry-costs-one": "An invalid entry keeps no other entry from being loaded.",
  "registry/zero-is-credible": "A lookup that answers zero searched the records, and not a smaller part beside them.",
  "registry/write-keeps-the-rest": "A write changes its own task and loses no other entry, valid or not, and no key.",
  "registry/no-write-without-read": "What could not be read is not written over.",
} as const;

export type RegistryRule = keyof typeof REGISTRY_RULES;

export interface KnownBadRegistry {
  readonly name: string;
  readonly policies: RegistryPolicies;
  readonly breaks: readonly RegistryRule[];
}

export const knownBad: readonly KnownBadRegistry[] = [
  {
    name: "drops the whole list for one bad entry",
    policies: { ...REFERENCE_POLICIES, loader: "reject-file" },
    breaks: ["registry/one-bad-entry-costs-one"],
  },
  {
    name: "looks in a list that nobody fills any more",
    policies: { ...REFERENCE_POLICIES, lookup: "vestigial-key" },
    breaks: ["registry/zero-is-credible"],
  },
  {
    name: "takes the document itself for an absent list",
    policies: { ...REFERENCE_POLICIES, lookup: "absent-key-fallback" },
    breaks: ["registry/zero-is-credible"],
  },
  {
    name: "writes back what it loaded",
    policies: { ...REFERENCE_POLICIES, writer: "write-back-loaded" },
    breaks: ["registry/write-keeps-the-rest"],
  },
  {
    name: "takes an unreadable file for an empty one",
    policies: { ...REFERENCE_POLICIES, writer: "treat-unreadable-as-empty" },
    breaks: ["registry/no-write-without-read"],
  },
];
