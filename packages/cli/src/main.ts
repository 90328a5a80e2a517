#!/usr/bin/env node
/**
 * The command line. Parses words and hands on; every command is loaded when it is called, so that
 * `--help` costs little more than Node itself. Sets `process.exitCode` and never calls `process.exit()`.
 */
import { EXIT } from "@casebook/verdict";
import { Command, CommanderError } from "commander";
import { CatalogError } from "./catalog/catalog-error.ts";
import { UsageError } from "./usage-error.ts";

const program = new Command("casebook")
  .description("Failures of the plumbing that starts scheduled AI agents: repros, guards, checks.")
  .helpCommand(false)
  .exitOverride()
  .showSuggestionAfterError()
  .configureOutput({ outputError: (text, write) => write(`casebook: ${text.replace(/^error: /, "")}Nothing was run.\n`) })
  .addHelpText(
    "after",
    "\nExamples:\n  casebook list\n  casebook run 001\n  casebook explain 001\n  casebook test 001 --against broken\n\n" +
      "Exit codes: 0 clean, 1 findings or failures, 2 usage, 3 no verdict, 130 interrupted.",
  );

program
  .command("list")
  .description("the cases that run and the numbers promised to later ones")
  .option("--json", "one JSON document")
  .action(async (options: { json?: true }) => {
    const { list } = await import("./commands/list.ts");
    process.exitCode = await list({ json: options.json === true });
  });

program
  .command("run")
  .description("play the scenes of a case and print what they count")
  .argument("<id...>", "case numbers, three digits")
  .option("--all", "also the modes that a plain run leaves out")
  .option("--twice", "play every scene twice and compare the traces")
  .option("--json", "one JSON document")
  .action(async (ids: string[], options: { all?: true; twice?: true; json?: true }) => {
    const { run } = await import("./commands/run.ts");
    process.exitCode = await run(ids, {
      all: options.all === true,
      twice: options.twice === true,
      json: options.json === true,
    });
  });

program
  .command("test")
  .description("run the guard tests of a case, or of all")
  .argument("[id...]", "case numbers, three digits; all when left out")
  .option("--against <system>", "wire the tests to the `fixed` or the `broken` system", "fixed")
  .option("--json", "one JSON document")
  .action(async (ids: string[], options: { against: string; json?: true }) => {
    const { test } = await import("./commands/test.ts");
    process.exitCode = await test(ids, { against: options.against, json: options.json === true });
  });

program
  .command("explain")
  .description("what a case or a guard is about, and how to read its verdict")
  .argument("<id>", "a case number such as 001, or a guard such as registry/parity")
  .option("--json", "one JSON document")
  .action(async (id: string, options: { json?: true }) => {
    const { explain } = await import("./commands/explain.ts");
    process.exitCode = await explain(id, { json: options.json === true });
  });

process.stdout.on("error", (failure: NodeJS.ErrnoException) => {
  // `casebook list | head -1` closes the pipe early; that is the reader's right and no error.
  if (failure.code !== "EPIPE") throw failure;
});

try {
  if (process.argv.length <= 2) program.outputHelp();
  else await program.parseAsync();
} catch (thrown) {
  process.exitCode = exitCodeOf(thrown);
}

/** Help is a success, a wrong word or an unusable file of ours is 2, and what nobody foresaw is 1: its message, no stack. */
function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.clean : EXIT.usage;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const isUsage = thrown instanceof UsageError;
  process.stderr.write(`casebook: ${message}${isUsage ? " Nothing was run." : ""}\n`);
  if (process.argv.includes("--json")) {
    const code = isUsage ? "USAGE" : thrown instanceof CatalogError ? thrown.code : "UNEXPECTED";
    process.stdout.write(`${JSON.stringify({ schemaVersion: 1, error: { code, message } }, undefined, 2)}\n`);
  }
  return isUsage || thrown instanceof CatalogError ? EXIT.usage : EXIT.findings;
}
