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
  const home = ordered.reduce((rest, one) => replaceFolder(rest, one), text);
  return visible(home.replace(OTHER_HOMES, (_whole, before: string) => `${before}…`));
}

const OTHER_HOMES = /((?:\/home\/|\/Users\/|\/C:\/Users\/))[^/\s"']+/g;

/** Only whole folders: `/home/ann` is not the start of `/home/anna`. */
function replaceFolder(text: string, home: string): string {
  const parts = text.split(home);
  return parts.reduce((joined, part, index) => {
    if (index === 0) return part;
    return joined + (part === "" || /^[/\s"',:;)]/.test(part) ? "~" : home) + part;
  }, "");
}

/** Control characters, and characters that reorder the line, as `\u{…}`: an id can hold anything. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
