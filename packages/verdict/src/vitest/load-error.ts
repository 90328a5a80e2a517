/**
 * Tells a missing dependency from a broken import. A package that is not installed is a matter of
 * the environment: NOT RUN. A missing file of the project itself is a defect of the project: FAIL.
 * What cannot be told apart: an alias that looks like a package name (`app/models`) counts as one.
 */

import type { ErrorLike } from "./error-text.ts";
import type { NotRunReason } from "../words/index.ts";

export interface Missing {
  readonly reason: NotRunReason;
  readonly message: string;
}

/** Answers undefined when the error is the project's own fault. */
export function missingFromEnvironment(error: ErrorLike): Missing | undefined {
  const text = error.message ?? "";
  const builtin = /No such built-in module: (node:\S+)/.exec(text);
  if (builtin !== null) {
    return { reason: "unsupported", message: `this version of Node has no ${builtin[1]}` };
  }
  const found = missingImport(text);
  if (found === undefined || !isDependency(found)) return undefined;
  return {
    reason: "missing-dependency",
    message: `'${found.specifier}' could not be found; is it installed?`,
  };
}

interface MissingImport {
  readonly specifier: string;
  readonly importer: string;
}

function missingImport(text: string): MissingImport | undefined {
  // Node and vite say it in these words; vite's import analysis in its own.
  const match =
    /Cannot find (?:package|module) '([^']+)'(?: imported from '?([^'\n]+))?/.exec(text) ??
    /Failed to resolve import "([^"]+)" from "([^"]+)"/.exec(text);
  if (match === null) return undefined;
  const required = /Require stack:\n- ([^\n]+)/.exec(text)?.[1];
  return { specifier: match[1] ?? "", importer: match[2] ?? required ?? "" };
}

function isDependency({ specifier, importer }: MissingImport): boolean {
  // A package whose own files are missing is a broken installation, not a broken project.
  if (inNodeModules(specifier) || inNodeModules(importer)) return true;
  return /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(\/|$)/i.test(specifier);
}

function inNodeModules(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}
