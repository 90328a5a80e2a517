/**
 * Plays every known-bad dispatcher against every rule and writes `known-bad.json`: which rules each fails, beside what was expected
 * of it before, which follows from `breaks` of our own suite. Texts are kept: why a rule is a surprise, and why nothing sees one. What
 * lacks such a text, or has one too many, and a reference that does not pass, is said, and the exit code is 1.
 *
 *     node --import tsx packages/conformance/test/write-known-bad.ts [--share 1] [--workers 2] [--only name,name] [--rules C11,F03]
 */
import { type ChildProcess, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { KNOWN_BAD_DISPATCHERS, type KnownBadDispatcher } from "@casebook/dispatcher/known-bad";
import { DISPATCH_RULES, isChecked } from "../src/index.ts";
import { runConformance } from "../src/node/index.ts";
import { MATRIX, MATRIX_PATH } from "../src/node/known-bad.fixture.ts";
import { expectedOf, type MatrixRow, untoldOf } from "../src/matrix.fixture.ts";
import { reference } from "../src/reference.fixture.ts";

interface Job {
  readonly name: string;
  readonly rule: string;
  readonly share: number;
}

interface Outcome {
  readonly verdict: string;
  readonly says: string;
}

const SELF = fileURLToPath(import.meta.url);
/** Worlds are many small objects of one execution: with room for them the collector has a quarter less to do. */
const ROOM = "--max-semi-space-size=64";
const RULES = DISPATCH_RULES.filter(isChecked).map(({ number }) => number);
const SUBJECTS: readonly Pick<KnownBadDispatcher, "name" | "policies" | "breaks" | "unbroken">[] = [{ name: "reference", policies: {}, breaks: [] }, ...KNOWN_BAD_DISPATCHERS];

if (process.send === undefined) await write();
else process.on("message", (job: Job) => void playOne(job).then((outcome) => process.send?.(outcome)));

async function playOne({ name, rule, share }: Job): Promise<Outcome> {
  const policies = SUBJECTS.find((one) => one.name === name)?.policies ?? {};
  const { rules } = await runConformance(reference(policies, name), { only: [rule], share });
  const [result] = rules;
  return { verdict: result?.verdict ?? "NOT RUN", says: result?.says ?? result?.failures?.[0]?.seen ?? "" };
}

async function write(): Promise<void> {
  const { values } = parseArgs({ options: { share: { type: "string" }, workers: { type: "string", default: "2" }, only: { type: "string" }, rules: { type: "string" } } });
  const share = Number(values.share ?? MATRIX.share);
  const workers = Number(values.workers);
  const only = values.only?.split(",");
  const unknown = only?.find((name) => !SUBJECTS.some((one) => one.name === name));
  if (unknown !== undefined) throw new Error(`there is no ${unknown}; there are ${SUBJECTS.map(({ name }) => name).join(", ")}`);
  const rules = values.rules?.split(",") ?? RULES;
  const unchecked = rules.find((rule) => !RULES.includes(rule));
  if (unchecked !== undefined) throw new Error(`there is no checked rule ${unchecked}; there are ${RULES.join(", ")}`);
  if (!(share > 0 && share <= 1) || !(Number.isInteger(workers) && workers > 0)) throw new Error("--share is above 0 and 1 at most, --workers a whole number from 1");
  if ((only ?? values.rules) !== undefined && share !== MATRIX.share) throw new Error(`what stays was made at ${MATRIX.share} of the budget; with --only and --rules leave --share out`);
  const wanted = SUBJECTS.filter(({ name }) => only === undefined || only.includes(name));
  const jobs = wanted.flatMap(({ name }) => rules.map((rule): Job => ({ name, rule, share })));
  const outcomes = new Map<string, Outcome>();
  let done = 0;
  await play(jobs, workers);
  // A world that a busy machine left standing for ten seconds counts as one that hangs: those once more, and one after the other.
  const again = jobs.filter(({ name, rule }) => outcomes.get(`${name} ${rule}`)?.says.includes("SYSTEM_NEVER_YIELDS"));
  await play(again, 1);
  const rows = SUBJECTS.map((subject): MatrixRow => {
    const before = MATRIX.rows.find(({ name }) => name === subject.name);
    if (!wanted.includes(subject) && before !== undefined) return before;
    const failed = RULES.filter((rule) => (rules.includes(rule) ? outcomes.get(`${subject.name} ${rule}`)?.verdict === "FAIL" : before?.failed.includes(rule)));
    return { name: subject.name, expected: expectedOf(subject, RULES), failed, surprises: before?.surprises ?? {}, ...(before?.unseen === undefined ? {} : { unseen: before.unseen }) };
  });
  writeFileSync(MATRIX_PATH, `${JSON.stringify({ share, seed: MATRIX.seed, rows }, undefined, 2)}\n`);
  const notRun = [...outcomes].filter(([, { verdict }]) => verdict !== "PASS" && verdict !== "FAIL").map(([which, { verdict, says }]) => `${which}: ${verdict}, ${says}`);
  const wrong = [...outcomes].filter(([which, { verdict }]) => which.startsWith("reference ") && verdict !== "PASS").map(([which, { verdict, says }]) => `${which} ${verdict}: ${says}`);
  const said = [...wrong, ...rows.flatMap(untoldOf)];
  process.stdout.write([`${rows.filter(({ failed }) => failed.length > 0).length} of ${rows.length - 1} are seen, at ${share} of the budget`, ...notRun, ...said, ""].join("\n"));
  if (said.length > 0) process.exitCode = 1;

  async function play(all: readonly Job[], players: number): Promise<void> {
    const open = [...all];
    await Promise.all(
      Array.from({ length: Math.min(players, open.length) }, async () => {
        const child = fork(SELF, { execArgv: [ROOM, ...process.execArgv], stdio: ["ignore", "inherit", "inherit", "ipc"] });
        for (let job = open.shift(); job !== undefined; job = open.shift()) {
          const outcome = await answerOf(child, job);
          outcomes.set(`${job.name} ${job.rule}`, outcome);
          done += 1;
          process.stderr.write(`${done} of ${jobs.length}: ${job.name} ${job.rule} ${outcome.verdict}${outcome.verdict === "PASS" ? "" : `: ${outcome.says}`}\n`);
        }
        child.disconnect();
      }),
    );
  }
}

function answerOf(child: ChildProcess, job: Job): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null): void => reject(new Error(`the player of ${job.name} ${job.rule} ended with ${code}`));
    child.once("exit", gone);
    child.once("message", (outcome) => {
      child.off("exit", gone);
      resolve(outcome as Outcome);
    });
    child.send(job);
  });
}
