/** Many reads with a bounded number of them under way, and answers in the order of the questions. */
import { isSpent, type Budget } from "./budget.ts";

/** Enough to hide a disk's waiting, few enough for every limit on open files. */
export const READS_AT_ONCE = 16;

export interface ManyRead<Answer> {
  /** In order of the paths; those that the time did not suffice for are missing at the end. */
  readonly answers: readonly Answer[];
  /** Paths that were not read because the time was up. */
  readonly left: number;
}

/** Rejects when `read` does; the readers of this folder never do for what is on a disk. */
export async function readMany<Answer>(
  paths: readonly string[],
  read: (path: string) => Promise<Answer>,
  options: { readonly atOnce?: number; readonly budget?: Budget } = {},
): Promise<ManyRead<Answer>> {
  const answers: Answer[] = [];
  let next = 0;
  async function readOn(): Promise<void> {
    while (next < paths.length && !isSpent(options.budget)) {
      const index = next;
      next += 1;
      answers[index] = await read(paths[index] as string);
    }
  }
  await Promise.all(Array.from({ length: options.atOnce ?? READS_AT_ONCE }, readOn));
  return { answers, left: paths.length - answers.length };
}
