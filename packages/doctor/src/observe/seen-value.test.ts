import { expect, it } from "vitest";
import { seenField } from "./seen-value.ts";

it("shows of a field what looks like a moment, a span or a word", () => {
  for (const text of ["2026-09-03T07:30:00+01:00", "1788417000000", "PT15M", "1h30m", "2026/09/03 07:30", "yes", "tomorrow", ""]) {
    expect(seenField(text)).toBe(`text "${text}"`);
  }
  expect([seenField(7), seenField(true), seenField(null), seenField(undefined)]).toEqual(["number 7", "boolean true", "null", "nothing"]);
});

it("gives only the length of any other text, because a prompt or a secret may have slipped into the field", () => {
  expect(seenField("Bearer eyJhbGciOi.invented")).toBe("text of 26 characters");
  expect(seenField("Write to my bank")).toBe("text of 16 characters");
  expect(seenField("sk-ant-0123")).toBe("text of 11 characters");
  expect(seenField("hunter2")).toBe("text of 7 characters");
  // Longer than any moment.
  expect(seenField("1".repeat(60))).toBe("text of 60 characters");
});
