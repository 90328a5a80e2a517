/**
 * Gives every test of one file its verdict. Reads only what vitest's reported tasks say.
 *
 * - a file that could not load: NOT RUN when its dependency is missing, else FAIL
 * - a hook that threw: NOT RUN (setup-failed) for the tests it kept from running, FAIL when it kept none
 * - `skip("NOT RUN: ...")`: NOT RUN; `test.skip`, `test.todo`, other notes: outside the planned count
 * - a test that never ended: NOT RUN, in the words of `Surroundings.unfinished`
 */

import type { TestCase, TestModule, TestProject, TestSuite } from "vitest/node";

import { errorLocation, relativePath, type ErrorLike } from "./error-text.ts";
import { notRunNote } from "./skip-note.ts";
import { evidence, failure, loadFailure, setupFailed, unfinished, type Surroundings } from "./verdict-of.ts";
import type { Location, Outside, Result } from "../result-document.ts";
import { fail, notRun, pass, type Verdict } from "../words/index.ts";

export interface Judged {
  readonly result: Result;
  /** The errors behind a FAIL, for whoever prints them with their source. */
  readonly errors: readonly ErrorLike[];
  /** Whose source the errors point into; the root project when nobody knows. */
  readonly project: TestProject | undefined;
}

export interface JudgedModule {
  readonly judged: readonly Judged[];
  readonly outside: readonly Outside[];
  /** How many tests `-t` left out. */
  readonly notSelected: number;
}

/** One file while it is being judged. */
interface Page {
  readonly around: Surroundings;
  readonly file: string;
  readonly id: string;
  readonly project: TestProject;
  readonly judged: Judged[];
  readonly outside: Outside[];
  notSelected: number;
}

export function judgeModule(module: TestModule, around: Surroundings): JudgedModule {
  const file = relativePath(around.root, module.moduleId);
  const id = fileId(module.project.name, file);
  const { project } = module;
  const page: Page = { around, file, id, project, judged: [], outside: [], notSelected: 0 };
  const loaded = module.children.size > 0;
  if (loaded) judgeSuite(page, module, []);
  else if (module.state() === "failed") {
    const errors = module.errors();
    add(page, id, place(page, undefined, errors), loadFailure(errors, around), errors);
  }
  const has = (word: Verdict["verdict"]) => page.judged.some(({ result }) => result.verdict === word);
  const ended = module.state() !== "queued" && module.state() !== "pending";
  if (!ended && !has("NOT RUN")) add(page, id, { file }, unfinished(around, loaded));
  if (module.state() === "failed" && !has("FAIL") && !has("NOT RUN")) {
    const message = "vitest says this file failed, and no test, hook or import says why";
    add(page, id, { file }, fail(message));
  }
  return page;
}

/** With a project's name in vitest's own notation, because one file may run in several projects. */
export function fileId(project: string, file: string): string {
  return project === "" ? file : `|${project}| ${file}`;
}

/** Answers how many tests the hooks above kept from running. */
function judgeSuite(page: Page, suite: TestModule | TestSuite, inherited: readonly ErrorLike[]) {
  const own = suite.errors();
  const hookErrors = [...inherited, ...own];
  let kept = 0;
  for (const child of suite.children) {
    kept +=
      child.type === "suite"
        ? judgeSuite(page, child, hookErrors)
        : judgeTest(page, child, hookErrors);
  }
  // The hook threw and kept no test from running: an afterAll. Nobody else would say so.
  if (own.length > 0 && kept === 0) {
    const id = suite.type === "module" ? page.id : `${page.id} > ${suite.fullName}`;
    add(page, id, place(page, suite.location, own), failure(own, page.around), own);
  }
  return kept;
}

/** Answers 1 when a hook kept this test from running. */
function judgeTest(page: Page, test: TestCase, hookErrors: readonly ErrorLike[]): 0 | 1 {
  const { around } = page;
  const id = `${page.id} > ${test.fullName}`;
  const result = test.result();
  // A test that passed at its second try still has the errors of the first.
  const location = place(page, test.location, result.state === "failed" ? result.errors : []);
  switch (result.state) {
    case "passed":
      add(page, id, location, pass());
      return 0;
    case "failed":
      add(page, id, location, failure(result.errors, around), result.errors);
      return 0;
    case "pending":
      add(page, id, location, unfinished(around, test.diagnostic() !== undefined));
      return 0;
    case "skipped":
  }
  const note = result.note === undefined ? undefined : notRunNote(result.note);
  if (note !== undefined) {
    add(page, id, location, notRun(note.reason, note.message, evidence(around)));
    return 0;
  }
  if (test.options.mode === "run" && hookErrors.length > 0 && !skippedItself(test)) {
    add(page, id, location, setupFailed(hookErrors, around));
    return 1;
  }
  if (leftOut(test, around.namePattern)) page.notSelected += 1;
  else {
    const kind = test.options.mode === "todo" ? "todo" : "skipped";
    const why = result.note === undefined ? {} : { note: result.note };
    page.outside.push({ id, title: titleOf(page, id), kind, location, ...why });
  }
  return 0;
}

function add(
  page: Page,
  id: string,
  location: Location,
  verdict: Verdict,
  errors: readonly ErrorLike[] = [],
) {
  const result = { id, title: titleOf(page, id), location, ...verdict };
  page.judged.push({ result, errors, project: page.project });
}

function titleOf(page: Page, id: string): string {
  return id === page.id ? id : id.slice(`${page.id} > `.length);
}

/** Where the error was thrown, if that is in this file; else where the test is declared, if vitest knows. */
function place(
  { around, file }: Page,
  declared: { line: number; column: number } | undefined,
  errors: readonly ErrorLike[],
): Location {
  const thrown = errors[0] === undefined ? undefined : errorLocation(errors[0], around.root);
  if (thrown?.file === file) return thrown;
  return declared === undefined ? { file } : { file, line: declared.line, column: declared.column };
}

/** vitest marks what `-t` leaves out as skipped; only the pattern tells it from `test.skip`. */
function leftOut(test: TestCase, pattern: RegExp | undefined): boolean {
  if (pattern === undefined) return false;
  const names = [test.name];
  for (let up = test.parent; up.type === "suite"; up = up.parent) names.unshift(up.name);
  return names.join(" ").match(pattern) === null;
}

/** `context.skip()` without a note looks like a test that a hook kept back, except in vitest's own task. */
function skippedItself(test: TestCase): boolean {
  const { task } = test as unknown as { task?: { result?: { pending?: boolean } } };
  return task?.result?.pending === true;
}
