/** Finds prompts that no store schedules. A folder kept on purpose after its task was deleted looks the same. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface RegistryOrphanPromptsFacts {
  readonly promptFolders: number;
  /** Entries in all stores that were read. */
  readonly registered: number;
  /** Prompt folders without an entry in any of them, sorted. */
  readonly orphans: readonly string[];
}

export const registryOrphanPrompts = defineGuard<RegistryOrphanPromptsFacts>(
  {
    id: "registry/orphan-prompts",
    needs: ["prompt folders, counted", "entries in every store"],
    severity: "alarm",
    text: "A task has a prompt and stands in no registry, so nothing will ever start it.",
    case: "003",
  },
  ({ promptFolders, registered, orphans }) => {
    if (orphans.length === 0) return undefined;
    return {
      subject: subjectOrAll(orphans, "fleet"),
      message: `${orphans.length} of ${promptFolders} prompts are in no registry (${registered} entries read): ${firstFew(orphans)}`,
      counts: { promptFolders, registered, orphans: orphans.length },
    };
  },
);
