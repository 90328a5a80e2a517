#!/usr/bin/env node
/** The process around the command line. Sets `process.exitCode` and never calls `process.exit()`, which cuts off a pipe. */
import { EXIT } from "@casebook/verdict/words";
import { commandLine } from "./command-line.ts";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (failure: NodeJS.ErrnoException) => {
    // `casebook list | head -1` closes the pipe early; that is the reader's right and no error.
    if (failure.code === "EPIPE") return;
    // Nobody got the answer, so there is none.
    process.exitCode = EXIT.noVerdict;
    if (stream === process.stdout) process.stderr.write(`casebook: the answer could not be written (${failure.code ?? failure.message}).\n`);
  });
}

const { stdout, stderr, exitCode } = await commandLine(process.argv.slice(2));
if (stderr !== "") process.stderr.write(stderr);
if (stdout !== "") process.stdout.write(stdout);
process.exitCode = exitCode;
