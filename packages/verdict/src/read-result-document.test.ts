import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { readResultDocument } from "./read-result-document.ts";
import { createResultDocument } from "./result-document.ts";
import { resultJsonSchema } from "./result-schema.ts";
import { fail, notRun, pass } from "./words/index.ts";
import { writeJson } from "./writers/json.ts";

const sample = createResultDocument({
  tool: { name: "doctor", version: "0.1.0" },
  selection: ["~/.agents"],
  results: [
    { id: "triage", title: "triage", ...pass() },
    { id: "digest", title: "nightly digest", location: { file: "tasks.json", line: 412 }, ...fail("no session") },
    { id: "3 tasks", title: "3 tasks", ...notRun("missing-input", "folders unreadable", { exitCode: 1 }) },
  ],
  outside: [{ id: "claude/lock", title: "lock", kind: "unsupported", note: "this layout has none" }],
  findings: [{ guard: "registry/parity", subject: "fleet", message: "6 on disk, 0 loaded", counts: { onDisk: 6 }, proof: "a" }],
});

async function problemOf(text: string) {
  const read = await readResultDocument(text);
  return read.document === undefined ? read.problem : undefined;
}

/** A document whose keys may be set to anything; `undefined` leaves a key out. */
interface Loose {
  schemaVersion: unknown;
  tool: Record<string, unknown>;
  results: Record<string, unknown>[];
  tally: Record<string, unknown>;
}

/** The sample, changed somewhere, as text. */
function changed(change: (copy: Loose) => void): string {
  const copy = structuredClone(sample) as unknown as Loose;
  change(copy);
  return JSON.stringify(copy);
}

describe("a result document", () => {
  it("is sorted by id, whatever order the results came in", () => {
    expect(sample.results.map(({ id }) => id)).toEqual(["3 tasks", "digest", "triage"]);
  });

  it("comes back as it was written, keys that only one tool knows included", async () => {
    expect(await readResultDocument(writeJson(sample))).toEqual({ document: sample });
  });

  it("is read with the byte order mark that a Windows shell puts in front", async () => {
    expect(await readResultDocument(`\uFEFF${writeJson(sample)}`)).toEqual({ document: sample });
  });

  it("is refused when it was cut off, with what the parser said", async () => {
    expect(await problemOf(writeJson(sample).slice(0, 40))).toMatchObject({
      code: "NOT_JSON",
      message: expect.stringMatching(/^not JSON \(.+\)\. Was it cut off, or is it another file\?$/),
    });
  });

  it("is refused when a later version wrote it", async () => {
    expect(await problemOf(changed((copy) => (copy.schemaVersion = 2)))).toEqual({
      code: "UNKNOWN_VERSION",
      message:
        "schemaVersion is 2; this reader knows 1. Read it with the version of the tool that wrote it.",
    });
  });

  it("is refused when a NOT RUN has lost its reason, with the place", async () => {
    expect(await problemOf(changed((copy) => (copy.results[0] = { ...copy.results[0], reason: undefined })))).toEqual({
      code: "NOT_A_RESULT_DOCUMENT",
      message:
        "not a result document: results[0].reason: Invalid option: expected one of " +
        '"missing-dependency"|"missing-input"|"setup-failed"|"stale-token"|"timed-out"|"unstable-input"|"unsupported".',
    });
  });

  it("is refused when its tally does not add up to its results", async () => {
    expect(await problemOf(changed((copy) => (copy.tally.passed = 2)))).toEqual({
      code: "NOT_A_RESULT_DOCUMENT",
      message: "not a result document: tally.passed: says 2, but the results hold 1.",
    });
  });

  it("is refused when two results share an id", async () => {
    expect(await problemOf(changed((copy) => (copy.results[1] = { ...copy.results[1], id: "3 tasks" })))).toEqual({
      code: "NOT_A_RESULT_DOCUMENT",
      message: "not a result document: results[1].id: is used twice.",
    });
  });

  it.each(["null", "[]", "7", '"text"', "{}"])("is not %s", async (text) => {
    expect(await problemOf(text)).toMatchObject({ code: "NOT_A_RESULT_DOCUMENT" });
  });

  it("does not bring the reader down when it is nested 100,000 deep", async () => {
    const deep = changed((copy) => (copy.tool.extra = "HERE")).replace(
      '"HERE"',
      "[".repeat(100_000) + "]".repeat(100_000),
    );
    expect((await readResultDocument(deep)).document?.tool.name).toBe("doctor");
  });

  it("has a published JSON Schema that is generated from the code (update it with vitest -u)", async () => {
    const text = `${JSON.stringify(resultJsonSchema(), undefined, 2)}\n`;
    await expect(text).toMatchFileSnapshot("../schema/result-document.schema.json");
  });
});

describe("the words", () => {
  it("load no library: whatever index.ts imports at load is a file of this package", () => {
    const seen = new Set<string>();
    const foreign: string[] = [];
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const source = readFileSync(file, "utf8");
      for (const [, specifier = ""] of source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from "([^"]+)";/gm)) {
        if (specifier.startsWith(".")) visit(resolve(dirname(file), specifier));
        else foreign.push(`${file}: ${specifier}`);
      }
    };
    visit(fileURLToPath(new URL("./index.ts", import.meta.url)));
    expect(foreign).toEqual([]);
    expect([...seen].some((file) => file.endsWith("result-schema.ts"))).toBe(false);
    expect(seen.size).toBeGreaterThan(8);
  });
});
