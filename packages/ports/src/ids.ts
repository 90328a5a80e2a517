/** The port for new identities. Models uniqueness within one installation; leaves out secrecy. */
export interface Ids {
  /** A new id that starts with `prefix` and a dash. Never the same twice. Letters, digits and dashes only. */
  next(prefix: string): string;
}
