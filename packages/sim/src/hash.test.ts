import { expect, it } from "vitest";
import { hashOfBytes, RunningHash } from "./trace.ts";

const hashOfTexts = (...texts: string[]): string => {
  const hash = new RunningHash();
  for (const text of texts) hash.text(text);
  return hash.digits();
};

it("changes with every byte of every length, at every place", () => {
  const seen = new Set<string>();
  let inputs = 0;
  for (let length = 0; length <= 9; length += 1) {
    for (let place = 0; place < length; place += 1) {
      for (const value of [1, 2, 128, 255]) {
        const bytes = new Uint8Array(length);
        bytes[place] = value;
        seen.add(hashOfBytes(bytes));
        inputs += 1;
      }
    }
    seen.add(hashOfBytes(new Uint8Array(length)));
    inputs += 1;
  }
  expect(seen.size).toBe(inputs);
});

it("keeps texts apart that look alike when they are put together", () => {
  const hashes = [hashOfTexts("ab", "c"), hashOfTexts("a", "bc"), hashOfTexts("abc"), hashOfTexts("abc", "")];
  expect(new Set(hashes).size).toBe(4);
});

it("gives these digits on every engine", () => {
  expect(hashOfBytes(new Uint8Array(0))).toBe("06f89b0631426544");
  expect(hashOfBytes(Uint8Array.of(1, 2, 3, 4, 5))).toBe("f128866a2be17c84");
  expect(hashOfTexts("casebook")).toBe("c7b61612c2615ee0");
});
