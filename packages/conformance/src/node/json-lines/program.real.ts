/** Dispatchers over JSON lines: the examples in Python, what a program may ask for, and the lines of the README.md. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { reportMarkdown } from "../../index.ts";
import { replayProgramConformance, runProgramConformance } from "../index.ts";
import { startConversation } from "./conversation.ts";
import type { Program } from "./child.ts";
import { failedChecks, first, folder, program, python, raw, source, trouble } from "./program.fixture.ts";

describe("the example in Python", () => {
  it("passes what it declares, and the report says what was out of the kit's hands", { timeout: 480_000 }, async (context) => {
    const report = await runProgramConformance(await python(context, "json_lines.py"), { share: 0.05 });
    expect(trouble(report)).toEqual([]);
    expect([report.planned, report.passed, report.unsupported, report.notChecked]).toEqual([21, 21, 28, 14]);
    expect(reportMarkdown(report)).toContain("what the program does between two calls was not, so a failure may not play again.");
  });

  it("fails by name when it starts without asking, and fails again from the line", async (context) => {
    const careless = await python(context, "json_lines.py", 'session = ask("sessions.find", key=key)', "session = None");
    const report = await runProgramConformance(careless, { only: ["F10"], share: 0.1 });
    expect(failedChecks(report)).toEqual(["F10/dispatch/guessed-restart", "F10/starts"]);
    const again = await replayProgramConformance(careless, report.rules[0]?.failures?.[0]?.replay ?? "");
    // How tasks stand is asked of a replay as well, and of an execution without its fault it is not.
    expect(again.outcome === "fails" && again.failures.map(({ check }) => check)).toEqual(expect.arrayContaining(failedChecks(report)));
  });
});

describe("a program that takes several calls at once", () => {
  it("passes what it declares, two looks at once too", { timeout: 480_000 }, async (context) => {
    const report = await runProgramConformance(await python(context, "lines_at_once.py"), { share: 0.05 });
    expect(trouble(report)).toEqual([]);
    expect([report.planned, report.passed, report.unsupported]).toEqual([14, 14, 35]);
  });

  it("starts twice when its looks do not wait for each other", async (context) => {
    const both = await python(context, "lines_at_once.py", "while is_looking:", "while False:");
    expect(failedChecks(await runProgramConformance(both, { only: ["C04"] }))).toEqual(["C04/dispatch/guessed-restart", "C04/starts"]);
  });

  it("answers what it is told has no green report", async () => {
    const report = await runProgramConformance(program('if (call.do === "submit") return write({ return: "accepted" }); if (call.do === "observe") return write({ return: [] }); if (call.do === "tell") return write({ return: call.notice.kind });', { capabilities: ["holds"] }), { only: ["F16"] });
    expect(first(report)).toBe('F16 FAIL: tell answered "hold". Answer nothing: what came of it is in the list');
  });

  it("may hold one call until another comes, and is heard in the order in which it writes", async () => {
    const backwards = program(`
  globalThis.held = [...(globalThis.held ?? []), call.call];
  if (held.length === 3) for (const one of held.toReversed()) write({ call: one, return: "of " + one });
  return write({ rest: true });`);
    let waiting = 0;
    const talk = startConversation(backwards, { isConcurrent: true, now: () => 0, busy: (change) => void (waiting += change) });
    const heard: unknown[] = [];
    const never = () => Promise.reject(new Error("nothing is asked for"));
    await Promise.all(["tick", "tick", "submit"].map((name) => talk.call(name, {}, never).then((said) => heard.push(said))));
    talk.stop();
    await talk.gone;
    expect(heard).toEqual(["of 3", "of 2", "of 1"]);
    expect(waiting).toBe(0);
  });
});

/** Asks for one thing after the other in its first look, and gives up with all that it was answered. */
const asking = (asks: readonly object[], capabilities: readonly string[] = []) =>
  program(
    `
  const asks = ${JSON.stringify(asks)};
  globalThis.heard ??= [];
  if (call.do === "submit") return write({ return: "accepted" });
  if (call.do === "observe") return write({ return: [] });
  if (call.do === "tick") globalThis.inTick = true;
  else if (globalThis.inTick) heard.push(call.error === undefined ? call.answer : call.error + ": " + call.says);
  if (globalThis.inTick && heard.length < asks.length) return write({ ask: asks[heard.length].ask, ...asks[heard.length] });
  if (globalThis.inTick) return write({ throw: JSON.stringify(heard) });`,
    { capabilities },
  );

async function answersTo(asks: readonly object[]): Promise<unknown> {
  const said = first(await runProgramConformance(asking(asks), { only: ["C01"] }));
  return JSON.parse(said.replace("C01 FAIL: tick rejected with ", "")) as unknown;
}

describe("what a program asks for", () => {
  it("is a file of the world and none of this machine, wherever its path points", async () => {
    const here = join(folder, "..", "nothing-of-this-machine");
    expect(
      await answersTo([
        { ask: "disk.read", path: "/../etc/passwd" },
        { ask: "disk.read", path: "/etc/passwd" },
        { ask: "disk.read", path: "etc/passwd" },
        { ask: "disk.write", path: here, text: "x" },
        { ask: "disk.read", path: "/" },
        { ask: "disk.list", path: "/nowhere" },
        { ask: "disk.read" },
        { ask: "disk.create", path: "/lock", text: "me" },
        { ask: "disk.create", path: "/lock", text: "me too" },
        { ask: "disk.read", path: "/lock" },
        { ask: "disk.write", path: "/bom", text: "\uFEFFx" },
        { ask: "disk.read", path: "/bom" },
      ]),
    ).toEqual([
      null,
      null,
      "EINVAL: EINVAL: open 'etc/passwd'",
      `ENOENT: ENOENT: open '${here}'`,
      'EISDIR: "/" is a directory; disk.list names what is in it',
      "ENOENT: ENOENT: readdir '/nowhere'",
      "EINVAL: path is missing; a text is needed",
      null,
      "EEXIST: EEXIST: open '/lock'",
      "me",
      null,
      "\uFEFFx",
    ]);
  });

  it("is a time that there is, and a peer that there is", async () => {
    const times = [null, "soon", -1, 1e15, 5];
    const answers = await answersTo([...times.map((ms) => ({ ask: "clock.sleep", ms })), { ask: "network.receive" }, { ask: "network.receive", withinMs: 50 }, { ask: "network.send", to: "dispatcher-9" }, { ask: "constructor" }]);
    expect((answers as unknown[]).map((answer) => String(answer).replace(/ disk\.read.*/, " …"))).toEqual([
      "EINVAL: ms is null; milliseconds from 0 to 86400000 are needed",
      'EINVAL: ms is "soon"; milliseconds from 0 to 86400000 are needed',
      "EINVAL: ms is -1; milliseconds from 0 to 86400000 are needed",
      "EINVAL: ms is 1000000000000000; milliseconds from 0 to 86400000 are needed",
      "elapsed",
      "EINVAL: withinMs is missing; milliseconds from 0 to 60000 are needed",
      "null",
      'EINVAL: there is no peer "dispatcher-9"; there are none',
      "EINVAL: there is no constructor; there are …",
    ]);
  });
});

describe("two programs over one disk", () => {
  /** The first tells the second what it was given, a message in each look; the second waits for a second in each of its own, and tells at the end. */
  const inTwo = program(
    `
  globalThis.todo ??= []; globalThis.known ??= new Map();
  if (call.do === "create") { globalThis.peer = call.peers[0]; globalThis.me = call.name; }
  if (call.do === "submit") { const isNew = !known.has(call.task.id); known.set(call.task.id, call.task); if (isNew) todo.push(call.task); return write({ return: isNew ? "accepted" : "duplicate" }); }
  if (call.do === "observe") return write(me === "dispatcher-1" ? { return: [] } : { throw: "it has heard " + JSON.stringify(globalThis.got ?? []) });
  if (call.do === "tick") { globalThis.asked = me === "dispatcher-1" && todo.length > 0 ? "send" : "receive"; return write(asked === "send" ? { ask: "network.send", to: peer, body: { hello: todo.shift().id } } : { ask: "network.receive", withinMs: 1_000 }); }
  if (globalThis.asked === "receive" && call.answer !== null) (globalThis.got ??= []).push(call.answer);
  globalThis.asked = undefined;`,
    { capabilities: ["durable", "many-dispatchers"] },
  );

  it("hear each other, each message once, one that is late for a look in the next", async () => {
    const report = await runProgramConformance(inTwo, { only: ["C05"], share: 0.1 });
    expect(first(report)).toBe('C05 FAIL: observe rejected with it has heard [{"from":"dispatcher-1","body":{"hello":"TASK-1"}}]');
  });

  it("live on under one name, when the second begins while the first is only stopped", async () => {
    const twins = program(
      `
  globalThis.next ??= [];
  if (call.do === "create") { next.push({ return: null }); return write({ ask: "disk.list", path: "/" }); }
  if (call.do === "submit") { globalThis.task = call.task; next.push({ return: "accepted" }); return write({ ask: "disk.write", path: "/task", text: "it" }); }
  if (call.do === "tick" && globalThis.task && !globalThis.begun) { globalThis.begun = true; const { id, revision, agent } = task; next.push({ ask: "sessions.start", key: id, task: id, revision, agent }); return write({ ask: "disk.write", path: "/intent", text: "it" }); }
  if (call.do === "observe") return write({ return: globalThis.task ? [{ id: task.id, state: "done", because: "it was started" }] : [] });
  if (call.do === undefined && next.length > 0) return write(next.shift());`,
      { capabilities: ["durable", "many-dispatchers"] },
    );
    // Neither hears of the other, so the list of one is empty. Every call is answered all the same: the kit ended nobody.
    expect(failedChecks(await runProgramConformance(twins, { only: ["F10d"], share: 0.1 }))).toEqual(["F10d/dispatch/unattributed-start", "F10d/states"]);
  });
});

describe("a probe", () => {
  const probed = (functions: readonly string[]): Program =>
    program(
      `
  globalThis.history ??= [];
  if (call.do === "probe") { history.push("looked " + history.length); return write({ return: { history: history.slice(-1) } }); }
  if (call.do === "submit") { (globalThis.tasks ??= new Map()).set(call.task.id, call.task); return write({ return: "accepted" }); }
  if (call.do === "tick" && globalThis.tasks?.size > 0) { const [{ id, revision, agent }] = tasks.values(); return write({ ask: "sessions.start", key: id, task: id, revision, agent }); }
  if (call.do === "observe") return write({ return: [...(globalThis.tasks ?? new Map()).keys()].map((id) => ({ id, state: "done", because: "it was started" })) });`,
      { functions },
    );

  it("is judged where hello names it, and unsupported where it does not", async () => {
    expect(first(await runProgramConformance(probed([]), { only: ["W03"] }))).toBe("W03 unsupported: probe answers no history");
    expect(failedChecks(await runProgramConformance(probed(["probe"]), { only: ["W03"] }))).toEqual(["W03/dispatch/history-rewritten", "W03/starts"]);
  });
});

describe("the README.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
  const linesOf = (fence: string, side: string) => (new RegExp(`\`\`\`text ${fence}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? "").split("\n").filter((line) => line.startsWith(side)).map((line) => JSON.parse(line.slice("program  ".length)) as Record<string, unknown>);
  const keys = (one: Record<string, unknown> | undefined): string[] => Object.keys(one ?? {});

  it("shows the lines that the kit writes", async () => {
    const heard = join(folder, "heard.jsonl");
    await runProgramConformance(
      raw(
        source({}, `
  if (call.do === "create") return write({ ask: "disk.read", path: "/tasks.json" });
  if (call.do === "submit") return write({ return: "accepted" });
  if (call.do === "observe") return write({ return: [] });`).replace("const call =", `appendFileSync(${JSON.stringify(heard)}, text + "\\n");\n  const call =`),
      ),
      { only: ["C01"], share: 0.1 },
    );
    const lines = readFileSync(heard, "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Record<string, unknown>);
    const like = (wanted: Record<string, unknown>) => lines.find((line) => line["do"] === wanted["do"] && ("answer" in wanted) === ("answer" in line));
    const shown = linesOf("lines", "kit");
    expect(shown.map((line) => line["do"])).toEqual(["hello", "create", undefined, "submit"]);
    expect(shown[0]).toEqual(lines[0]);
    for (const wanted of shown) expect(keys(like(wanted))).toEqual(keys(wanted));
  });

  it("shows how two calls are open at once", async (context) => {
    const example = await python(context, "lines_at_once.py");
    const child = spawn(example.command, [...example.args], { stdio: ["pipe", "pipe", "inherit"] });
    const said: unknown[] = [];
    const ended = new Promise((resolve) => child.once("close", resolve));
    createInterface({ input: child.stdout }).on("line", (line) => said.push(JSON.parse(line)));
    const task = { id: "TASK-1", text: "Do it.", revision: "r1", agent: "DEV", after: [] };
    for (const line of [{ call: 1, do: "create" }, { call: 3, do: "submit", task }, ...linesOf("lines-at-once", "kit")]) child.stdin.write(`${JSON.stringify(line)}\n`);
    child.stdin.end();
    await ended;
    expect(said.slice(4)).toEqual(linesOf("lines-at-once", "program"));
  });
});
