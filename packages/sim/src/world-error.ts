/** An error of the world itself, as opposed to one of the program that plays in it. The code never changes. */
export class WorldError extends Error {
  override readonly name = "WorldError";
  readonly code: string;

  /** `text` says what happened, why that is an error, and what to do now. */
  constructor(code: string, text: string) {
    super(`${code}: ${text}`);
    this.code = code;
  }
}
