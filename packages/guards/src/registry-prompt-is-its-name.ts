/** Finds prompts that were replaced by the task's own name: no count changes, and the agent is told two words. A task that is meant
 * to be told its name looks the same. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface RegistryPromptIsItsNameFacts {
  readonly tasks: number;
  /** Tasks whose prompt is their name. */
  readonly damaged: readonly string[];
}

export const registryPromptIsItsName = defineGuard<RegistryPromptIsItsNameFacts>(
  {
    id: "registry/prompt-is-its-name",
    needs: ["the tasks that have a prompt and a name", "whether the one is the other"],
    severity: "alarm",
    text: "The prompt of a task is its name.",
    case: undefined,
  },
  ({ tasks, damaged }) => {
    if (damaged.length === 0) return undefined;
    return {
      subject: subjectOrAll(damaged, "fleet"),
      message: `${damaged.length} of ${tasks} prompts are no more than the task's name: ${firstFew(damaged)}`,
      counts: { tasks, damaged: damaged.length },
    };
  },
);
