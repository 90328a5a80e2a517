/**
 * What may be printed: home becomes `~`, other people's home folders lose their names, control characters become visible.
 * Prompts, payloads and secrets never get this far: observations do not hold them.
 */

export interface Redaction {
  /** Home folders of the person who runs this, with `/`. */
  readonly homes: readonly string[];
}

export const NO_HOMES: Redaction = { homes: [] };

/** For paths and for texts that may hold some. */
export function redact(text: string, { homes }: Redaction): string {
  const ordered = homes.filter((home) => home.length > 1).toSorted((a, b) => b.length - a.length);
  const home = ordered.reduce((rest, one) => replaceFolder(replaceFolder(rest, one, "~", ENDS), `/${asName(one)}`, "/-~", NAME_ENDS), text);
  return visible(home.replace(OTHER_HOMES, (_whole, before: string) => `${before}…`).replace(OTHER_HOME_NAMES, (_whole, before: string) => `${before}…`));
}

/** For a command to be typed: a quoted `'~/x'` would be no home, so the tilde stands before the quote. */
export function redactCommand(command: string, redaction: Redaction): string {
  return redact(command, redaction).replaceAll("$'~/", () => "~/$'").replaceAll("'~/", "~/'");
}

const OTHER_HOMES = /((?:\/home\/|\/Users\/))[^/\s"'\u2026]+/gi;
/** Transcripts lie in a folder that is named by a path with its strokes for hyphens. */
const OTHER_HOME_NAMES = /(\/-(?:[A-Z]--)?(?:home|Users)-)[^-/\s"'\u2026]+/gi;

function asName(home: string): string {
  return home.replaceAll(/[^A-Za-z0-9]/g, "-");
}

const ENDS = /^[/\s"',:;)]/;
const NAME_ENDS = /^[-/\s"',:;)]/;

/** Only whole folders: `/home/ann` is not the start of `/home/anna`. */
function replaceFolder(text: string, home: string, by: string, ends: RegExp): string {
  const parts = text.split(home);
  return parts.reduce((joined, part, index) => {
    if (index === 0) return part;
    return joined + (part === "" || ends.test(part) ? by : home) + part;
  }, "");
}

/** Control characters, and characters that reorder the line, as `\u{…}`: an id can hold anything. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Control characters, format characters such as marks of direction, other line ends, halves of characters. */
export const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
