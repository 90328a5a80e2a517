/** `pnpm cases:write`: renews every generated block from the data in `incidents/` and `template/`, and from runs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXIT } from "@casebook/verdict/words";
import { countGuardTests } from "../commands/test.ts";
import { ROOT } from "../root.ts";
import { CatalogError } from "./catalog-error.ts";
import { generatedFiles } from "./generated.ts";

try {
  // All of it is computed before any of it is written: bad data leaves the tree as it was.
  const files = await generatedFiles(ROOT, countGuardTests);
  // Guard tests are counted here and judged elsewhere: the test runner's exit code is not this command's.
  process.exitCode = EXIT.clean;
  const stale = files.filter(({ path, text }) => !existsSync(join(ROOT, path)) || readFileSync(join(ROOT, path), "utf8") !== text);
  for (const [done, { path, text }] of stale.entries()) {
    const full = join(ROOT, path);
    try {
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
    } catch (thrown) {
      const code = (thrown as NodeJS.ErrnoException).code ?? String(thrown);
      process.stderr.write(`cases:write: ${path} cannot be written (${code}); ${done} of ${stale.length} stale files were. Make the tree writable for you and run it again.\n`);
      process.exitCode = EXIT.usage;
      break;
    }
    process.stdout.write(`wrote ${path}\n`);
  }
} catch (thrown) {
  if (!(thrown instanceof CatalogError)) throw thrown;
  process.stderr.write(`cases:write: ${thrown.message}\nNothing was written.\n`);
  process.exitCode = EXIT.usage;
}
