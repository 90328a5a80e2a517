/** `CASE_UNREADABLE` with every problem of every file at once: what, where, what now. A configuration error: exit 2. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly code = "CASE_UNREADABLE";
}
