/** A shape that nobody knows: the command that is suggested for it, typed into a shell, reads it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";

const root = mkdtempSync(join(tmpdir(), "casebook-candidates-"));
afterAll(() => rmSync(root, { recursive: true }));

const AT = ["--now", "2026-09-02T08:00:00Z", "--zone", "UTC"];
const RAN = "2026-09-02T03:00:05Z";
const RAN_MS = Date.parse(RAN);

/** The words of a command as a shell splits them. */
function wordsOf(command: string): string[] {
  return execFileSync("bash", ["--norc", "-c", `printf '%s\\0' ${command}`]).toString().split("\0").slice(0, -1);
}

interface Report {
  readonly candidates: readonly { readonly tryThis: string }[];
  readonly rows: readonly { readonly kind: string; readonly verdict: string; readonly subject: string; readonly due?: number; readonly claimed?: number }[];
}

const cases: readonly (readonly [string, unknown, readonly string[]])[] = [
  ["timing.cron", { jobs: [{ id: "a", timing: { cron: "0 3 * * *" }, lastRun: RAN }] }, ["PASS a 1 1"]],
  ["trigger.expression, runs in epoch milliseconds", { jobs: [{ id: "a", trigger: { expression: "0 3 * * *" }, stats: { last_fired_at: RAN_MS } }] }, ["PASS a 1 1"]],
  ["a key that says nothing", { jobs: [{ slug: "a", when: "0 3 * * *", previous: { execution: RAN_MS / 1_000 - 0.5 } }] }, ["PASS a 1 1"]],
  ["a span of time", { jobs: [{ id: "a", every: "2h", timeout: "30s", last_run: "2026-09-02T07:30:00Z" }] }, ["PASS a 1 1"]],
  ["a list of both kinds", { jobs: [{ id: "a", at: "0 3 * * *", prevRun: RAN }, { id: "b", every: "PT6H", prevRun: RAN }] }, ["PASS a 1 1", "PASS b 1 1"]],
  ["a map by id", { a: { spec: { run: { crontab: "0 3 * * *" } }, lastExecution: RAN } }, ["PASS a 1 1"]],
  ["one-shots", { jobs: [{ id: "a", fire_at: "2026-09-02T03:00:00Z", last_fire: RAN }] }, ["PASS a 1 1"]],
  ["a last run that is empty for most", { jobs: [{ id: "a", when: "0 3 * * *", lastRun: null }, { id: "b", when: "0 3 * * *", lastRun: RAN }] }, ["NOT RUN a 1 0", "PASS b 1 1"]],
  ["a task that is off", { jobs: [{ id: "a", cron: "0 3 * * *", flags: { is_enabled: false } }, { id: "b", cron: "0 3 * * *", lastRun: RAN, flags: { is_enabled: true } }] }, ["PASS a 0 0", "PASS b 1 1"]],
  ["tasks that say when they are paused, or only whether they speak", { jobs: [{ id: "a", cron: "0 3 * * *", lastRun: RAN, paused: false, active: false, notify: { enabled: false } }] }, ["PASS a 1 1"]],
];

it.each(cases)("%s", async (title, document, rows) => {
  const path = join(root, title, "my jobs.json");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(document));
  const unknown = JSON.parse((await commandLine(["doctor", dirname(path), "--json", ...AT])).stdout) as Report;
  expect(unknown.candidates).toHaveLength(1);
  const [program, ...words] = wordsOf(unknown.candidates[0]?.tryThis ?? "");
  expect(program).toBe("casebook");
  const read = JSON.parse((await commandLine([...words, "--json", ...AT])).stdout) as Report;
  const tasks = read.rows.filter(({ kind }) => kind === "task").map(({ verdict, subject, due, claimed }) => `${verdict} ${subject} ${due} ${claimed}`);
  expect(tasks.toSorted()).toEqual([...rows].toSorted());
});

it("takes five words of a sentence, a timeout and a birthday for no schedule, and says of six fields that they are not read", async () => {
  const path = join(root, "no.json");
  writeFileSync(path, JSON.stringify({ notes: [{ id: "a", text: "read this in the morning", timeout: "30s", createdAt: RAN }] }));
  expect(JSON.parse((await commandLine(["doctor", path, "--json", ...AT])).stdout)).toMatchObject({ candidates: [] });
  writeFileSync(path, JSON.stringify({ jobs: [{ id: "a", when: "0 0 3 * * *" }] }));
  const six = JSON.parse((await commandLine(["doctor", path, "--json", ...AT])).stdout) as Report;
  expect(six.candidates.map(({ tryThis }) => tryThis)).toEqual(["nothing yet: its cron expressions have six fields, and five are read"]);
});
