/**
 * Finds what must not stand in a case: home paths, mail addresses, tokens, account ids.
 * Patterns, so it can be fooled by whoever wants to; it catches what slips in by copying.
 */

const PATTERNS: readonly (readonly [string, RegExp])[] = [
  ["home path", /(?:\/home\/|\/Users\/|\b[A-Za-z]:\\+Users\\+)[\w.-]+/g],
  ["mail address", /[\w.+-]+@[\w-]+\.[A-Za-z]{2,}/g],
  ["token", /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.)/g],
  ["private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/g],
  ["account id", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
];

/** One line for each find: what it is, where, and the text it was found in, shortened. */
export function privateData(path: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    PATTERNS.flatMap(([what, pattern]) =>
      [...line.matchAll(pattern)].map(([found]) => `${path}:${index + 1}: ${what} "${found.slice(0, 12)}…". Replace it with an invented one.`),
    ),
  );
}
