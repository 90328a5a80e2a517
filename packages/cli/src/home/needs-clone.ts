/** The answer of a packed copy to a command that works on sources. */
import { repositoryName, repositoryOf } from "../repository.ts";
import { UsageError } from "../usage-error.ts";

/** `command` as it is typed, without `casebook`: `test`, `new`. */
export function needsClone(command: string): UsageError {
  return new UsageError(
    `\`casebook ${command}\` needs a clone, and this is a packed copy: it carries the repros and the pages of the cases, not their sources and tests. ` +
      `Clone ${repositoryName(repositoryOf())} and type it there. Here you can \`casebook list\`, \`run\`, \`explain\`, \`report\` and \`doctor\`.`,
  );
}
