/** Gives a whole run its verdicts: every file that was planned, and the errors that belong to none. */

import type { TestSpecification } from "vitest/node";

import { errorLines, errorTitle, relativePath, type ErrorLike } from "./error-text.ts";
import { fileId, judgeModule, type Judged } from "./judge-module.ts";
import { unfinished, type Surroundings } from "./verdict-of.ts";
import type { Outside } from "../result-document.ts";
import { fail } from "../words/index.ts";

export type Stop = "none" | "bailed" | "interrupted";

export interface RunFacts {
  readonly root: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly namePattern: RegExp | undefined;
  readonly specifications: readonly TestSpecification[];
  readonly unhandled: readonly ErrorLike[];
  /** Whether vitest was told to stop before the end. */
  readonly stop: Stop;
  /** With `--shard`, what the other shards run shows up here too, and never begins. */
  readonly sharded: boolean;
}

export interface JudgedRun {
  readonly judged: readonly Judged[];
  readonly outside: readonly Outside[];
  readonly notSelected: number;
}

export function judgeRun(facts: RunFacts): JudgedRun {
  const around: Surroundings = { ...facts, unfinished: whyUnfinished(facts) };
  const modules = facts.specifications.flatMap((specification) => {
    if (specification.testModule !== undefined) return [judgeModule(specification.testModule, around)];
    return facts.sharded ? [] : [neverBegan(specification, around)];
  });
  const strays = facts.unhandled.filter((error) => !isPoolError(error));
  return {
    judged: withUniqueIds([
      ...modules.flatMap(({ judged }) => judged),
      ...strays.map((error) => unhandledError(error, facts)),
    ]),
    outside: modules.flatMap(({ outside }) => outside),
    notSelected: modules.reduce((sum, { notSelected }) => sum + notSelected, 0),
  };
}

function neverBegan(specification: TestSpecification, around: Surroundings) {
  const file = relativePath(around.root, specification.moduleId);
  const title = fileId(specification.project.name, file);
  const result = { id: title, title, location: { file }, ...unfinished(around, false) };
  return { judged: [{ result, errors: [], project: specification.project }], outside: [], notSelected: 0 };
}

function whyUnfinished({ root, stop, unhandled }: RunFacts): Surroundings["unfinished"] {
  const pool = unhandled.filter(isPoolError);
  const lines = pool.flatMap((error) => errorLines(error, root));
  if (stop === "interrupted") return { reason: "timed-out", message: "the run was interrupted", lines };
  if (pool.length > 0) {
    const late = lines.some((line) => /time(d )?out/i.test(line));
    return { reason: late ? "timed-out" : "setup-failed", message: "its worker process died", lines };
  }
  // A cap that was reached, like a search that ran out of budget.
  if (stop === "bailed") return { reason: "timed-out", message: "the run stopped at --bail", lines };
  const message = "vitest stopped before it (a global setup that threw, or vitest itself; see its own error)";
  return { reason: "setup-failed", message, lines };
}

/** A worker that died says nothing about the product by itself; it is the evidence of what never ended. */
function isPoolError(error: ErrorLike): boolean {
  return error.message?.startsWith("[vitest-pool") ?? false;
}

function unhandledError(error: ErrorLike, { root, specifications }: RunFacts): Judged {
  const { type, VITEST_TEST_PATH: path } = error as { type?: unknown; VITEST_TEST_PATH?: unknown };
  const kind = typeof type === "string" ? type : "Unhandled Error";
  const message = `${kind}: ${errorTitle(error, root)}`;
  const firstLines = errorLines(error, root);
  // vitest knows which file was running, not that the file is to blame.
  const during = specifications.find(({ moduleId }) => moduleId === path);
  const title = message.split("\n")[0] ?? message;
  const verdict = fail(message, { firstLines });
  const project = during?.project;
  if (during === undefined) return { result: { id: title, title, ...verdict }, errors: [error], project };
  const file = relativePath(root, during.moduleId);
  const id = `${fileId(during.project.name, file)} > ${title}`;
  return { result: { id, title, location: { file }, ...verdict }, errors: [error], project };
}

/** vitest allows two tests of one name in a file; a document does not. */
function withUniqueIds(judged: readonly Judged[]): Judged[] {
  const times = new Map<string, number>();
  return judged.map((one) => {
    const time = (times.get(one.result.id) ?? 0) + 1;
    times.set(one.result.id, time);
    if (time === 1) return one;
    const mark = ` (${time})`;
    const { id, title } = one.result;
    return { ...one, result: { ...one.result, id: id + mark, title: title + mark } };
  });
}
