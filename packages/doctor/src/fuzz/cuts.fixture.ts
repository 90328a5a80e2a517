/** Every file of a tree cut off at every place, as a crash or a full disk leaves it. Of a cut more is known than of other damage. */
import type { Subject } from "./corpus.fixture.ts";
import { problemsOf } from "./oracle.fixture.ts";
import { look, withContent, type Played } from "./run.fixture.ts";
import { contentOf } from "./tree-changes.fixture.ts";
import type { Fuzzed } from "./fuzz.fixture.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const LINE_FEED = 0x0a;

/** Every `stride`th place of each file, the first of them at `from`. */
export async function cutEverywhere(subject: Subject, stride: number, from = 0): Promise<Pick<Fuzzed, "failures"> & { readonly count: number; readonly alarms: number; readonly outcomes: ReadonlySet<string> }> {
  const well = await look(subject, subject.files);
  const failures: Fuzzed["failures"][number][] = [];
  const outcomes = new Set<string>();
  let [count, alarms] = [0, 0];
  for (const [path, entry] of Object.entries(subject.files)) {
    if (path.endsWith("/")) continue;
    const content = contentOf(entry);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    for (let length = from % stride; length < bytes.length; length += stride) {
      count += 1;
      const line = `${subject.title}: ${path} cut off at ${length}`;
      try {
        const played = await look(subject, withContent(subject.files, path, bytes.slice(0, length)));
        const problems = [...problemsOf(played, well, subject), ...cutProblems(played, well, path, bytes, length)];
        if (problems.length > 0) failures.push({ problems, line });
        outcomes.add(`${played.exit} ${played.report.findings.map(({ guard }) => guard).join()}`);
        if (played.exit === 1) alarms += 1;
      } catch (thrown) {
        failures.push({ problems: [`threw ${thrown instanceof Error ? thrown.stack : String(thrown)}`], line });
      }
    }
  }
  return { failures, count, alarms, outcomes };
}

/** JSON that is cut is never clean; a torn record of a run is never taken for a run that did not happen. */
function cutProblems(played: Played, well: Played, path: string, bytes: Uint8Array, length: number): string[] {
  const rest = bytes.slice(length);
  if (well.exit !== 0 || rest.every((byte) => byte <= 0x20)) return [];
  const isWholeLines = length === 0 || bytes[length - 1] === LINE_FEED || rest[0] === LINE_FEED;
  const blamed = played.report.findings.filter(({ severity, guard }) => severity === "alarm" && /^(slot|fleet)\//.test(guard));
  return [
    ...(path.endsWith(".json") && !isTrace(path) && played.exit === 0 ? ["a registry that is cut off is clean"] : []),
    ...(isTrace(path) && !isWholeLines ? blamed.map(({ message }) => `blamed for a torn trace: ${message}`) : []),
  ];
}

function isTrace(path: string): boolean {
  return path.endsWith(".jsonl") || path.includes("/local_");
}
