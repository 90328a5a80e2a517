import { describe, expect, it } from "vitest";
import { matchGlob } from "./glob.ts";

const match = (glob: string, path: string) => matchGlob(glob, path.split("/"));

describe("a pattern over names", () => {
  it("lets one star stand for one name or a part of it, and says for what", () => {
    expect(match("runs/*.jsonl", "runs/job-1.jsonl")).toEqual(["job-1"]);
    expect(match("*/SKILL.md", "nightly/SKILL.md")).toEqual(["nightly"]);
    expect(match("*/SKILL.md", "a/b/SKILL.md")).toBeUndefined();
    expect(match("*-*.md", "a-b-c.md")).toEqual(["a", "b-c"]);
    expect(match("a*a", "a")).toBeUndefined();
    expect(match("*", ".hidden")).toEqual([".hidden"]);
  });

  it("lets two stars stand for any number of names, also none", () => {
    for (const path of ["x.json", "a/x.json", "a/b/x.json"]) expect(match("**/x.json", path)).toEqual([]);
    expect(match("a/**/x.json", "a/x.json")).toEqual([]);
    expect(match("a/**", "a")).toEqual([]);
    expect(match("a/**", "b")).toBeUndefined();
    expect(match("**/*/x.json", "a/b/x.json")).toEqual(["b"]);
  });

  it("takes every other character as itself, so that a name is never a pattern", () => {
    expect(match("a.b", "axb")).toBeUndefined();
    expect(match("[ab]?(c)", "[ab]?(c)")).toEqual([]);
  });

  it("answers at once for a pattern that makes regular expressions explode", () => {
    const stars = `${"*a".repeat(40)}b`;
    expect(match(stars, "a".repeat(5000))).toBeUndefined();
    expect(match(Array.from({ length: 30 }, () => "**").join("/x/"), "x/".repeat(400))).toBeDefined();
  });
});
