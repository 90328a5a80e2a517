/** Bytes of a program to lines: UTF-8 or nothing, and never more of one in memory than the longest that is allowed. */
export const LONGEST_LINE_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 10;

export interface LineSplitter {
  take(bytes: Uint8Array): void;
  /** A line was begun and not ended. */
  isInLine(): boolean;
}

export function createLineSplitter({ line, wrong }: { readonly line: (text: string) => void; readonly wrong: (problem: "too-long" | "no-utf-8") => void }): LineSplitter {
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array): boolean => {
    length += part.length;
    if (length > LONGEST_LINE_BYTES) return false;
    if (part.length > 0) parts.push(part);
    return true;
  };
  const end = (): void => {
    const bytes = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    parts = [];
    length = 0;
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return wrong("no-utf-8");
    }
    line(text);
  };
  const tooLong = (): void => {
    parts = [];
    wrong("too-long");
  };
  return {
    take(bytes) {
      let from = 0;
      for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
        if (!keep(bytes.subarray(from, at))) return tooLong();
        end();
        from = at + 1;
      }
      if (!keep(bytes.subarray(from))) tooLong();
    },
    isInLine: () => length > 0,
  };
}
