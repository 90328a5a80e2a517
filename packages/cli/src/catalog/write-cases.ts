/** `pnpm cases:write`: renews every generated block from the data in `incidents/` and from runs. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../root.ts";
import { generatedFiles } from "./generated.ts";

for (const { path, text } of await generatedFiles(ROOT)) {
  if (readFileSync(join(ROOT, path), "utf8") === text) continue;
  writeFileSync(join(ROOT, path), text);
  process.stdout.write(`wrote ${path}\n`);
}
