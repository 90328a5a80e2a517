import { describe, expect, it } from "vitest";
import { memoryTree } from "../trees/memory-tree.ts";
import { MAX_PROMPT_BYTES, promptFactsOf, readPrompt } from "./prompt.ts";

const factsOf = (text: string, names = ["nightly-digest", "Nightly digest"]) => promptFactsOf(new TextEncoder().encode(text), names);
const HEAD = "---\nname: nightly-digest\ndescription: Sums up the day\n---\n";

describe("the state of a prompt", () => {
  it("is present when the body says something, with the line it begins on", () => {
    expect(factsOf(`${HEAD}\nRead the inbox.\n`)).toMatchObject({
      state: "present",
      encoding: "utf-8",
      frontMatter: "present",
      name: "present",
      description: "present",
      bodyLine: 6,
    });
    expect(factsOf("Read the inbox.")).toMatchObject({ state: "present", frontMatter: "absent", name: "missing", bodyLine: 1 });
    expect(factsOf("毎晩、受信箱を読む。").state).toBe("present");
  });

  it("is empty when nothing, blanks or comments are left", () => {
    for (const body of ["", " \n\t\n", "<!-- write it -->", "\r\n\r\n"]) expect(factsOf(HEAD + body).state).toBe("empty");
    expect(factsOf("").state).toBe("empty");
    expect(factsOf("<!-- never closed").state).toBe("present");
  });

  it("is its name when only the id or the display name is left, however it is written", () => {
    for (const body of ["nightly-digest", "# Nightly digest\n", "NIGHTLY_DIGEST."]) expect(factsOf(HEAD + body).state).toBe("is-its-name");
    expect(factsOf("夜報", ["夜報"]).state).toBe("is-its-name");
    expect(factsOf("Nightly digest of the inbox").state).toBe("present");
  });

  it("is a placeholder when it tells an agent nothing", () => {
    for (const body of ["TODO", "...", "<prompt>", "{{ prompt }}", "[object Object]", "Your prompt here!", "null"]) {
      expect(factsOf(HEAD + body).state).toBe("placeholder");
    }
  });

  it("tells keys of the front matter that are missing or empty, and front matter that never ends", () => {
    expect(factsOf("---\nname:\ndescription: |\n  Many\n  lines\n---\nGo.")).toMatchObject({ name: "empty", description: "present" });
    expect(factsOf('---\n"name": x\ndescription: ""\nmeta:\n  name: y\n---\nGo.')).toMatchObject({ name: "present", description: "empty" });
    expect(factsOf("---\nmeta:\n  name: y\n---\nGo.")).toMatchObject({ name: "missing" });
    expect(factsOf("---\nname: x\nGo.")).toMatchObject({ frontMatter: "unclosed", name: "present" });
  });

  it("is unreadable when the bytes are no text, and says so of a byte order mark", () => {
    expect(promptFactsOf(Uint8Array.of(0x80, 0x81), [])).toMatchObject({ state: "unreadable", encoding: "not-utf-8" });
    expect(promptFactsOf(Uint8Array.of(0x47, 0, 0x6f, 0), [])).toMatchObject({ state: "unreadable", encoding: "not-utf-8" });
    expect(factsOf(`\uFEFF${HEAD}Go.`)).toMatchObject({ encoding: "utf-8-with-mark", frontMatter: "present", state: "present" });
  });

  it("is told from the first 64 KiB, even when they end inside a character", async () => {
    for (const shift of [0, 1, 2, 3]) {
      const text = `${"a".repeat(shift)}${"😀".repeat(MAX_PROMPT_BYTES / 2)}`;
      const facts = await readPrompt(memoryTree({ "/SKILL.md": text }), "/SKILL.md", []);
      expect(facts).toMatchObject({ state: "present", encoding: "utf-8" });
    }
    const invalid = promptFactsOf(Uint8Array.of(0xf0, 0x41, 0x41, 0x41, 0x41), [], "cut");
    expect(invalid.state).toBe("unreadable");
  });

  it("is missing when nothing is there, and unreadable with a reason when it refuses", async () => {
    const tree = memoryTree({ "/a/SKILL.md": { refuses: "EACCES", kind: "file" }, "/b/SKILL.md/": "", "/c/SKILL.md": { other: "fifo" } });
    expect(await readPrompt(tree, "/gone/SKILL.md", [])).toMatchObject({ state: "missing", notRead: undefined });
    for (const [path, reason] of [["/a/SKILL.md", "missing-input"], ["/b/SKILL.md", "missing-input"], ["/c/SKILL.md", "missing-input"]]) {
      expect(await readPrompt(tree, path as string, [])).toMatchObject({ state: "unreadable", notRead: { what: path, reason } });
    }
  });

  it("never answers any of the prompt's text", () => {
    const facts = factsOf("---\nname: SECRET-A\ndescription: SECRET-B\n---\nSECRET-C");
    expect(JSON.stringify(facts)).not.toContain("SECRET");
  });

  it("answers at once for text that makes expressions backtrack", () => {
    expect(factsOf("<!--".repeat(16_000)).state).toBe("present");
    expect(factsOf(`---\n${"name".repeat(10_000)}\n`.repeat(1)).frontMatter).toBe("unclosed");
  });
});
