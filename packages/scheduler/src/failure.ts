import { errorCode } from "@casebook/ports";

/** What was thrown, as data: its own code, or `fallback` when it has none. */
export function describeFailure(failure: unknown, fallback: string): { readonly code: string; readonly message: string } {
  const code = errorCode(failure);
  return { code: code === "" ? fallback : code, message: failure instanceof Error ? failure.message : String(failure) };
}
