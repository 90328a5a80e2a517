/** Ctrl-C in the middle of a long reading, as a process gets it. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { ROOT } from "../root.ts";

/** Without blocks on the disk, and longer to read than any test waits. */
const SPARSE_BYTES = 2 ** 40;

const root = mkdtempSync(join(tmpdir(), "casebook-interrupt-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Whether the process has the file open. Linux says so itself. */
function isReading(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((name) => {
    try {
      return readlinkSync(join(folder, name)) === path;
    } catch {
      return false;
    }
  });
}

it.runIf(process.platform === "linux")("prints what was found so far and exits 130, and concludes nothing from what it did not reach", async () => {
  const cron = join(root, ".openclaw/cron");
  mkdirSync(join(cron, "runs"), { recursive: true });
  const job = { id: "brief", name: "Brief", enabled: "yes", createdAtMs: 1_785_542_400_000, sessionTarget: "isolated", wakeMode: "now" };
  const jobs = [{ ...job, schedule: { kind: "cron", expr: "0 6 * * *" }, payload: { kind: "agentTurn", message: "invented" }, state: { lastRunAtMs: 1_788_328_800_000 } }];
  writeFileSync(join(cron, "jobs.json"), JSON.stringify({ version: 1, jobs }));
  const log = join(cron, "runs/brief.jsonl");
  writeFileSync(log, "\n");
  truncateSync(log, SPARSE_BYTES);

  const words = ["--import", "tsx", join(ROOT, "packages/cli/src/main.ts"), "doctor", root, "--json", "--now", "2026-09-02T12:00:00Z", "--zone", "UTC"];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  while (child.exitCode === null && !isReading(child.pid as number, log)) await wait(20);
  child.kill("SIGINT");

  expect(await ended).toBe(130);
  const report = JSON.parse(stdout) as { rows: { verdict: string; subject: string; reason?: string }[]; findings: { guard: string }[] };
  expect(report.findings.map(({ guard }) => guard)).toEqual(["registry/entry-invalid"]);
  expect(report.rows.map(({ verdict, subject, reason }) => [verdict, subject, reason])).toEqual([
    ["FAIL", "brief", undefined],
    ["NOT RUN", "reading", "timed-out"],
    ["NOT RUN", "openclaw-json", "timed-out"],
  ]);
});
