/** The three bytes that some editors put before a UTF-8 text. */
export function startsWithMark(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

export function withoutMark(bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes?.subarray(3);
}
