/** Finds tasks that have nothing to say when they start. A prompt that is there and wrong is not seen. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface RegistryMissingPromptFacts {
  /** Tasks that should have a prompt. */
  readonly tasks: number;
  readonly without: readonly { readonly taskId: string; readonly state: "missing" | "empty" | "placeholder" }[];
}

export const registryMissingPrompt = defineGuard<RegistryMissingPromptFacts>(
  {
    id: "registry/missing-prompt",
    needs: ["the tasks that should have a prompt", "the state of each prompt"],
    severity: "alarm",
    text: "The prompt of a task is missing, empty or a placeholder.",
    case: undefined,
  },
  ({ tasks, without }) => {
    if (without.length === 0) return undefined;
    const count = (state: string) => without.filter((one) => one.state === state).length;
    const counts = { tasks, missing: count("missing"), empty: count("empty"), placeholder: count("placeholder") };
    const named = firstFew(without.map(({ taskId, state }) => `${taskId} (${state})`));
    return {
      subject: subjectOrAll(without.map(({ taskId }) => taskId), "fleet"),
      message: `${without.length} of ${tasks} tasks have no prompt: ${named}`,
      counts,
    };
  },
);
