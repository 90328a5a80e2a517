/** Finds a registry in a version that nobody here has seen. It is not absent and not damaged: it was not judged. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface RegistryUnsupportedVersionFacts {
  readonly registry: string;
  readonly version: string;
  readonly known: readonly string[];
}

export const registryUnsupportedVersion = defineGuard<RegistryUnsupportedVersionFacts>(
  {
    id: "registry/unsupported-version",
    needs: ["the version in the file", "the versions known"],
    severity: "alarm",
    text: "A registry says that it is in a version that this layout was not seen in.",
    case: undefined,
  },
  ({ registry, version, known }) => {
    if (known.includes(version)) return undefined;
    return {
      subject: registry,
      message: `version ${version} is none of the ${known.length} known: ${firstFew(known)}`,
      counts: { known: known.length },
    };
  },
);
