/**
 * The whole doctor over one large home: 300 tasks, 20,000 session files, 2 GB of transcripts. Prints time and memory of the
 * process; asserts only what it counts. `CASEBOOK_SOAK_SHARE` (0 to 1) plays a part of it.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../root.ts";

const share = Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1);
const TASKS = Math.ceil(300 * share);
const SESSIONS = Math.ceil(20_000 * share);
const TRANSCRIPT_BYTES = Math.ceil(2_000_000_000 * share);
const TRANSCRIPTS = 200;
const NOW = Date.parse("2026-09-02T08:00:00Z");
const DAY_MS = 86_400_000;

let home = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "casebook-doctor-soak-"));
  const store = join(home, "app", "claude-code-sessions", "account-1", "workspace-1");
  mkdirSync(store, { recursive: true });
  const ids = Array.from({ length: TASKS }, (_, index) => `task-${index}`);
  const scheduledTasks = ids.map((id) => ({ id, cronExpression: "15 2 * * *", enabled: true, createdAt: NOW - 90 * DAY_MS, lastRunAt: "2026-09-02T02:15:30.000Z" }));
  writeFileSync(join(store, "scheduled-tasks.json"), JSON.stringify({ scheduledTasks, recordedSkips: {} }, undefined, 1));
  for (const id of ids) {
    mkdirSync(join(home, ".claude", "scheduled-tasks", id), { recursive: true });
    writeFileSync(join(home, ".claude", "scheduled-tasks", id, "SKILL.md"), `---\nname: ${id}\ndescription: d\n---\nDo it.\n`);
  }
  for (let session = 0; session < SESSIONS; session += 1) {
    // The newest night first, so that every task has its run of it; older nights behind.
    const night = Math.floor(session / TASKS);
    const createdAt = Date.parse("2026-09-02T02:15:20Z") - night * DAY_MS;
    const scheduledTaskId = ids[session % TASKS];
    writeFileSync(join(store, `local_s${session}.json`), JSON.stringify({ sessionId: `local_s${session}`, cliSessionId: `s${session}`, scheduledTaskId, createdAt }));
  }
  writeTranscripts(join(home, ".claude", "projects", "-home-work"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }), 600_000);

/** Conversations that belong to no schedule: the bulk of what lies in such a folder. */
function writeTranscripts(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const line = `${JSON.stringify({ type: "assistant", sessionId: "x", timestamp: "2026-09-01T10:00:00.000Z", message: { role: "assistant", content: "y".repeat(900) } })}\n`;
  const block = Buffer.from(line.repeat(Math.ceil(1_000_000 / line.length)));
  for (let file = 0; file < TRANSCRIPTS; file += 1) {
    const handle = openSync(join(folder, `chat-${file}.jsonl`), "w");
    for (let written = 0; written < TRANSCRIPT_BYTES / TRANSCRIPTS; written += block.length) writeSync(handle, block);
    closeSync(handle);
  }
}

it(`looks at ${TASKS} tasks, ${SESSIONS} session files and ${(TRANSCRIPT_BYTES / 1e9).toFixed(2)} GB of transcripts`, () => {
  const words = ["doctor", home, "--now", "2026-09-02T08:00:00Z", "--zone", "UTC", "--json"];
  const fromMs = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--eval", `process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS));process.argv.push("casebook",...${JSON.stringify(words)});await import(${JSON.stringify(join(ROOT, "packages/cli/src/main.ts"))})`, "--input-type=module"],
    { cwd: ROOT, encoding: "utf8", maxBuffer: 1e9 },
  );
  const seconds = (performance.now() - fromMs) / 1000;
  const peakKilobytes = Number(/peak (\d+)/.exec(stderr)?.[1]);
  process.stdout.write(`doctor: ${seconds.toFixed(1)} s, peak ${(peakKilobytes / 1024).toFixed(0)} MB, Node ${process.version}\n`);
  const report = JSON.parse(stdout) as { totals: unknown; tally: unknown };
  expect([status, report.totals]).toMatchObject([0, { due: TASKS, claimed: TASKS, seen: TASKS }]);
});
