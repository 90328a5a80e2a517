/**
 * The commands of the doctor's pages in a real shell, each on an invented home. What no Linux machine has (launchd, Task
 * Scheduler) is only parsed, and what is not installed is NOT RUN.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { ROOT } from "../root.ts";
import { morningWords, SHOWN, SHOWS_HERE } from "./doctor-outputs.ts";
import { HOMES, writeHome } from "./doctor-trees.ts";
import { fences, promisedOutputs } from "./markdown.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const recipes = fences(read("docs/recipes.md"));
const named = (name: string) => recipes.find((fence) => fence.name === name)?.text ?? "";
const ELSEWHERE = "NOT RUN (unsupported): the pages show a Linux machine";

let folder = "";
const home = (name: keyof typeof HOMES) => join(folder, name);

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "casebook-recipes-")));
  for (const name of Object.keys(HOMES) as (keyof typeof HOMES)[]) writeHome(home(name), HOMES[name]());
  const bin = join(folder, "bin");
  mkdirSync(bin);
  // Stands for the installed command; the morning is the only thing that it adds.
  const tsx = join(ROOT, "node_modules/tsx/dist/esm/index.mjs");
  writeFileSync(join(bin, "casebook"), `#!/bin/sh\nexec "${process.execPath}" --import "${tsx}" "${join(ROOT, "packages/cli/src/main.ts")}" "$@" $CASEBOOK_MORNING\n`);
  chmodSync(join(bin, "casebook"), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shell(command: string, name: keyof typeof HOMES): { status: number | null; stdout: string; stderr: string } {
  const { CLAUDE_CONFIG_DIR: _left, ...rest } = process.env;
  const env = { ...rest, CASEBOOK_MORNING: morningWords(command).join(" "), HOME: home(name), PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}` };
  return spawnSync("sh", ["-c", command], { cwd: folder, encoding: "utf8", env });
}

const output = (id: string) => [...promisedOutputs(read("docs/doctor.md")), ...promisedOutputs(read("README.md"))].find((one) => one.id === id)?.text;

describe("the commands of the doctor's pages", () => {
  it.for(SHOWN)("print in a shell what the pages show: $id", ({ id, home: name, command, exitCode }, context) => {
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    expect(shell(command, name)).toMatchObject({ status: exitCode, stdout: output(id), stderr: "" });
  });
});

describe("the recipe for cron", () => {
  const lines = named("crontab").split("\n").filter((line) => line !== "");
  const job = lines.filter((line) => !/^[A-Z]+=/.test(line));

  it("is one job in five fields, and has no bare percent sign, which cron takes for a line feed", () => {
    expect(job).toHaveLength(1);
    expect(job[0]).toMatch(/^(?:[\d*,/-]+ ){5}[a-z]/);
    expect(job[0]?.replaceAll(String.raw`\%`, "")).not.toContain("%");
  });

  it("prints the report, so that cron mails it, when there is something to say", (context) => {
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    expect(shell(commandOf(job[0]), "small")).toMatchObject({ status: 0, stdout: output("doctor-small"), stderr: "" });
  });

  it("prints the report when nothing was recognised either", (context) => {
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    expect(shell(commandOf(job[0]), "unknown")).toMatchObject({ status: 0, stdout: output("doctor-nothing") });
  });

  it("is silent after a quiet night", (context) => {
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    expect(shell(commandOf(job[0]), "healthy")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  function commandOf(line: string | undefined): string {
    return line?.split(" ").slice(5).join(" ") ?? "exit 99";
  }
});

describe("the recipe for systemd", () => {
  it("has units that systemd finds nothing wrong with", (context) => {
    const units = join(folder, "units");
    mkdirSync(units, { recursive: true });
    writeFileSync(join(units, "casebook-doctor.service"), named("service"));
    writeFileSync(join(units, "casebook-doctor.timer"), named("timer"));
    const paths = readdirSync(units).map((name) => join(units, name));
    const { error, status, stderr } = spawnSync("systemd-analyze", ["--user", "verify", ...paths], { encoding: "utf8", env: { ...process.env, XDG_RUNTIME_DIR: folder } });
    if (error !== undefined) return context.skip("NOT RUN (missing-dependency): systemd-analyze is not installed");
    if (/Failed to (?:initialize manager|setup)|Operation not permitted/i.test(stderr)) return context.skip(`NOT RUN (unsupported): systemd-analyze may not run here: ${stderr.split("\n")[0]}`);
    expect([status, stderr]).toEqual([0, ""]);
  });

  it("fails its unit by the doctor's own exit code", (context) => {
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    const start = /^ExecStart=(.*)$/m.exec(named("service"))?.[1] ?? "exit 99";
    expect(shell(start, "small")).toMatchObject({ status: 1, stdout: output("doctor-small") });
    expect(shell(start, "healthy").status).toBe(0);
  });
});

describe("the recipe for launchd", () => {
  it("is a property list whose command is the doctor", (context) => {
    const script = "import sys, plistlib, json; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
    const parsed = JSON.parse(python(script, named("plist"), context)) as { Label: string; ProgramArguments: string[]; StartCalendarInterval: object };
    expect([parsed.Label, parsed.StartCalendarInterval]).toEqual(["casebook-doctor", { Hour: 8, Minute: 0 }]);
    expect(parsed.ProgramArguments.slice(0, 2)).toEqual(["/bin/sh", "-lc"]);
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    expect(shell(parsed.ProgramArguments[2] ?? "exit 99", "small")).toMatchObject({ status: 1, stdout: output("doctor-small") });
  });
});

describe("the recipe for Task Scheduler", () => {
  it("is well-formed, and its command is the doctor", (context) => {
    const script = "import sys, json, xml.etree.ElementTree as t; print(json.dumps([[e.tag.split('}')[1], (e.text or '').strip()] for e in t.fromstring(sys.stdin.buffer.read()).iter()]))";
    const elements = new Map(JSON.parse(python(script, named("task"), context)) as [string, string][]);
    expect([elements.get("Command"), elements.get("DaysInterval"), elements.get("StartWhenAvailable")]).toEqual(["cmd.exe", "1", "true"]);
    const [word, ...command] = elements.get("Arguments")?.split(" ") ?? [];
    expect(word).toBe("/c");
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    expect(shell(command.join(" "), "small")).toMatchObject({ status: 1, stdout: output("doctor-small") });
  });
});

describe("the recipe for node_exporter", () => {
  const collector = () => join(folder, "collector");
  const recipe = (change: (text: string) => string = (text) => text) => change(named("textfile").replace(/^folder=.*$/m, `folder=${collector()}`));
  const PROM = "casebook.prom";

  beforeAll(() => mkdirSync(join(folder, "collector")));

  it("leaves one complete file, also when the doctor found something", (context) => {
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    expect(shell(recipe(), "small")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(readdirSync(collector())).toEqual([PROM]);
    const text = readFileSync(join(collector(), PROM), "utf8");
    expect(text).toContain('casebook_doctor_verdicts{verdict="fail"} 1\n');
    expect(text.endsWith("\n# EOF\n")).toBe(true);
  });

  it("keeps the file of yesterday when the doctor did not come to an end", (context) => {
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    const before = readFileSync(join(collector(), PROM), "utf8");
    // Wrong words: exit 2, nothing on stdout, so that there is nothing to rename.
    expect(shell(recipe((text) => text.replace("openmetrics", "openmetric")), "healthy").status).not.toBe(0);
    expect(readFileSync(join(collector(), PROM), "utf8")).toBe(before);
  });
});

function python(script: string, input: string, context: TestContext): string {
  const { error, status, stdout, stderr } = spawnSync("python3", ["-c", script], { input, encoding: "utf8" });
  if (error !== undefined) context.skip("NOT RUN (missing-dependency): python3 is not installed");
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}
