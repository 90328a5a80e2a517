/** What `npx tsx incidents/NNN-slug/repro.ts` does. Writes to stdout and stderr, and to nothing else. */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Facts,
  readReproArguments,
  REPRO_EXIT,
  reportAsJson,
  reportAsText,
  type Repro,
  runRepro,
} from "@casebook/repro";
import { EXIT } from "@casebook/verdict/words";

/** Runs the case when `meta` is the script that Node was started with; does nothing when it was imported. */
export async function runAsScript<Parameters, Seen extends Facts>(
  meta: { readonly url: string },
  repro: Repro<Parameters, Seen>,
): Promise<void> {
  if (isMain(meta.url)) process.exitCode = await runWithArguments(repro, process.argv.slice(2));
}

/** Prints the case to stdout and answers the exit code: 0 shown, 1 drifted, 2 usage, 3 no verdict. */
export async function runWithArguments<Parameters, Seen extends Facts>(
  repro: Repro<Parameters, Seen>,
  given: readonly string[],
): Promise<number> {
  const read = readReproArguments(given);
  if (!read.usable) {
    process.stderr.write(`case ${repro.id}: ${read.message}\n`);
    return EXIT.usage;
  }
  mindTheReader();
  const report = await runRepro(repro, read.options);
  process.stdout.write(read.json ? reportAsJson(report) : reportAsText(report));
  return REPRO_EXIT[report.verdict];
}

function isMain(url: string): boolean {
  const started = process.argv[1];
  if (started === undefined) return false;
  try {
    return realpathSync(started) === realpathSync(fileURLToPath(url));
  } catch {
    return false; // started from something that is not a file, such as --eval
  }
}

let listening = false;

/** `repro | head -1` closes the pipe early: that is the reader's right and no error. A full disk is no verdict. */
function mindTheReader(): void {
  if (listening) return;
  listening = true;
  process.stdout.on("error", (failure: NodeJS.ErrnoException) => {
    if (failure.code === "EPIPE") return;
    process.exitCode = EXIT.noVerdict;
    process.stderr.write(`the answer could not be written (${failure.code ?? failure.message}).\n`);
  });
}
