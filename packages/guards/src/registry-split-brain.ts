/** Finds tasks spread over several stores, of which a product shows one. Two accounts on purpose look the same, hence a warning, and an
 * alarm when one task stands in two of them and they disagree. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface RegistrySplitBrainFacts {
  readonly stores: readonly { readonly store: string; readonly entries: number }[];
  /** Tasks that stand in more than one store. `agree`: same schedule and enabled. */
  readonly shared: readonly { readonly taskId: string; readonly stores: number; readonly agree: boolean }[];
}

export const registrySplitBrain = defineGuard<RegistrySplitBrainFacts>(
  {
    id: "registry/split-brain",
    needs: ["every store of one installation, counted", "tasks that stand in several of them, and whether they agree"],
    severity: "warning",
    text: "Several stores of one installation hold tasks, and a product shows one of them.",
    case: "003",
  },
  ({ stores, shared }) => {
    const filled = stores.filter(({ entries }) => entries > 0);
    if (filled.length < 2) return undefined;
    const torn = shared.filter(({ agree }) => !agree);
    const both = shared.length === 0 ? "no task in two of them" : `${shared.length} in two of them, ${torn.length} of these disagree`;
    const sizes = filled.map(({ entries }) => entries).join(" and ");
    const names = torn.length === 0 ? "" : `: ${firstFew(torn.map(({ taskId }) => taskId))}`;
    return {
      subject: subjectOrAll(torn.map(({ taskId }) => taskId), "fleet"),
      message: `${filled.length} of ${stores.length} stores hold tasks (${sizes}), ${both}${names}`,
      counts: { stores: stores.length, filled: filled.length, shared: shared.length, disagree: torn.length },
      ...(torn.length > 0 ? { severity: "alarm" as const } : {}),
    };
  },
);
