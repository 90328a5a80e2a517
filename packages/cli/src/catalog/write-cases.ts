/** `pnpm cases:write`: renews every generated block from the data in `incidents/` and from runs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../root.ts";
import { generatedFiles } from "./generated.ts";

for (const { path, text } of await generatedFiles(ROOT)) {
  const full = join(ROOT, path);
  if (existsSync(full) && readFileSync(full, "utf8") === text) continue;
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  process.stdout.write(`wrote ${path}\n`);
}
