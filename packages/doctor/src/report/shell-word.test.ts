import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { redactCommand } from "./redact.ts";
import { shellWord } from "./shell-word.ts";

const words = ["plain/path", "two words", "it's", "a\nb", "tab\there\\n", "it's\u0007", "right\u202eleft", "line\u2028end", "é", "100%\u001b[31m", "$HOME `x` \"y\"\u007f1"];

describe("a word of a command", () => {
  it.each(words)("%j is printed without a hidden character, and bash takes it for the same word", (word) => {
    const printed = redactCommand(shellWord(word), { homes: [] });
    expect(printed).not.toMatch(/\\u\{/);
    // Under a plain locale too: the bytes are written out.
    expect(execFileSync("bash", ["--norc", "-c", `printf %s ${printed}`], { env: { LC_ALL: "C" } }).toString()).toBe(word);
  });

  it("has its tilde before the quotes, where the shell sees it", () => {
    const words = ["/home/ann/my jobs", "/home/ann/my\njobs"].map((word) => redactCommand(shellWord(word), { homes: ["/home/ann"] }));
    expect(words).toEqual(["~/'my jobs'", String.raw`~/$'my\x0Ajobs'`]);
    for (const [index, word] of words.entries()) {
      expect(execFileSync("bash", ["--norc", "-c", `printf %s ${word}`], { env: { HOME: "/home/ann" } }).toString()).toBe(["/home/ann/my jobs", "/home/ann/my\njobs"][index]);
    }
  });
});
