/** What `casebook replay` says of a token, of a saved trace, and of what is neither. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readToken, type Token, tokenText, type TraceDocument } from "@casebook/explore";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import { commandLine } from "../command-line.ts";
import { exploreDocument, traceDocument } from "../documents.ts";
import { UsageError } from "../usage-error.ts";
import { explore } from "./explore.ts";
import { replay, type ReplayMachine, type ReplayWords } from "./replay.ts";
import { FIXTURE_LIBRARY, FIXTURE_SOURCE, libraryOf, SYSTEMS } from "./searchable-case.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "casebook-replay-"));
afterAll(() => rmSync(folder, { recursive: true }));
const MACHINE: ReplayMachine = { library: FIXTURE_LIBRARY, width: 100, readStdin: () => Promise.resolve("") };
const again = (given: string, words: ReplayWords = {}, machine: Partial<ReplayMachine> = {}) => replay(given, words, { ...MACHINE, ...machine });

let token = "";
let trace: TraceDocument;
beforeAll(async () => {
  const { text } = await explore("900", { system: "believed", json: true }, { library: FIXTURE_LIBRARY, width: 100, progress: undefined, onInterrupt: () => () => undefined });
  token = exploreDocument.parse(JSON.parse(text)).systems[0]?.findings[0]?.token ?? "";
  trace = JSON.parse((await again(token, { json: true })).text) as TraceDocument;
});

/** The token with something else in it, and a check sum that fits. */
function changed(parts: Partial<Token>): string {
  const read = readToken(token);
  if (read.outcome !== "token") throw new Error(read.message);
  return tokenText({ ...read.token, ...parts });
}

function saved(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const STEPS = `step  time  taken   process  call
   1  0 ms  2 of 2  second   cell.read claim = free
   2  0 ms  1 of 2  first    cell.read claim = free
   3  0 ms  1 of 2  first    cell.write claim = first
   4  0 ms  1 of 2  first    faults.reach dispatcher.after-claim
   5  0 ms          second   cell.write claim = second
   6  0 ms          second   faults.reach dispatcher.after-claim
`;
const headOf = (): string => `900/believed: One task is started at most once.
FAIL task/started-once: 2 starts of one task
without a fault
6 steps, 0 ms of virtual time; trace ${trace.hash} as in the token
`;

describe("casebook replay", () => {
  it("plays the execution of a token again, step by step, and exits as its finding does", async () => {
    expect(await again(token)).toEqual({ text: `${headOf()}\n${STEPS}`, aside: "", exitCode: 1 });
  });

  it("plays it twice and compares every byte", async () => {
    const said = `played twice: the same trace ${trace.hash}, the same ${JSON.stringify(trace).length.toLocaleString("en")} characters\n`;
    expect((await again(token, { twice: true })).text).toBe(`${headOf()}${said}\n${STEPS}`);
  });

  it("says that a system which remembers is no verdict", async () => {
    let runs = 0;
    const [believed] = SYSTEMS.filter(({ name }) => name === "900/believed");
    // Only its claim changes, so the trace of what happened stays the same and the document does not.
    const fickle = { ...believed, get claim() { return `claim ${(runs += 1)}`; } } as (typeof SYSTEMS)[number];
    expect(await again(token, { twice: true }, { library: libraryOf([fickle]) })).toEqual({
      text: "NOT RUN (unstable-input): played twice, it went two ways. Something that the world does not decide decides here.\n",
      exitCode: 3,
    });
  });

  it("stops showing at a step, and says what waits and what the facts are", async () => {
    expect((await again(token, { until: "3" })).text).toBe(`${headOf()}
${STEPS.split("\n").slice(0, 4).join("\n")}

after step 3:
  facts {"starts":0,"lost":0}
  first: faults.reach "dispatcher.after-claim" can be next
  second: cell.write "claim" can be next
`);
    await expect(again(token, { until: "7" })).rejects.toThrow("--until 7 lies behind the end: the execution has 6 steps.");
    await expect(again(token, { until: "none" })).rejects.toThrow('--until takes a whole number from 1 to 1000000, not "none".');
  });

  it("draws it, in the terminal and as a picture", async () => {
    expect((await again(token, { diagram: true, until: "2" })).text).toContain("\nstep  first   second\n   1  │       ●       cell.read claim = free\n   2  ●       │       cell.read claim = free\n\nafter step 2:\n");
    expect(await again(token, { svg: true })).toMatchObject({ text: expect.stringMatching(/^<svg [\s\S]*<\/svg>\n$/) as string, exitCode: 1 });
  });

  it("takes a file with a token, a saved trace, and stdin", async () => {
    const wanted = await again(token);
    expect(await again(saved("token.txt", `${token}\n`))).toEqual(wanted);
    expect(await again(saved("trace.json", JSON.stringify(trace)))).toEqual(wanted);
    expect(await again("-", {}, { readStdin: () => Promise.resolve(`  ${token}\n`) })).toEqual(wanted);
  });

  it("says beside the answer that the code of the case is another, when the trace is the same", async () => {
    expect(await again(token, {}, { library: libraryOf(SYSTEMS, "11111111") })).toMatchObject({
      aside: `casebook: the token was made from other code of the case (${FIXTURE_SOURCE}, here 11111111; a packed copy and a clone count as two); the trace is the same.\n`,
      exitCode: 1,
    });
  });

  it("has one shape of trace in the code and in the published schema", () => {
    expect(traceDocument.parse(trace)).toEqual(trace);
    expectTypeOf<z.infer<typeof traceDocument>["steps"][number]>().toEqualTypeOf<{ -readonly [Key in keyof TraceDocument["steps"][number]]: TraceDocument["steps"][number][Key] extends readonly number[] ? number[] : TraceDocument["steps"][number][Key] }>();
  });
});

describe("a token that does not fit what is here", () => {
  it.each([
    ["of another kernel", { kernel: 99 }, "the token is of kernel 99, this is kernel 1; the same choices may lead elsewhere"],
    ["with a choice that is impossible", { choices: [5] }, "choice 1 takes option 6 of 2, at step 1"],
    ["with choices too many", { choices: [1, 0, 0, 0, 1] }, "it ended after 4 of 5 choices, at step 6"],
    ["of another trace", { trace: "0000000000000000" }, /^its trace is [0-9a-f]{16} and not 0{16}$/],
    ["of another system", { system: "900/claim" }, /^it ended after|^its trace is|^choice/],
  ])("is stale and no verdict: %s", async (_, parts, says) => {
    const { text, exitCode } = await again(changed(parts));
    const [, reason, why] = /^NOT RUN \(([a-z-]+)\): (.*)\n$/.exec(text) ?? [];
    expect([exitCode, reason]).toEqual([3, "stale-token"]);
    if (typeof says === "string") expect(why).toBe(says);
    else expect(why).toMatch(says);
  });

  it("answers a document under --json as well", async () => {
    const { text, exitCode } = await again(changed({ choices: [5] }), { json: true });
    expect(JSON.parse(text)).toEqual({ schemaVersion: 1, error: { code: "STALE_TOKEN", message: "NOT RUN (stale-token): choice 1 takes option 6 of 2, at step 1" } });
    expect(exitCode).toBe(3);
  });

  it("names the first step that differs, where a saved trace knows it", async () => {
    const other = { ...trace, token: changed({ choices: [0, 0, 0, 0], trace: trace.hash }), choices: [0, 0, 0, 0] };
    expect((await again(saved("stale.json", JSON.stringify(other)))).text).toMatch(/; step 1 was `second cell\.read claim ok free` and is `first cell\.read claim ok free`\n$/);
  });
});

describe("what cannot be replayed", () => {
  it.each([
    ["a word", () => "hello", 'TOKEN_FOREIGN: this is no token that can be replayed; a token begins with casebook-1, this text with "hello". Copy the whole line behind `casebook replay`. There is no file of that name either.'],
    ["a token of another format", () => token.replace("casebook-1", "casebook-9"), "TOKEN_VERSION: this is no token that can be replayed; it is of format casebook-9, and this casebook reads casebook-1. Replay it with the version that printed it."],
    ["half a token", () => token.slice(0, 30), "TOKEN_TRUNCATED: this is no token that can be replayed; its end is missing: 4 of 8 parts are there. Copy the whole line."],
    ["a token with one character flipped", () => token.replace("believed", "belieced"), "TOKEN_DAMAGED: this is no token that can be replayed; its check sum does not fit: a character was changed, lost or added on the way. Copy it again."],
    ["a token of a system that is not here", () => changed({ system: "900/gone" }), `the token is of "900/gone", and case 900 has no such system here. Known: ${[...SYSTEMS.map(({ name }) => name), "900/remembers"].join(", ")}. Replay it with the version that printed it.`],
  ])("is refused, and says why: %s", async (_, given, message) => {
    await expect(again(given())).rejects.toThrow(new UsageError(message));
  });

  it("is exit 2 on the command line, a token of a case that is not here included", async () => {
    const { exitCode, stderr } = await commandLine(["replay", changed({ system: "998/gone" })]);
    expect([exitCode, stderr.startsWith('casebook: no case "998". Known: 001, ')]).toEqual([2, true]);
    expect((await commandLine(["replay", "casebook-1"])).exitCode).toBe(2);
  });

  it("is a trace that was changed, cut off, or made by another version", async () => {
    const refusal = async (name: string, content: string): Promise<string> => {
      const path = saved(name, content);
      const message = await again(path).then(() => "accepted", (thrown: Error) => thrown.message);
      return message.replace(`${path}: `, "");
    };
    const text = JSON.stringify(trace);
    expect(await refusal("version.json", JSON.stringify({ ...trace, schemaVersion: 2 }))).toBe("TRACE_VERSION: its schemaVersion is 2, and this casebook reads 1. Replay it with the version that saved it.");
    expect(await refusal("none.json", "{}")).toBe("TRACE_VERSION: its schemaVersion is missing, and this casebook reads 1. Replay it with the version that saved it.");
    expect(await refusal("cut.json", text.slice(0, 400))).toMatch(/^TRACE_UNREADABLE: it is no JSON \(.*\)\. Was it cut off\?$/);
    expect(await refusal("more.json", JSON.stringify({ ...trace, mood: "good" }))).toBe('TRACE_UNREADABLE: it is no trace as `casebook explore --save` writes it: Unrecognized key: "mood".');
    expect(await refusal("step.json", JSON.stringify({ ...trace, steps: [{ ...trace.steps[0], atMs: "0" }] }))).toMatch(/^TRACE_UNREADABLE: it is no trace as `casebook explore --save` writes it at steps\.0\.atMs: /);
    expect(await refusal("choices.json", JSON.stringify({ ...trace, choices: [0] }))).toBe("TRACE_CONTRADICTS_ITSELF: its choices and its token do not belong together; it was changed after it was saved. Save it again.");
    expect(await refusal("hash.json", JSON.stringify({ ...trace, hash: "0000000000000000" }))).toContain("TRACE_CONTRADICTS_ITSELF: its hash and its token");
    expect(await refusal("token.json", JSON.stringify({ ...trace, token: token.slice(0, -1) }))).toContain("its token is damaged: TOKEN_TRUNCATED");
    expect(await refusal("empty.txt", "")).toContain("TOKEN_FOREIGN");
  });

  it("is a folder, and two documents on one stdout", async () => {
    await expect(again(folder)).rejects.toThrow("cannot be read");
    await expect(again(token, { json: true, svg: true })).rejects.toThrow("--json and --svg each fill stdout. Take one of them.");
    await expect(again(token, { json: true, until: "1" })).rejects.toThrow("--json is the whole trace, and --until a part of it. Take one of them.");
  });
});
