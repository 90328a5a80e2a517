/** Bytes as text, text as bytes, and a fingerprint of bytes. Leaves out other encodings: what is not UTF-8 is refused. */

// Part of every JavaScript host, and of no `lib` without a DOM.
declare const TextDecoder: new (encoding: string, options: { fatal: boolean }) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Undefined for bytes that are not UTF-8. A byte order mark is left out. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/**
 * 16 hexadecimal digits over the bytes: the revision of an object. Two chains of multiplication by odd constants; notices every
 * accident, and nobody who looks for a collision on purpose.
 */
export function fingerprint(bytes: Uint8Array): string {
  let one = 0x811c9dc5 ^ bytes.length;
  let two = 0x9e3779b9 ^ bytes.length;
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    two = Math.imul(two ^ byte ^ (one >>> 13), 0x85ebca6b);
  }
  return [one ^ (two >>> 15), two ^ (one >>> 16)].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** By code units: the same on every machine, whatever its language. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
