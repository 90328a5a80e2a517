import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createProject } from "../../test/fixture-project.ts";
import type { Project, Run } from "../../test/fixture-project.ts";
import { SITUATIONS, SITUATIONS_CONFIG } from "../../test/situations.ts";
import { readResultDocument } from "../read-result-document.ts";
import type { ResultDocument } from "../result-document.ts";

let project: Project;
let run: Run;
let document: ResultDocument;

beforeAll(async () => {
  project = createProject({
    "package.json": '{ "type": "module" }',
    "vitest.config.mjs": SITUATIONS_CONFIG,
    ...SITUATIONS,
  });
  run = await project.run({ config: "vitest.config.mjs", filter: "situations" });
  const read = await readResultDocument(project.read("out/results.json"));
  if (read.document === undefined) throw new Error(read.problem.message);
  document = read.document;
}, 60_000);

afterAll(() => project.remove());

function find(id: string) {
  const project = id.startsWith("killed") ? "|killed|" : "|calm|";
  return document.results.find((one) => one.id === `${project} situations/${id}`);
}

/** The result whose id ends so, cut down to what a test speaks about. */
function resultOf(id: string) {
  const found = find(id);
  if (found === undefined) return undefined;
  const { evidence, verdict } = found;
  const firstLine = evidence?.firstLines?.[0];
  if (found.verdict === "PASS") return { verdict };
  if (found.verdict === "FAIL") return { verdict, message: found.message };
  return { verdict, reason: found.reason, message: found.message, firstLine };
}

describe("a file whose dependency is missing", () => {
  it("is NOT RUN with the specifier and the error as evidence, not FAIL and not zero tests", () => {
    expect(resultOf("absent-package.test.ts")).toEqual({
      verdict: "NOT RUN",
      reason: "missing-dependency",
      message: "'ioredis' could not be found; is it installed?",
      firstLine: "Error: Cannot find package 'ioredis' imported from situations/absent-package.test.ts",
    });
  });

  it("says where the import stands, and which versions said so", () => {
    const found = find("absent-package.test.ts");
    expect(found?.location).toEqual({ file: "situations/absent-package.test.ts", line: 1, column: 1 });
    expect(found?.evidence?.versions).toEqual({ node: process.versions.node, vitest: document.tool.version });
  });

  it("is NOT RUN too when a helper of the project imports it", () => {
    expect(resultOf("absent-further-down.test.ts")).toMatchObject({
      verdict: "NOT RUN",
      message: "'@scope/kit/sub' could not be found; is it installed?",
    });
  });

  it("is FAIL when what is missing is a file of the project itself: that is a defect, not an environment", () => {
    expect(resultOf("absent-own-file.test.ts")).toEqual({
      verdict: "FAIL",
      message: "Error: Cannot find module './mising.ts' imported from situations/absent-own-file.test.ts",
    });
  });

  it("is FAIL when a test asked for it while it ran, because then the test has an answer", () => {
    expect(resultOf("tests.test.ts > imports in its body")).toMatchObject({ verdict: "FAIL" });
  });
});

describe("a file that cannot be loaded for another reason", () => {
  it("is one FAIL, whether it throws, does not parse or holds no test", () => {
    expect(resultOf("throws.test.ts")).toEqual({ verdict: "FAIL", message: "Error: no settings" });
    expect(resultOf("does-not-parse.test.ts")?.verdict).toBe("FAIL");
    expect(resultOf("empty.test.ts")).toEqual({
      verdict: "FAIL",
      message: "Error: No test suite found in file situations/empty.test.ts",
    });
  });
});

describe("a hook that throws", () => {
  const kept = {
    verdict: "NOT RUN",
    reason: "setup-failed",
    message: "a beforeAll hook threw Error: no database on 5432",
    firstLine: "Error: no database on 5432",
  };

  it("leaves the tests it kept from running NOT RUN, also deeper down", () => {
    expect(resultOf("tests.test.ts > a database > stores")).toEqual(kept);
    expect(resultOf("tests.test.ts > a database > deeper > stores more")).toEqual(kept);
  });

  it("is a FAIL of its own when it ran after the tests", () => {
    expect(resultOf("tests.test.ts > a cleanup > works")).toEqual({ verdict: "PASS" });
    expect(resultOf("tests.test.ts > a cleanup")).toEqual({ verdict: "FAIL", message: "Error: could not remove" });
  });
});

describe("a skip", () => {
  it("is NOT RUN when its note says so, with the reason that the note names", () => {
    expect(resultOf("tests.test.ts > needs redis")).toMatchObject({
      verdict: "NOT RUN",
      reason: "missing-dependency",
      message: "no redis on 127.0.0.1:6379",
    });
    expect(resultOf("tests.test.ts > needs a dump")).toMatchObject({
      verdict: "NOT RUN",
      reason: "missing-input",
      message: "no dump",
    });
  });

  it("is outside the planned count otherwise, and keeps its note", () => {
    const outside = document.outside.map(({ id, kind, note }) => ({ id: id.split(" > ").at(-1), kind, note }));
    expect(outside).toEqual([
      { id: "skips itself", kind: "skipped", note: undefined },
      { id: "later", kind: "skipped", note: undefined },
      { id: "is planned", kind: "todo", note: undefined },
      { id: "is skipped", kind: "skipped", note: undefined },
      { id: "rests on tuesdays", kind: "skipped", note: "not on tuesdays" },
    ]);
  });
});

describe("a worker that is killed", () => {
  it("leaves what had not ended NOT RUN, with the death as evidence", () => {
    for (const name of ["waits", "follows"]) {
      expect(resultOf(`killed.test.ts > ${name}`)).toMatchObject({
        verdict: "NOT RUN",
        reason: "setup-failed",
        firstLine: "Error: [vitest-pool]: Worker forks emitted error.",
      });
    }
  });
});

describe("an unhandled rejection", () => {
  it("fails the run although its test passed", () => {
    expect(resultOf("unhandled.test.ts > looks fine")).toEqual({ verdict: "PASS" });
    expect(resultOf("unhandled.test.ts > Unhandled Rejection: Error: nobody waits")).toEqual({
      verdict: "FAIL",
      message: "Unhandled Rejection: Error: nobody waits",
    });
  });
});

describe("the document", () => {
  it("tells two tests of one name apart", () => {
    expect(resultOf("tests.test.ts > adds")?.verdict).toBe("FAIL");
    expect(resultOf("tests.test.ts > adds (2)")?.verdict).toBe("PASS");
  });

  it("holds no path of the machine it was made on", () => {
    expect(project.read("out/results.json")).not.toContain(project.root);
    expect(project.read("out/results.xml")).not.toContain(project.root);
  });

  it("reaches the build server with NOT RUN and its reason", () => {
    expect(project.read("out/results.xml")).toContain(
      '<skipped message="NOT RUN (missing-dependency): no redis on 127.0.0.1:6379">',
    );
  });
});

describe("the terminal", () => {
  it("shows a failure with its place, its diff and the line of source", () => {
    const { output } = run;
    const block = output.slice(output.indexOf("FAIL  |calm| situations/tests.test.ts > adds  situations/tests.test.ts:13:"));
    expect(block).toContain("AssertionError: expected { sum: 3 } to deeply equal { sum: 4 }");
    expect(block).toContain('-   "sum": 4,\n+   "sum": 3,');
    expect(block).toContain("13| it(\"adds\", () => { expect({ sum: 3 }).toEqual({ sum: 4 }); });");
  });

  it("shares one block among the tests that one hook kept from running, and names each", () => {
    expect(run.output).toContain(`
NOT RUN  |calm| situations/tests.test.ts > a database > deeper > stores more (setup-failed)
NOT RUN  |calm| situations/tests.test.ts > a database > stores (setup-failed)
  a beforeAll hook threw Error: no database on 5432
  Error: no database on 5432
  at situations/tests.test.ts:4:`);
  });

  it("ends in the not-run line and the plain line; a failure beats a not run, so the exit code is 1", () => {
    const { exitCode, output } = run;
    expect(output.split("\n").slice(-4)).toEqual([
      "",
      "not run: 8 (missing-dependency 3, missing-input 1, setup-failed 4)",
      "3 passed, 8 failed, 5 skipped",
      "",
    ]);
    expect(exitCode).toBe(1);
  });
});
