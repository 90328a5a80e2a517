/** Wrong words on the command line: exit 2, nothing runs. The message says what, why, and what now. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
