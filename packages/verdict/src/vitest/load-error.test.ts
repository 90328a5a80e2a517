import { describe, expect, it } from "vitest";

import { missingFromEnvironment } from "./load-error.ts";
import { notRunNote } from "./skip-note.ts";

describe("an import that fails", () => {
  // The texts are what Node 20, vite 8 and vitest 4.1 said.
  it.each([
    ["Cannot find package 'ioredis' imported from /p/src/queue.test.ts", "a package"],
    ["Cannot find package '@scope/kit/sub' imported from /p/src/queue.test.ts", "a scoped one, by a subpath"],
    ["Cannot find module 'gone-req'\nRequire stack:\n- /p/src/req.test.ts", "a package, required"],
    ['Failed to resolve import "ioredis" from "src/a.test.ts". Does the file exist?', "in vite's words"],
    [
      "Cannot find module '/p/node_modules/kit/dist/a.js' imported from /p/node_modules/kit/index.js",
      "a file of an installed package",
    ],
    ["Cannot find module './dist/a.js' imported from /p/node_modules/kit/index.js", "the same, relative"],
  ])("is a missing dependency: %s (%s)", (message) => {
    expect(missingFromEnvironment({ message })?.reason).toBe("missing-dependency");
  });

  it.each([
    ["Cannot find module './missing.ts' imported from /p/src/a.test.ts", "a relative import"],
    ["Cannot find module '/src/missing.ts' imported from /p/src/a.test.ts", "an absolute one"],
    ["Cannot find module '#internal' imported from /p/src/a.test.ts", "a subpath import"],
    ["Cannot find package '@/models' imported from /p/src/a.test.ts", "an alias"],
    ['Failed to resolve import "./missing" from "src/a.test.ts". Does the file exist?', "in vite's words"],
    ["ioredis said: connect ECONNREFUSED", "no import at all"],
  ])("is the project's own defect: %s (%s)", (message) => {
    expect(missingFromEnvironment({ message })).toBeUndefined();
  });

  it("is unsupported when this Node has no such module", () => {
    expect(missingFromEnvironment({ message: "No such built-in module: node:sqlite" })).toEqual({
      reason: "unsupported",
      message: "this version of Node has no node:sqlite",
    });
  });
});

describe("the note of a skip", () => {
  it.each([
    ["NOT RUN: no redis on 127.0.0.1:6379", "missing-dependency", "no redis on 127.0.0.1:6379"],
    ["NOT RUN (missing-input): no dump", "missing-input", "no dump"],
    ["NOT RUN (timed-out) after 90 s", "timed-out", "after 90 s"],
    ["NOT RUN", "missing-dependency", "the note says no more"],
    ["NOT RUN (mising-input): no dump", "missing-dependency", "(mising-input) no dump"],
  ])("%s", (note, reason, message) => {
    expect(notRunNote(note)).toEqual({ reason, message });
  });

  it.each(["not on tuesdays", "NOT RUNNING here", "was NOT RUN yesterday", ""])(
    "is a plain skip when it says %j",
    (note) => {
      expect(notRunNote(note)).toBeUndefined();
    },
  );
});
