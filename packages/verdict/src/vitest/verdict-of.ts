/** The verdicts a test file can lead to, each with what it rests on. */

import { errorLines, errorTitle, type ErrorLike } from "./error-text.ts";
import { missingFromEnvironment, type Missing } from "./load-error.ts";
import { fail, notRun, type Evidence, type Verdict } from "../words/index.ts";

/** What a file cannot know by itself. */
export interface Surroundings {
  readonly root: string;
  readonly versions: Readonly<Record<string, string>>;
  /** The `-t` of the run. */
  readonly namePattern: RegExp | undefined;
  /** Why something that began, or should have begun, has no end; and what was said about it. */
  readonly unfinished: Missing & { readonly lines: readonly string[] };
}

/** A file that could not be loaded: its imports, its syntax, or what it does while it loads. */
export function loadFailure(errors: readonly ErrorLike[], around: Surroundings): Verdict {
  for (const error of errors) {
    const missing = missingFromEnvironment(error);
    if (missing === undefined) continue;
    const lines = errorLines(error, around.root);
    return notRun(missing.reason, missing.message, evidence(around, lines));
  }
  return failure(errors, around);
}

/** A test that a hook above it kept from running. */
export function setupFailed(errors: readonly ErrorLike[], around: Surroundings): Verdict {
  const lines = errors.flatMap((error) => errorLines(error, around.root));
  const missing = errors.map(missingFromEnvironment).find((one) => one !== undefined);
  if (missing !== undefined) {
    return notRun(missing.reason, missing.message, evidence(around, lines));
  }
  const title = errors[0] === undefined ? "" : errorTitle(errors[0], around.root);
  return notRun("setup-failed", `a beforeAll hook threw ${title}`, evidence(around, lines));
}

export function unfinished(around: Surroundings, began: boolean): Verdict {
  const { reason, message, lines } = around.unfinished;
  const words = began ? "had not ended" : "had not begun";
  return notRun(reason, `${message}; this ${words}`, evidence(around, lines));
}

export function failure(errors: readonly ErrorLike[], { root }: Surroundings): Verdict {
  const [first] = errors;
  if (first === undefined) return fail("failed without an error");
  const firstLines = errors.flatMap((error) => errorLines(error, root));
  return fail(errorTitle(first, root), { firstLines });
}

export function evidence(
  { versions }: Surroundings,
  firstLines: readonly string[] = [],
): Evidence {
  return firstLines.length === 0 ? { versions } : { versions, firstLines };
}
