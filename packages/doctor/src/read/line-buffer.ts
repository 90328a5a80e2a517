/** The beginning of a line whose end has not been read yet. One buffer for all such lines, so that holding them costs no memory anew. */
export interface LineBuffer {
  /** Bytes held so far; those beyond the limit are counted and not kept. */
  length(): number;
  add(bytes: Uint8Array): void;
  /** What was held, good until the next is added; it begins anew. */
  take(): Uint8Array;
}

export function createLineBuffer(maxBytes: number): LineBuffer {
  let buffer = new Uint8Array(0);
  let length = 0;
  return {
    length: () => length,
    add: (bytes) => {
      const whole = length + bytes.length;
      if (whole <= maxBytes) {
        if (whole > buffer.length) {
          // Twice as much, so that a line in many pieces is not copied for each of them.
          const larger = new Uint8Array(Math.min(maxBytes, Math.max(whole, 2 * buffer.length)));
          larger.set(buffer.subarray(0, length));
          buffer = larger;
        }
        buffer.set(bytes, length);
      }
      length = whole;
    },
    take: () => {
      const line = buffer.subarray(0, Math.min(length, maxBytes));
      length = 0;
      return line;
    },
  };
}
