/** Copies of this tree in the folder for temporary files, for tests that write. The caller removes them. */
import { cpSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ROOT } from "../root.ts";

const SKIPPED = new Set(["node_modules", ".git", "dist", "coverage"]);

/** The tree as a clone has it: nothing is installed. */
export function copyOfClone(to = realpathSync(mkdtempSync(join(tmpdir(), "casebook-tree-")))): string {
  cpSync(ROOT, to, { recursive: true, filter: (path) => path === ROOT || !SKIPPED.has(basename(path)) });
  return to;
}

/** The same with the installed packages of this one. */
export function copyTree(): string {
  const to = copyOfClone();
  for (const folder of ["", "incidents", ...readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`)]) {
    symlinkSync(join(ROOT, folder, "node_modules"), join(to, folder, "node_modules"));
  }
  return to;
}
