/** What `casebook test --suite` says to words that it does not know. Playing one is for the real tier. */
import { describe, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";

describe("casebook test --suite", () => {
  it.each([
    [["--suite", "terminations"], 'There is no suite "terminations". There are: termination.'],
    [["--suite", "toString"], 'There is no suite "toString". There are: termination.'],
    [["001", "--suite", "termination"], '--suite plays all of a suite; it takes no case number, and there is "001". Leave one of the two out.'],
    [["--suite", "termination", "--against", "both"], '--against knows `fixed` and `broken`, not "both".'],
  ])("refuses %j", async (words, says) => {
    const { exitCode, stdout, stderr } = await commandLine(["test", ...words]);
    expect({ exitCode, stdout, says: stderr.includes(says) ? says : stderr }).toEqual({ exitCode: 2, stdout: "", says });
  });
});
