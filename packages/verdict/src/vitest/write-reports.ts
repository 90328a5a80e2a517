import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import type { ResultDocument } from "../result-document.ts";
import { writeJson } from "../writers/json.ts";
import { writeJunit } from "../writers/junit.ts";

export interface ReportPaths {
  /** Where to write the result document, relative to vitest's root. */
  readonly json?: string;
  /** Where to write JUnit XML, relative to vitest's root. */
  readonly junit?: string;
}

/** Writes what was asked for and answers one line per file that could not be written. Synchronous, for interrupts. */
export function writeReports(document: ResultDocument, paths: ReportPaths, root: string): string[] {
  const wanted = [
    { path: paths.json, write: writeJson },
    { path: paths.junit, write: writeJunit },
  ];
  return wanted.flatMap(({ path, write }) => {
    if (path === undefined) return [];
    try {
      const file = resolve(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, write(document));
      return [];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [`REPORT_NOT_WRITTEN: ${path} (${why}). Check the reporter's options.`];
    }
  });
}
