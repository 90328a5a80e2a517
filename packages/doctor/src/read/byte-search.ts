/** Horspool's search for a few bytes in many: looks at about every tenth byte, and needs nothing but the language. */

export type ByteSearch = (bytes: Uint8Array, from: number) => number;

/** Answers the first offset at or after `from`, or -1. The needle is ASCII and not empty. */
export function createByteSearch(needle: string): ByteSearch {
  const wanted = Uint8Array.from(needle, (character) => character.charCodeAt(0));
  const last = wanted.length - 1;
  // How far the window may move when this byte is under its end.
  const moves = new Uint32Array(256).fill(wanted.length);
  for (let index = 0; index < last; index += 1) moves[wanted[index] as number] = last - index;

  return (bytes, from) => {
    let end = from + last;
    while (end < bytes.length) {
      const byte = bytes[end] as number;
      if (byte === wanted[last]) {
        let back = 1;
        while (back <= last && bytes[end - back] === wanted[last - back]) back += 1;
        if (back > last) return end - last;
      }
      end += moves[byte] as number;
    }
    return -1;
  };
}
