/**
 * A word of a command line as bash and zsh take it: plain, in quotes, or, where it holds characters that no report prints,
 * in `$'…'` with their bytes.
 */
import { HIDDEN } from "./redact.ts";

export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./~-]+$/.test(word)) return word;
  if (word.search(HIDDEN) === -1) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const plain = word.replaceAll(/\p{Cs}/gu, "\uFFFD").replaceAll("\\", String.raw`\\`).replaceAll("'", String.raw`\'`);
  return `$'${plain.replace(HIDDEN, bytesOf)}'`;
}

/** None of these characters stands for itself in a URI, so that each of its bytes is `%` and two digits there. */
function bytesOf(character: string): string {
  return encodeURIComponent(character).replaceAll("%", String.raw`\x`);
}
