import { expect, it } from "vitest";
import { receiptOf } from "../log.fixture.ts";
import { createSequence } from "./sequence.ts";

function numbered(numbers: Iterable<number>) {
  const sequence = createSequence();
  let offset = 0;
  for (const seq of numbers) sequence.receipt(receiptOf({ seq }), (offset += 100));
  return sequence.summary();
}

/** 1, then a jump, then every second number below it: each splits what is missing. */
function* halves(count: number) {
  yield 1;
  yield 1_000_000_000;
  for (let index = 1; index <= count; index += 1) yield 2 * index + 2;
}

it("takes a number that was missing and comes late out of its gap", () => {
  expect(numbered([1, 2, 6, 4, 3])).toMatchObject({ gaps: [{ after: 2, next: 6, late: 2 }], missing: 1, backwardsCount: 2, repeats: 0 });
  expect(numbered([1, 2, 6, 4, 4])).toMatchObject({ gaps: [{ late: 1 }], missing: 2, backwardsCount: 1, repeats: 1 });
});

// Where each late number looks through all before it, this takes longer than a test may.
it("follows no more gaps than it may, however they are split", () => {
  expect(numbered(halves(20_000))).toMatchObject({ backwardsCount: 20_000, repeats: 0, gaps: [{ after: 1, next: 1_000_000_000, late: 20_000 }] });
});

it("does not call a number repeated of which it does not know whether it was there", () => {
  // Every second number is left out, more than gaps are followed, and comes behind the others.
  const odd = Array.from({ length: 3_000 }, (_, index) => 2 * index + 1);
  const even = odd.slice(1).map((seq) => seq - 1);
  expect(numbered([...odd, ...even])).toMatchObject({ repeats: 0, backwardsCount: even.length });
  expect(numbered([...odd, 1])).toMatchObject({ repeats: 1, backwardsCount: 0 });
});
