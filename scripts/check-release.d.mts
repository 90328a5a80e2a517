/** One sentence for each problem that keeps this tree from being released: what, and what now. */
export function releaseProblems(root: string, tag: string | undefined): string[];
