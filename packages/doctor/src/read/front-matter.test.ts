import { describe, expect, it } from "vitest";
import { promptFactsOf } from "./prompt.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const factsOf = (text: string) => promptFactsOf(encode(text), ["x"]);
const problemsOf = (text: string) => factsOf(text).problems.map(({ code, line, column, pointer, seen }) => [code, line, column, pointer, seen]);

describe("the front matter of a prompt", () => {
  it("that is all right has nothing wrong with it, and neither has one that is empty, absent or never ends", () => {
    for (const text of [
      "---\nname: x\ndescription: 'Sums up: the day'\nallowed-tools: [Read]\n---\nGo.",
      "---\r\nname: x\r\ndescription: |\r\n  é\r\n---\r\nGo.",
      "---\nname:\n---\nGo.",
      "---\n---\nGo.",
      "---\n# later\n---\nGo.",
      "Go.",
      "---\nname: [\nGo.",
    ]) {
      expect(problemsOf(text)).toEqual([]);
    }
  });

  it("is told with its place in the file when it is no YAML", () => {
    const seen = "no YAML in its front matter (a key begins inside a value: a text with a colon in it needs quotes)";
    expect(problemsOf("---\nname: x\ndescription: Sums up: the day\n---\nGo.")).toEqual([["FRONT_MATTER_NOT_YAML", 3, 14, "", seen]]);
    expect(problemsOf("---\nname: x\nmeta:\n\tkey: y\n---\nGo.")).toEqual([
      ["FRONT_MATTER_NOT_YAML", 4, 1, "", "no YAML in its front matter (a tab stands where only spaces may indent)"],
    ]);
    expect(problemsOf("---\rname: x\rmeta: [\r---\rGo.")).toEqual([["FRONT_MATTER_NOT_YAML", 4, 1, "", "no YAML in its front matter (it ends too early)"]]);
  });

  it("still says of a key that could be read whether it is there, and of one that could not that nobody knows", () => {
    expect(factsOf("---\nname: x\ndescription: a: b\n---\nGo.")).toMatchObject({ name: "present", description: "present" });
    expect(factsOf("---\nother: a: b\n---\nGo.")).toMatchObject({ name: "unknown", description: "unknown" });
  });

  it("is told when it is no map, has a key twice, or says its name or description in anything but text", () => {
    expect(problemsOf("---\n- a\n- b\n---\nGo.")).toEqual([["FRONT_MATTER_NOT_MAP", 2, 1, "", "no keys in its front matter but a list"]]);
    expect(problemsOf("---\n\nJust a rule above.\n---\nGo.")).toEqual([["FRONT_MATTER_NOT_MAP", 3, 1, "", "no keys in its front matter but text"]]);
    expect(problemsOf("\uFEFF---\nname: x\ndescription: y\nname: z\n---\nGo.")).toEqual([
      ["FRONT_MATTER_DUPLICATE_KEY", 4, 1, "/name", "another key of the same name in its front matter"],
    ]);
    expect(problemsOf("---\nname: 2026\ndescription: [a, b]\n---\nGo.")).toEqual([
      ["FRONT_MATTER_NOT_TEXT", 2, 7, "/name", "/name of its front matter is a number"],
      ["FRONT_MATTER_NOT_TEXT", 3, 14, "/description", "/description of its front matter is a list"],
    ]);
  });

  it("never answers any of it, not even a sentence that was taken for a key", () => {
    for (const text of ["My SECRET plan: x\nMy SECRET plan: y", "name: [SECRET]", "SECRET: SECRET: x", "name: *SECRET", "SECRET", '"\\SECRET"']) {
      const facts = factsOf(`---\n${text}\n---\nGo.`);
      expect([facts.problems.length, JSON.stringify(facts).includes("SECRET")]).toEqual([1, false]);
    }
  });

  it("ends at three dots too, and not inside a line", () => {
    expect(factsOf("---\nname: x\n...\n\nGo.")).toMatchObject({ frontMatter: "present", bodyLine: 5 });
    expect(factsOf("---\nname: a --- b\u2028---\ndescription: y\n---\nGo.")).toMatchObject({ frontMatter: "present", description: "present", bodyLine: 5 });
  });
});
