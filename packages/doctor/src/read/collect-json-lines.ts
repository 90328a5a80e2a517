/** What is wanted of the lines of a JSONL file, in one answer: a file that is replaced under the reader is read again. */
import type { JsonLine } from "./line-tally.ts";
import type { Tree } from "../tree.ts";
import { MAX_READ_ATTEMPTS, type ReadOptions } from "./read-stable.ts";
import { scanJsonLines, type JsonLinesScan, type ScanOptions } from "./scan-json-lines.ts";

/** What was picked, and the scan that it was picked in. After `not-read` nothing is picked. */
export interface CollectedLines<Picked> {
  readonly picked: readonly Picked[];
  readonly scan: JsonLinesScan;
}

/**
 * `pick` answers what to keep of a line, undefined for nothing, `wrong-shape` to count it as damaged. It may be asked about
 * the same line twice, so it has to be a pure function.
 */
export async function collectJsonLines<Picked extends object>(
  tree: Tree,
  path: string,
  pick: (line: JsonLine) => Picked | "wrong-shape" | undefined,
  options: ScanOptions & Pick<ReadOptions, "pause"> = {},
): Promise<CollectedLines<Picked>> {
  for (let attempt = 1; ; attempt += 1) {
    if (attempt > 1) await options.pause?.();
    const picked: Picked[] = [];
    const keep = (line: JsonLine): "wrong-shape" | undefined => {
      const answer = pick(line);
      if (answer === "wrong-shape") return answer;
      if (answer !== undefined) picked.push(answer);
      return undefined;
    };
    const scan = await scanJsonLines(tree, path, keep, options);
    if (scan.outcome === "scanned") return { picked, scan };
    const mayHoldStill = scan.notRead.reason === "unstable-input" && attempt < MAX_READ_ATTEMPTS;
    if (!mayHoldStill) return { picked: [], scan };
  }
}
