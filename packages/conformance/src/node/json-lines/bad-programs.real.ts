/** Programs that talk, die, hang, lie or leave somebody behind: none has a green report, each hears what to change, and nobody is left. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { DISPATCH_RULES, exitCodeOf, isChecked } from "../../index.ts";
import { runProgramConformance, runReceiptProgramConformance } from "../index.ts";
import type { Program } from "./child.ts";
import { first, folder, program, raw } from "./program.fixture.ts";

/** Of whom it is not known what he declares. */
const ALL = DISPATCH_RULES.filter(isChecked).length;
const inSubmit = (act: string, hello?: Readonly<Record<string, unknown>>): Program => program(`if (call.do === "submit") { ${act} }`, hello);
/** It will be silent, and the kit waits for it each time. */
const soon = (silent: Program): Program => ({ ...silent, silenceMs: 1_000 });
const TALKS = "C01 FAIL: submit rejected with ADAPTER_CHILD_TALKS: node";

describe("a program that", () => {
  it.each<readonly [what: string, program: Program, says: string]>([
    ["prints to standard output", program('if (call.do === "tick") process.stdout.write("looking for work\\n");'), 'C01 FAIL: tick rejected with ADAPTER_CHILD_TALKS: node printed "looking for work" on standard output, which is no JSON. Print what is meant for people to standard error.'],
    ["dies in the middle", inSubmit('process.stderr.write("out of paper\\n"); process.exit(7);'), "C01 FAIL: submit rejected with ADAPTER_CHILD_EXITED: node ended in the middle (exit code 7). It said: out of paper. Keep it running until standard input ends."],
    ["dies in the middle of a line", inSubmit('return process.stdout.write("{\\"ret", () => process.exit(0));'), "C01 FAIL: submit rejected with ADAPTER_CHILD_EXITED: node ended in the middle of a line (exit code 0). It said nothing. Keep it running until standard input ends."],
    ["is killed", inSubmit('process.kill(process.pid, "SIGTERM"); return;'), "C01 FAIL: submit rejected with ADAPTER_CHILD_EXITED: node ended in the middle (SIGTERM). It said nothing. Keep it running until standard input ends."],
    ["never answers", soon(inSubmit("return;")), "C01 FAIL: submit rejected with ADAPTER_CHILD_SILENT: node wrote no line for 1 s. Flush standard output after each line, and answer every line."],
    ["never flushes", soon(inSubmit('return process.stdout.write(JSON.stringify({ return: "accepted" }));')), "C01 FAIL: submit rejected with ADAPTER_CHILD_SILENT: node wrote no line for 1 s. Flush standard output after each line, and answer every line."],
    ["answers everything with ok", program('return write({ return: "ok" });'), 'C01 FAIL: submit answered "ok". Answer one of accepted, duplicate, conflict, rejected'],
    ["asks for what there is not", program('if (call.do === "submit") return write({ return: "accepted" }); if (call.do === "observe") return write({ return: [] }); if (call.do === "tick") return write({ ask: "disk.format" }); if (call.error) return write({ throw: call.says });'), "C01 FAIL: tick rejected with there is no disk.format; there are "],
    ["asks for ever", program('if (call.do === "submit" || call.error) return write({ ask: "disk.format" });'), 'C01 FAIL: submit rejected with ADAPTER_CHILD_ENDLESS: node asked for more than 10000 things in one submit, the last of them "disk.format". Give up what is refused again and again.'],
    ["answers for another call", inSubmit('return write({ call: 77, return: "accepted" });'), `${TALKS} wrote a line of call 77, and the kit waits for call 3. Name the call of each line, and ask for one thing at a time in it.`],
    ["answers twice", inSubmit(`return process.stdout.write('{"return":"accepted"}\\n{"return":"accepted"}\\n');`), `${TALKS} wrote a line that nobody waits for. Answer each line with exactly one.`],
    ["rests without having said that it takes several calls", inSubmit("return write({ rest: true });"), `${TALKS} wrote {"rest":true}. Declare concurrent-calls, or answer each line with exactly one.`],
    ["takes several calls and does not name them", program("", { capabilities: ["concurrent-calls"] }), "C01 FAIL: create rejected with ADAPTER_CHILD_TALKS: node wrote a line of no call, and the kit waits for call 1. Name the call of each line, and ask for one thing at a time in it."],
    ["takes several calls and never rests", soon(program("return write({ call: call.call, return: null });", { capabilities: ["concurrent-calls"] })), 'C01 FAIL: create rejected with ADAPTER_CHILD_SILENT: node did not come to rest in 1 s. Flush standard output after each line, and write {"rest":true} when nothing more will come.'],
    ["writes after it came to rest", program('write({ call: call.call, return: null }); write({ rest: true }); return write({ call: call.call, ask: "sessions.list" });', { capabilities: ["concurrent-calls"] }), 'C01 FAIL: tick rejected with ADAPTER_CHILD_TALKS: node wrote a line that nobody waits for. Write nothing after {"rest":true} until the next line.'],
    ["writes bytes that are no text", inSubmit('return process.stdout.write(Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]));'), `${TALKS} printed bytes on standard output that are no UTF-8. Encode each line as UTF-8.`],
    ["answers what is nested without end", inSubmit('return process.stdout.write(`{"return":${"[".repeat(100_000)}${"]".repeat(100_000)}}\\n`);'), `${TALKS} printed ${JSON.stringify(`{"return":${"[".repeat(70)}…`)} on standard output, which is nested deeper than 64. Answer what was asked for.`],
    ["closes its standard input", inSubmit('const { closeSync } = await import("node:fs"); closeSync(0); setInterval(() => 0, 1_000); return write({ ask: "sessions.list" });'), "C01 FAIL: submit rejected with ADAPTER_CHILD_CLOSED: node closed its standard input and goes on. Keep both open until standard input ends."],
    ["closes its standard output", inSubmit('const { closeSync } = await import("node:fs"); closeSync(1); return;'), "C01 FAIL: submit rejected with ADAPTER_CHILD_CLOSED: node closed its standard output and goes on. Keep both open until standard input ends."],
  ])("%s has no green report", async (_what, bad, says) => {
    const report = await runProgramConformance(bad, { only: ["C01"] });
    expect([report.passed, exitCodeOf(report)]).toEqual([0, 1]);
    expect(first(report).slice(0, says.length)).toBe(says);
  });

  it("writes without end is stopped before it fills the memory", async () => {
    const endless = inSubmit('const block = "x".repeat(1 << 20); const more = () => { while (process.stdout.write(block)); process.stdout.once("drain", more); }; return more();');
    const before = process.memoryUsage().rss;
    const report = await runProgramConformance(endless, { only: ["C01"] });
    expect(first(report)).toBe("C01 FAIL: submit rejected with ADAPTER_CHILD_ENDLESS: node wrote more than 4194304 bytes without a line feed. End each line with one, and keep what is big in files.");
    // One line of four megabytes in pieces for each of a few executions; without a bound it is gigabytes.
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it("hangs everywhere is given up, and not waited for in every rule", async () => {
    const report = await runProgramConformance({ command: "sh", args: ["-c", `read line; echo '{"return":{"name":"sh","version":"1","capabilities":[]}}'; sleep 600`], silenceMs: 500 });
    // Ten that ask for no capability, and the one whose probe nobody came to ask for.
    expect([report.passed, report.planned, exitCodeOf(report)]).toEqual([0, 11, 1]);
    const last = report.rules.findLast(({ verdict }) => verdict === "NOT RUN");
    expect(last?.says).toBe("ADAPTER_STOPPED: ADAPTER_CHILD_SILENT: sh was silent 12 times, and is not started again. Flush standard output after each line, and answer every line.");
  });
});

describe("a program that says of itself", () => {
  const hello = async (bad: Program): Promise<string> => {
    const report = await runProgramConformance(bad);
    expect([report.planned, report.notRun, exitCodeOf(report)]).toEqual([ALL, ALL, 3]);
    return first(report).replace("C01 NOT RUN: ", "");
  };

  it.each<readonly [what: string, program: Program, says: string]>([
    ["nothing, because it is not there", { command: "no-such-program", args: [] }, "ADAPTER_CHILD_MISSING: no-such-program could not be started: ENOENT. Install it, or name another command."],
    ["nothing, because its folder is not there", { ...program(""), cwd: "/no-such-folder" }, "ADAPTER_CHILD_MISSING: node could not be started in /no-such-folder: ENOENT. Install it, or name another command."],
    ["nothing, and hangs", raw("setInterval(() => 0, 1_000);"), "ADAPTER_CHILD_SILENT: node wrote no line for 2 s. Flush standard output after each line, and answer every line."],
    ["nothing, and ends well", raw("process.exit(0);"), "ADAPTER_CHILD_EXITED: node ended in the middle (exit code 0). It said nothing. Keep it running until standard input ends."],
    ["something for people first", raw('console.log("Welcome!"); setInterval(() => 0, 1_000);'), "ADAPTER_CHILD_TALKS: node printed \"Welcome!\" on standard output, which is no JSON. Print what is meant for people to standard error."],
    ["no name", program("", { name: "" }), "ADAPTER_INVALID: it has no name. Reports and replays carry it."],
    ["a newer protocol", program("", { protocol: 2 }), 'ADAPTER_INVALID: lines speaks protocol 2, and this kit speaks 1. Take the version of the kit that speaks it, or answer hello with "protocol":1.'],
    ["to be a receipt log", program("", { kind: "receipt-log" }), 'ADAPTER_INVALID: lines is a "receipt-log", and a dispatcher was asked for. Judge it with runReceiptProgramConformance, or answer hello with "kind":"dispatcher".'],
    ["to be something else", program("", { kind: "clock" }), 'ADAPTER_INVALID: lines is a "clock", and a dispatcher was asked for. Answer hello with "kind":"dispatcher".'],
    ["functions that are no names", program("", { functions: "probe" }), 'ADAPTER_INVALID: functions of lines is "probe". Answer a list of names, such as ["probe"], or leave it out.'],
    ["capabilities that are none", program("", { capabilities: "durable" }), 'ADAPTER_INVALID: capabilities of lines is "durable". Pass a list, which may be empty; there are '],
    ["a lease of an hour", program("", { limits: { leaseMs: 3_600_000 } }), "ADAPTER_INVALID: limits.leaseMs of lines is 3600000. Pass whole milliseconds from 1 to 60000; the rules wait no longer."],
    ["that it wants something first", raw('console.log(JSON.stringify({ ask: "disk.read" })); setInterval(() => 0, 1_000);'), "ADAPTER_INVALID: it asked for \"disk.read\" before it answered hello. Answer hello first; ports are there from create on."],
  ])("%s has no verdict in any rule", async (_what, bad, says) => {
    expect((await hello(bad)).slice(0, says.length)).toBe(says);
  });

  it("more than this kit knows is judged by what it knows", async () => {
    const report = await runProgramConformance(inSubmit('return write({ return: "rejected", because: "of the weather" });', { colour: "blue", functions: ["dream"] }), { only: ["C01"] });
    expect(first(report)).toBe("C01 FAIL: observe answered null. Answer a list with an object for each task");
  });

  it("to be a dispatcher has no verdict as a receipt log", async () => {
    const report = await runReceiptProgramConformance(program(""));
    expect([report.planned, report.notRun, exitCodeOf(report)]).toEqual([12, 12, 3]);
    expect(report.rules[0]?.says).toBe('ADAPTER_INVALID: lines is a "dispatcher", and a receipt-log was asked for. Judge it with runProgramConformance, or answer hello with "kind":"receipt-log".');
  });

  it("is refused at once where there is no program to ask", async () => {
    await expect(runProgramConformance(undefined as never)).rejects.toThrow('ADAPTER_INVALID: the program is undefined. Pass { command, args }, such as { command: "python3", args: ["mine.py"] }.');
    await expect(runProgramConformance({ command: "" } as never)).rejects.toThrow('ADAPTER_INVALID: the program is {"command":""}. Pass');
  });
});

/** Starts a child for each life, which outlives it and holds its streams, and writes both numbers down. */
const parent = (pids: string, then: string): Program =>
  program(`if (call.do === "create") { const child = spawn("sleep", ["600"], { stdio: "inherit" }); appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n" + child.pid + "\\n"); } ${then}`);

const pidsIn = (path: string): number[] => readFileSync(path, "utf8").split("\n").filter((line) => line !== "").map(Number);

/** One that is dead and was not fetched yet by whoever has to does not run. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe.skipIf(process.platform !== "linux")("nobody of a program is left", () => {
  it("when its parent died and its child holds the streams, which is heard at once", async () => {
    const pids = join(folder, "died.pids");
    const report = await runProgramConformance(parent(pids, 'if (call.do === "submit") process.exit(3);'), { only: ["C01"] });
    expect(first(report)).toBe("C01 FAIL: submit rejected with ADAPTER_CHILD_EXITED: node ended in the middle (exit code 3). It said nothing. Keep it running until standard input ends.");
    expect(pidsIn(pids).length).toBeGreaterThan(3);
    await expect.poll(() => pidsIn(pids).filter(runs)).toEqual([]);
  });

  it("when the report is there", async () => {
    const pids = join(folder, "reported.pids");
    await runProgramConformance(parent(pids, 'if (call.do === "observe") return write({ return: [] }); if (call.do === "submit") return write({ return: "accepted" });'), { only: ["C01"] });
    expect(pidsIn(pids).length).toBeGreaterThan(3);
    // The program itself at once; its child, which is nobody's by then, as soon as the system gets to it.
    expect(pidsIn(pids).filter((_, at) => at % 2 === 0).filter(runs)).toEqual([]);
    await expect.poll(() => pidsIn(pids).filter(runs)).toEqual([]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("when the kit is interrupted by %s", async (signal) => {
    const pids = join(folder, `${signal}.pids`);
    const hanging = { ...parent(pids, 'if (call.do === "submit") return;'), silenceMs: 60_000 };
    const judge = join(folder, `judge-${signal}.mts`);
    writeFileSync(judge, `import { runProgramConformance } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "../index.ts")).href)};\nawait runProgramConformance(${JSON.stringify(hanging)}, { only: ["C01"] });\n`);
    const kit = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), judge], { stdio: "ignore" });
    const ended = new Promise((resolve) => kit.once("exit", (_code, by) => resolve(by)));
    await expect.poll(() => existsSync(pids) && pidsIn(pids).length, { timeout: 60_000 }).toBe(2);
    expect(pidsIn(pids).filter(runs)).toHaveLength(2);
    kit.kill(signal);
    expect(await ended).toBe(signal);
    await expect.poll(() => pidsIn(pids).filter(runs)).toEqual([]);
  });
});
