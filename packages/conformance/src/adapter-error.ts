/** A mistake of whoever wrote the adapter or called the kit: it stops everything, with one code. */
export class AdapterError extends Error {
  override readonly name = "AdapterError";
  readonly code = "ADAPTER_INVALID";

  constructor(text: string) {
    super(`ADAPTER_INVALID: ${text}`);
  }
}
