import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { httpsAddress, originOf, repositoryIn, repositoryName } from "./repository.ts";

const HOME = "https://example.org/cases/casebook";
const folder = mkdtempSync(join(tmpdir(), "casebook-origin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the address of the repository", () => {
  it.each([
    ["https://example.org/cases/casebook.git", HOME],
    ["git+https://example.org/cases/casebook.git", HOME],
    ["git+ssh://git@example.org/cases/casebook.git", HOME],
    ["ssh://git@example.org:2222/cases/casebook.git", HOME],
    ["git@example.org:cases/casebook.git", HOME],
    ["git://example.org/cases/casebook.git#main", HOME],
    ["https://somebody:token@example.org/cases/casebook/", HOME],
    ["https://example.org:8443/cases/casebook", "https://example.org:8443/cases/casebook"],
    ["github:cases/casebook", "https://github.com/cases/casebook"],
    ["gitlab:cases/casebook", "https://gitlab.com/cases/casebook"],
    ["cases/casebook", "https://github.com/cases/casebook"],
  ])("is %s as https, without credentials", (given, address) => {
    expect(httpsAddress(given)).toBe(address);
  });

  it.each(["/srv/git/casebook.git", "../casebook", "./casebook", "C:\\casebook", "file:///srv/casebook", "http://example.org/cases", "https://example.org/", "https://", ""])(
    "is unknown for %j, which leads no stranger anywhere",
    (given) => {
      expect(httpsAddress(given)).toBe(undefined);
    },
  );

  it("is read from package.json in both of its forms", () => {
    expect(repositoryIn("github:cases/casebook")).toBe("https://github.com/cases/casebook");
    expect(repositoryIn({ type: "git", url: "git+https://example.org/cases/casebook.git" })).toBe(HOME);
    expect([undefined, null, 7, {}, { url: 7 }].map(repositoryIn)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it("has words of its own while nobody knows it", () => {
    expect([repositoryName(HOME), repositoryName(undefined)]).toEqual([HOME, "the repository you found casebook in"]);
  });
});

describe("the origin of a clone", () => {
  const config = '[core]\n\tbare = false\n[remote "other"]\n\turl = https://example.org/other\n[remote "origin"]\n\tfetch = x\n\turl = https://u:p@example.org/cases/casebook.git\n';

  it.each([
    ["a clone", { ".git/config": config }, ""],
    ["a worktree", { ".git/config": config, ".git/worktrees/w/commondir": "../..\n", "w/.git": `gitdir: ${join(folder, "a worktree/.git/worktrees/w")}\n` }, "w"],
    ["a submodule", { ".git/modules/m/config": config, "m/.git": "gitdir: ../.git/modules/m\n" }, "m"],
  ] as const)("is found in %s", (name, files, inside) => {
    write(name, files);
    expect(originOf(join(folder, name, inside))).toBe(HOME);
  });

  it.each([
    ["nothing", {}],
    ["no origin", { ".git/config": '[remote "other"]\n\turl = https://example.org/other\n' }],
    ["a folder for origin", { ".git/config": '[remote "origin"]\n\turl = /srv/git/casebook.git\n' }],
    ["a file that leads nowhere", { ".git": "gitdir: /nowhere/at/all\n" }],
    ["a file of another kind", { ".git": "hello\n" }],
  ] as const)("is unknown with %s", (name, files) => {
    write(name, files);
    expect(originOf(join(folder, name))).toBe(undefined);
  });
});

function write(name: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(folder, name, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
}
