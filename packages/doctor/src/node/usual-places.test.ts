import { describe, expect, it } from "vitest";
import { nativePathOf, treePathOf } from "./tree-path.ts";
import { usualPlaces } from "./usual-places.ts";

const PRESETS = [
  {
    places: {
      linux: ["~/.claude", "~/.hermes/cron"],
      darwin: ["~/.claude", "~/Library/Application Support/Claude"],
      win32: ["~/AppData/Roaming/Claude", "%LOCALAPPDATA%/Packages", "~/.claude/scheduled-tasks"],
    },
  },
  { places: { linux: ["~/.claude"], darwin: [], win32: [] } },
];

describe("the usual places", () => {
  it("are those of the presets below home, each once", () => {
    expect(usualPlaces({ home: "/home/me", platform: "linux" }, PRESETS)).toEqual(["/home/me/.claude", "/home/me/.hermes/cron"]);
    expect(usualPlaces({ home: "/Users/me/", platform: "darwin" }, PRESETS)[1]).toBe("/Users/me/Library/Application Support/Claude");
    expect(usualPlaces({ home: "/home/me", platform: "freebsd" }, PRESETS)).toHaveLength(2);
  });

  it("follow the folders that were moved, and no name that only begins like one", () => {
    const moved = { home: "/home/me", platform: "linux", claudeConfigDir: "/data/claude" };
    expect(usualPlaces(moved, [{ places: { linux: ["~/.claude/x", "~/.claude-old"], darwin: [], win32: [] } }])).toEqual([
      "/data/claude/x",
      "/home/me/.claude-old",
    ]);
    expect(usualPlaces({ home: "C:\\Users\\me", platform: "win32", appData: "D:\\Roam", claudeConfigDir: "" }, PRESETS)).toEqual([
      "/D:/Roam/Claude",
      "/C:/Users/me/AppData/Local/Packages",
      "/C:/Users/me/.claude/scheduled-tasks",
    ]);
  });
});

describe("paths of Windows", () => {
  it("go into the tree and out of it again", () => {
    for (const [native, tree] of [
      ["C:\\Users\\me", "/C:/Users/me"],
      ["C:\\", "/C:"],
      ["\\\\host\\share\\x", "/\\\\host/share/x"],
    ] as const) {
      expect(treePathOf(native, "win32")).toBe(tree);
      expect(nativePathOf(tree, "win32")).toBe(native);
    }
    expect(treePathOf("\\\\?\\C:\\very\\long", "win32")).toBe("/C:/very/long");
  });

  it("are refused where Windows would read them as something else", () => {
    for (const path of ["/C:/a/b:stream", "/C:/a\\..\\b", "/etc", "/"]) expect(() => nativePathOf(path, "win32")).toThrow();
    expect(() => nativePathOf("/a\0b", "linux")).toThrow("EINVAL");
    // A backslash is a letter like any other elsewhere.
    expect(nativePathOf(treePathOf("/a\\b", "linux"), "linux")).toBe("/a\\b");
  });
});
