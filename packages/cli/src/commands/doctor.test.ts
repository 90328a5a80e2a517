/** `casebook doctor` as it is typed, on a folder of this machine's disk. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";

const NOW = "2026-09-02T08:00:00Z";
const RAN_MS = Date.parse("2026-09-02T06:00:00.350Z");

const root = mkdtempSync(join(tmpdir(), "casebook-doctor-"));
const healthy = join(root, "healthy");
const empty = join(root, "empty");
const mine = join(root, "mine.json");

beforeAll(() => {
  const payload = { kind: "agentTurn", message: "Write the invented brief." };
  const job = { id: "brief", name: "Brief", enabled: true, createdAtMs: RAN_MS - 30 * 86_400_000, sessionTarget: "isolated", wakeMode: "now", payload };
  const jobs = [{ ...job, schedule: { kind: "cron", expr: "0 6 * * *", tz: "UTC" }, state: { lastRunAtMs: RAN_MS } }];
  plant(join(healthy, ".openclaw/cron/jobs.json"), { version: 1, jobs });
  plant(join(healthy, ".openclaw/cron/runs/brief.jsonl"), { ts: RAN_MS + 9_000, jobId: "brief", action: "finished", status: "ok", runAtMs: RAN_MS });
  plant(mine, { tasks: [{ name: "report", when: "0 6 * * *", ran: "2026-09-02T06:00:02Z" }] });
  mkdirSync(empty);
});

afterAll(() => rmSync(root, { recursive: true }));

function plant(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value)}\n`);
  utimesSync(path, RAN_MS / 1_000, RAN_MS / 1_000);
}

/** By then the slot of 06:00 is over, with its grace. */
const NOON = "2026-09-02T12:00:00Z";

const doctor = (...words: string[]) => commandLine(["doctor", ...words]);
const at = (...words: string[]) => doctor(...words, "--now", NOW, "--zone", "UTC");

describe("exit codes", () => {
  it("0 for a folder in which everything is well, in every format", async () => {
    const human = await at(healthy);
    expect([human.exitCode, human.stderr]).toEqual([0, ""]);
    expect(human.stdout).toContain("  PASS     brief         due 1   claimed 1   seen 1\n");
    expect(human.stdout).toMatch(/\nplanned 2, passed 2, failed 0, not run 0\n$/);
    const json = await at(healthy, "--json");
    expect([json.exitCode, (JSON.parse(json.stdout) as { tally: object }).tally]).toEqual([0, { planned: 2, passed: 2, failed: 0, notRun: 0 }]);
    const metrics = await at(healthy, "--format", "openmetrics");
    expect([metrics.exitCode, metrics.stdout.endsWith("# EOF\n")]).toEqual([0, true]);
  });

  it("1 for a task that missed its slot", async () => {
    const { exitCode, stdout } = await doctor(healthy, "--now", "2026-09-03T12:00:00Z", "--zone", "UTC");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("  FAIL     brief         due 1   claimed 0   seen 0   1 of 1 left no trace, last 2026-09-03T06:00Z\n");
    expect(stdout).toMatch(/\n {2}verify {2}casebook doctor \S+ --now 2026-09-03T12:00:00Z --zone UTC --only slot\/missed\n/);
  });

  it("3 where nothing is recognised", async () => {
    const { exitCode, stdout } = await at(empty);
    expect(exitCode).toBe(3);
    expect(stdout).toContain("\nverdict  none: no layout of scheduled tasks was recognised here, so nothing was judged; name the folder that has yours\n");
  });

  it.each([
    [["/no/such/place"], 'there is nothing at "/no/such/place". Give a folder or a registry file, or no path for the usual places.'],
    [[root, "--since", "yesterday"], '--since knows an instant such as 2026-11-29T09:00:00Z and spans such as 24h or 7d, not "yesterday".'],
    [[root, "--since", "0h", "--now", NOW], "--since 0h is not before now (2026-09-02T08:00:00.000Z). Give a span such as 24h or 7d, or an earlier instant."],
    [[root, "--since", "2026-09-02T09:00:00Z", "--now", NOW], "--since 2026-09-02T09:00:00Z is not before now (2026-09-02T08:00:00.000Z). Give a span such as 24h or 7d, or an earlier instant."],
    [[root, "--now", "2026-09-02T08:00:00"], '--now knows an instant such as 2026-11-29T09:00:00Z, not "2026-09-02T08:00:00".'],
    [[root, "--now", "2026-02-30T08:00:00Z"], '--now knows an instant such as 2026-11-29T09:00:00Z, not "2026-02-30T08:00:00Z".'],
    [[root, "--zone", "Mars/Olympus"], '--zone knows IANA names such as Europe/Lisbon or UTC, not "Mars/Olympus".'],
    [[root, "--zone", "+02:00"], '--zone knows IANA names such as Europe/Lisbon or UTC, not "+02:00".'],
    [[root, "--format", "xml"], '--format knows human, json, openmetrics, not "xml".'],
    [[root, "--records", "/tasks"], "--records describes a layout and needs --registry <file>."],
    [[root, "--last-run", "/ran"], "--last-run describes a layout and needs --registry <file>."],
    [[root, "--enabled", "/on"], "--enabled describes a layout and needs --registry <file>."],
    [["--receipts", root, "--schedule", "/when"], "--schedule describes a layout and needs --registry <file>."],
    [["--registry", root], "--registry needs --schedule <pointer>, such as --schedule /schedule/expr."],
    [["--registry", root, "--schedule", "once:/at:years"], 'CUSTOM_WORDS_INVALID: "years" is no unit of an instant; use iso, epoch-ms or epoch-s.'],
  ])("2 for wrong words, which are named: %j", async (words, message) => {
    const answer = await doctor(...words);
    expect({ ...answer, stderr: answer.stderr.trim() }).toEqual({ exitCode: 2, stdout: "", stderr: `casebook: ${message} Nothing was run.` });
  });

  it("2 for two formats at once, as a document", async () => {
    const { exitCode, stdout } = await doctor(root, "--json", "--format", "openmetrics");
    const message = "--json and --format openmetrics ask for two answers. Give one of them.";
    expect([exitCode, JSON.parse(stdout)]).toEqual([2, { schemaVersion: 1, error: { code: "USAGE", message } }]);
  });

  it("takes no file that was changed after the moment that was asked about for a wrong clock", async () => {
    const { stdout } = await doctor(healthy, "--now", "2026-09-02T05:00:00Z", "--zone", "UTC");
    expect(stdout).not.toContain("clock/skew:");
    expect(stdout).toContain("\noutside  clock/skew, lock/future-dated: not asked with --now: what lies after that time need not be a wrong clock\n");
  });

  it("2 for a guard that there is not, with the one that was meant", async () => {
    for (const word of ["slot/mised", "missed", "", "slot/missed,"]) {
      const { exitCode, stderr, stdout } = await doctor(root, "--only", word);
      expect([exitCode, stdout, stderr.startsWith(`casebook: no guard ${JSON.stringify(word === "slot/missed," ? "" : word)}. `)]).toEqual([2, "", true]);
    }
    expect((await doctor(root, "--only", "missed")).stderr).toContain("Did you mean slot/missed? ");
  });
});

describe("places", () => {
  it("that overlap, or are given twice, are judged once", async () => {
    const once = await at(healthy, "--json");
    const often = await at(healthy, join(healthy, ".openclaw"), healthy, join(healthy, ".openclaw/cron/jobs.json"), "--json");
    const rows = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as { rows: unknown[] }).rows;
    expect([often.exitCode, rows(often)]).toEqual([0, rows(once)]);
  });
});

describe("a shape of one's own", () => {
  it("is read as it was described, from the file that holds it", async () => {
    const words = ["--registry", mine, "--records", "/tasks", "--id", "/name", "--schedule", "/when", "--last-run", "/ran"];
    const { exitCode, stdout } = await doctor(...words, "--now", NOON, "--zone", "UTC");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("  PASS     report        due 1   claimed 1   seen -\n");
    expect(stdout).toContain("\noutside  seen: custom has no place where a run leaves a trace, so claims stand alone\n");
  });

  it("without a last run says that nobody can tell what ran", async () => {
    const { exitCode, stdout } = await doctor("--registry", mine, "--records", "/tasks", "--id", "/name", "--schedule", "/when", "--now", NOON, "--zone", "UTC");
    expect(exitCode).toBe(3);
    expect(stdout).toContain("NOT RUN  report        due 1   claimed 0   seen -   the registry keeps no last run, and custom leaves no trace");
  });
});
