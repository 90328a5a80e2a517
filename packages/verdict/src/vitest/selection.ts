import type { Vitest } from "vitest/node";

/** What this run was asked for, as it would be typed. Empty: everything the configuration includes. */
export function selectionOf(vitest: Vitest): string[] {
  const { config } = vitest;
  // Public in fact (reporters of vitest's own read it), not in its types.
  const { filenamePattern = [] } = vitest as unknown as { filenamePattern?: readonly string[] };
  const projects = config.project === undefined ? [] : [config.project].flat();
  return [
    ...filenamePattern,
    ...projects.flatMap((name) => ["--project", name]),
    ...(config.testNamePattern === undefined ? [] : ["-t", config.testNamePattern.source]),
  ];
}
