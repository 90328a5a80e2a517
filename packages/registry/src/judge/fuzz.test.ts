import { judgeDocument, judgeTaskFiles, type DocumentShape, type LoaderPolicy, type RegistryReading } from "@casebook/registry/judge";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const POLICIES: readonly LoaderPolicy[] = ["reject-file", "quarantine-entry", "normalise-then-quarantine"];
const SHAPES: readonly DocumentShape[] = [
  { kind: "array", pointer: "/scheduledTasks" },
  { kind: "bare-array" },
  { kind: "id-keyed-map", pointer: "" },
  { kind: "several-lists", declared: undefined },
];
const FIXTURE = new TextEncoder().encode(
  '{ "scheduledTasks": [\n  {"id":"nightly—digest","cronExpression":"15 2 * * *","enabled":true,"lastRunAt":"2026-09-20T02:15:48.120Z"},\n' +
    '  {"id":"once","fireAt":"2026-08-27T07:30:00+01:00","note":"\\"\\\\\\u00e9"}],\n  "recordedSkips": {"once":[{"at":1789999999000}]} }',
);

/** What must be true of any answer to any bytes. */
function checkReading(reading: RegistryReading, bytes: Uint8Array, shape: DocumentShape): void {
  if (reading.outcome === "absent") throw new Error("bytes are never absent");
  if (reading.outcome === "unreadable") expect(reading.population).toBeUndefined();
  if (reading.outcome === "rejected") expect(reading.dropped).toBe(reading.population.count);
  if (reading.outcome === "loaded") {
    expect(reading.loaded.length + reading.quarantined.length).toBe(reading.population.count);
    if (reading.population.count === 0 && shape.kind === "array") {
      const list = (JSON.parse(new TextDecoder().decode(bytes)) as { scheduledTasks: unknown[] }).scheduledTasks;
      expect(list).toEqual([]);
    }
  }
}

describe("judging damaged bytes", () => {
  it("never loads a file that was cut off anywhere, and never throws", () => {
    for (let length = 0; length < FIXTURE.length; length += 1) {
      for (const policy of POLICIES) {
        expect(judgeDocument(FIXTURE.subarray(0, length), SHAPES[0] as DocumentShape, policy).outcome).toBe("unreadable");
      }
    }
  });

  it("answers flipped bits in every byte, with counts that add up", () => {
    // Every third bit: all eight of a byte's bits come up, two or three in each byte.
    for (let bit = 0; bit < FIXTURE.length * 8; bit += 3) {
      const bytes = FIXTURE.slice();
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      const shape = SHAPES[bit % SHAPES.length] as DocumentShape;
      checkReading(judgeDocument(bytes, shape, POLICIES[bit % POLICIES.length] as LoaderPolicy), bytes, shape);
    }
  });

  it("answers any bytes, any JSON, and any directory of them", () => {
    const json = fc.json().map((text) => new TextEncoder().encode(text));
    const list = fc.json().map((text) => new TextEncoder().encode(`{"scheduledTasks":[${text}]}`));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 40 }), json, list), fc.constantFrom(...SHAPES), fc.constantFrom(...POLICIES), (bytes, shape, policy) => {
        checkReading(judgeDocument(bytes, shape, policy), bytes, shape);
        const directory = judgeTaskFiles([{ name: "a.json", content: { bytes } }], [], policy);
        expect(directory.population).toEqual({ count: 1, countedBy: "files" });
      }),
      { numRuns: 250 },
    );
  });
});
