/** What a tree rejects with: an error with the POSIX code that callers switch on, and the tree's path, never the machine's. */
export class TreeError extends Error {
  override readonly name = "TreeError";
  readonly code: string;

  constructor(code: string, operation: string, path: string) {
    super(`${code}: ${operation} '${path}'`);
    this.code = code;
  }
}

/** The `code` of anything that was thrown, or "" if it has none. */
export function treeErrorCode(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return "";
  return typeof thrown.code === "string" ? thrown.code : "";
}
