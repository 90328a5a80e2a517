/**
 * The fuzz of the test command for longer: every file of every fixture cut off at every byte, and many runs from seeds that are
 * not those of the test command. `CASEBOOK_SOAK_SHARE` (0 to 1) plays a part of it. Prints what it did; a failure is one line to play again.
 */
import { expect, it } from "vitest";
import { corpus } from "./corpus.fixture.ts";
import { cutEverywhere } from "./cuts.fixture.ts";
import { fuzz } from "./fuzz.fixture.ts";
import { drawRun, type Run } from "./run.fixture.ts";

const SHARE = shareOf(process.env["CASEBOOK_SOAK_SHARE"]);
/** Beyond the seeds of the test command. */
const FIRST_SEED = 1_000;
const RUNS = Math.ceil(20_000 * SHARE);
/** The first of the corpus, which are whole installations; the others differ from them in one file. */
const FIXTURES = 11;
const MAX_FAILURES = 20;

function shareOf(word: string | undefined): number {
  const share = Number(word ?? 1);
  if (!(share > 0 && share <= 1)) throw new Error(`SOAK_SHARE_INVALID: CASEBOOK_SOAK_SHARE is ${word}. Give a number above 0 and up to 1.`);
  return share;
}

it(`answers well for ${RUNS} runs`, async () => {
  const subjects = await corpus();
  const { failures, said } = await fuzz(subjects, runs());
  console.log(`fuzz: ${said}, seeds ${FIRST_SEED}..${FIRST_SEED + RUNS - 1}, ${failures.length} failed`);
  expect(failures.slice(0, MAX_FAILURES)).toEqual([]);

  function* runs(): Generator<Run> {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) yield drawRun(subjects, seed);
  }
}, 1_800_000);

it(`answers well for every fixture cut off at ${SHARE === 1 ? "every byte" : `one in ${Math.ceil(1 / SHARE)} bytes`}`, async () => {
  const outcomes = new Set<string>();
  const failures: unknown[] = [];
  let [count, alarms] = [0, 0];
  for (const [index, subject] of (await corpus()).slice(0, FIXTURES).entries()) {
    const cut = await cutEverywhere(subject, Math.ceil(1 / SHARE), index);
    cut.outcomes.forEach((outcome) => outcomes.add(outcome));
    failures.push(...cut.failures);
    count += cut.count;
    alarms += cut.alarms;
  }
  console.log(`cuts: ${count} runs, ${outcomes.size} distinct outcomes, ${alarms} alarms, ${failures.length} failed`);
  expect(failures.slice(0, MAX_FAILURES)).toEqual([]);
}, 1_800_000);
