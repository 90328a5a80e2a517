#!/usr/bin/env node
/** The process around the command line. Sets `process.exitCode` and never calls `process.exit()`, which cuts off a pipe. */
import { commandLine } from "./command-line.ts";

process.stdout.on("error", (failure: NodeJS.ErrnoException) => {
  // `casebook list | head -1` closes the pipe early; that is the reader's right and no error.
  if (failure.code !== "EPIPE") throw failure;
});

const { stdout, stderr, exitCode } = await commandLine(process.argv.slice(2));
if (stderr !== "") process.stderr.write(stderr);
if (stdout !== "") process.stdout.write(stdout);
process.exitCode = exitCode;
