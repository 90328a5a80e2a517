/** Copies of this tree in the folder for temporary files, for tests that write. The caller removes them. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ROOT } from "../root.ts";

const SKIPPED = new Set(["node_modules", ".git", "dist", "coverage"]);

/** The tree as a clone has it: nothing is installed. */
export function copyOfClone(to = realpathSync(mkdtempSync(join(tmpdir(), "casebook-tree-")))): string {
  cpSync(ROOT, to, { recursive: true, filter: (path) => path === ROOT || !SKIPPED.has(basename(path)) });
  return to;
}

/** The same with the installed libraries of this one, and with its own packages as those of the copy. */
export function copyTree(): string {
  const to = copyOfClone();
  for (const folder of ["", "incidents", ...readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`)]) {
    linkInstalled(join(ROOT, folder, "node_modules"), join(to, folder, "node_modules"), to);
  }
  return to;
}

function linkInstalled(from: string, into: string, tree: string): void {
  if (!existsSync(from)) return;
  mkdirSync(into);
  for (const name of readdirSync(from)) if (name !== OURS) symlinkSync(join(from, name), join(into, name));
  if (!existsSync(join(from, OURS))) return;
  mkdirSync(join(into, OURS));
  // Linked as a whole they would be those of this tree, and a class of the one is no class of the other.
  for (const name of readdirSync(join(from, OURS))) symlinkSync(join(tree, "packages", name), join(into, OURS, name));
}

const OURS = "@casebook";

/** Without what a package manager says to the commands that it starts: npm complains of the settings of another. */
export function plainEnv(): Record<string, string | undefined> {
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry$)/i.test(name))), NO_COLOR: "1" };
}
