import { describe, expect, it } from "vitest";
import { packedPage } from "./packed-page.ts";

const as = { number: "001", folder: "incidents/001-one-bad-entry", repository: "the repository you found casebook in" };
const NOTE =
  "> From a packed copy: `npx casebook run 001` plays this case here, and with `--all` its further scenes. " +
  "What this page says of `npx tsx incidents/…`, `casebook test` and files of the tree needs a clone of the repository you found casebook in.";

describe("a case page in a packed copy", () => {
  it("says below its heading what works there and what needs a clone", () => {
    expect(packedPage("# 001: One bad entry\n\nNothing fires.\n", as)).toBe(`# 001: One bad entry\n\n${NOTE}\n\nNothing fires.\n`);
  });

  it.each([
    ["[the doctor](../../docs/doctor.md#limits)", "the doctor (docs/doctor.md#limits in a clone)"],
    ["[guard](guard.test.ts), [root](../../README.md)", "guard (incidents/001-one-bad-entry/guard.test.ts in a clone), root (README.md in a clone)"],
    ["![picture](./evidence/a.png)", "picture (incidents/001-one-bad-entry/evidence/a.png in a clone)"],
  ])("says in words where a link into the tree leads: %s", (line, said) => {
    expect(packedPage(`# 001\n${line}`, as)).toBe(`# 001\n\n${NOTE}\n${said}`);
  });

  it("keeps addresses, links to its own headings, and code", () => {
    const kept = "[a](https://example.org/x) [b](#run-it) [c](mailto:a@example.org)\n```ts\n[x](y)\n```";
    expect(packedPage(`# 001\n${kept}`, as)).toBe(`# 001\n\n${NOTE}\n${kept}`);
  });
});
