/** Drives vitest over test files of the clone: judges the run as `pnpm test` does, unhandled errors and hooks included, or only counts. */
import { existsSync } from "node:fs";
import { type JudgedRun, judgeRun } from "@casebook/verdict/vitest";
import type { ProvidedContext } from "vitest";
import type { Reporter, TestModule, TestSpecification, TestUserConfig } from "vitest/node";
import { ROOT } from "../root.ts";

export interface DrivenTests {
  readonly run: JudgedRun;
  readonly modules: readonly TestModule[];
}

/** `files`: whole paths; one that is not there gives no test. */
export async function driveTests(files: readonly string[], provide: Partial<ProvidedContext>): Promise<DrivenTests> {
  const { startVitest } = await import("vitest/node");
  let specifications: readonly TestSpecification[] = [];
  let unhandled: Parameters<NonNullable<Reporter["onTestRunEnd"]>>[1] = [];
  const listener: Reporter = {
    onTestRunStart: (planned) => void (specifications = planned),
    onTestRunEnd: (_modules, errors) => void (unhandled = errors),
  };
  const vitest = await startVitest("test", [], { ...optionsFor(files), provide, reporters: [listener] });
  try {
    const versions = { node: process.versions.node, vitest: vitest.version };
    const run = judgeRun({ root: ROOT, versions, namePattern: undefined, specifications, unhandled, stop: "none", sharded: false });
    return { run, modules: vitest.state.getTestModules() };
  } finally {
    await vitest.close();
  }
}

/** How many tests each file has, by its whole path; the files are loaded, and no test is run. A file that is not there is left out. */
export async function countTests(files: readonly string[], provide: Partial<ProvidedContext>): Promise<ReadonlyMap<string, number>> {
  const { createVitest } = await import("vitest/node");
  const vitest = await createVitest("test", { ...optionsFor(files), provide, reporters: [{}] });
  try {
    const { testModules } = await vitest.collect();
    return new Map(testModules.map(({ moduleId, children }) => [moduleId, [...children.allTests()].length]));
  } finally {
    await vitest.close();
  }
}

function optionsFor(files: readonly string[]): TestUserConfig {
  return {
    config: false,
    root: ROOT,
    watch: false,
    isolate: false,
    pool: "forks",
    maxWorkers: 1,
    passWithNoTests: true,
    // Only against a hang, as in the project's own runs: a search on a busy machine takes longer than the runner's five seconds.
    testTimeout: 60_000,
    include: files.filter((file) => existsSync(file)),
  };
}
