import { readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createProject } from "../../test/fixture-project.ts";
import type { Project, Run } from "../../test/fixture-project.ts";
import { readResultDocument } from "../read-result-document.ts";
import type { ResultDocument } from "../result-document.ts";

const IT = 'import { beforeAll, afterAll, describe, expect, it } from "vitest";\n';

/** Every situation that a runner without the third word gets wrong, one file each. */
const SITUATIONS = {
  "situations/absent-package.test.ts": `import "ioredis";\n${IT}it("pings", () => {});`,
  "situations/absent-further-down.test.ts": `import "./helper.ts";\n${IT}it("pings", () => {});`,
  "situations/helper.ts": 'export * from "@scope/kit/sub";',
  "situations/absent-own-file.test.ts": `import "./mising.ts";\n${IT}it("adds", () => {});`,
  "situations/does-not-parse.test.ts": `${IT}it("adds", () => {`,
  "situations/empty.test.ts": "export {};",
  "situations/killed.test.ts": `${IT}it("waits", () => {
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => {});
  });
  it("follows", () => {});`,
  "situations/throws.test.ts": `${IT}throw new Error("no settings");`,
  "situations/tests.test.ts": `${IT}
describe("a database", () => {
  beforeAll(() => { throw new Error("no database on 5432"); });
  it("stores", () => {});
  describe("deeper", () => { it("stores more", () => {}); it.skip("later", () => {}); });
});
describe("a cleanup", () => {
  afterAll(() => { throw new Error("could not remove"); });
  it("works", () => {});
  it("skips itself", (context) => context.skip());
});
it("adds", () => { expect({ sum: 3 }).toEqual({ sum: 4 }); });
it("adds", () => {});
it("needs redis", (context) => context.skip("NOT RUN: no redis on 127.0.0.1:6379"));
it("needs a dump", (context) => context.skip("NOT RUN (missing-input): no dump"));
it("rests on tuesdays", (context) => context.skip("not on tuesdays"));
it.skip("is skipped", () => {});
it.todo("is planned");
it("imports in its body", () => import("ioredis"));`,
  "situations/unhandled.test.ts": `${IT}it("looks fine", async () => {
    Promise.reject(new Error("nobody waits"));
    await new Promise((done) => setImmediate(done));
  });`,
};

const OTHERS = {
  "green/green.test.ts": `${IT}it("adds", () => {}); it("subtracts", () => {});`,
  "bail/bail.test.ts": `${IT}it("breaks", () => { throw new Error("early"); }); it("follows", () => {});`,
  "src/queue.test.ts": `import { Redis } from "ioredis";\n${IT}it("drains", () => new Redis());`,
  "src/report.test.ts": `${IT}
it("adds up", () => {
  expect({ due: 33, seen: 28 }).toEqual({ due: 33, seen: 33 });
});
it("sends mail", (context) => context.skip("NOT RUN (missing-input): no MAIL_URL"));
it("fits on a page", () => {});`,
  "slow/slow.test.ts": `${IT}it("ends", () => {}); it("hangs", () => {
    console.log("hanging now");
    return new Promise(() => {});
  }, 60_000);`,
};

const config = (reporters: string, more = "") => `export default { test: {
  include: ["{bail,green,slow,src}/*.test.ts"], maxWorkers: 1, reporters: [${reporters}], ${more}
} };`;

const OURS = '"@casebook/verdict/vitest"';

/** The file that kills its worker gets a worker of its own, or it takes the others with it. */
const SITUATIONS_CONFIG = `export default { test: {
  reporters: [[${OURS}, { json: "out/results.json", junit: "out/results.xml" }]],
  projects: [
    { test: { name: "calm", include: ["situations/*.test.ts"], exclude: ["**/killed*"], isolate: false, maxWorkers: 1 } },
    { test: { name: "killed", include: ["situations/killed.test.ts"] } },
  ],
} };`;

let project: Project;
let runs: Record<
  "situations" | "green" | "bail" | "noName" | "noFile" | "beside" | "setup" | "unwritable" | "readme" | "interrupted",
  Run
>;
let document: ResultDocument;

beforeAll(async () => {
  project = createProject({
    "package.json": '{ "type": "module" }',
    "setup.ts": 'import "ioredis"; export default () => {};',
    "situations.config.mjs": SITUATIONS_CONFIG,
    "plain.config.mjs": config(OURS),
    "beside.config.mjs": config(
      `${OURS}, "default", ["json", { outputFile: "out/vitest.json" }], { onTestModuleEnd() { process.exitCode = 1; } }`,
    ),
    "unwritable.config.mjs": config(`[${OURS}, { json: "package.json/results.json" }]`),
    "setup.config.mjs": config(OURS, 'globalSetup: ["./setup.ts"]'),
    ...SITUATIONS,
    ...OTHERS,
  });
  const [situations, interrupted, [green, bail, noName, noFile, beside, setup, unwritable, readme]] = await Promise.all([
    project.run({ config: "situations.config.mjs", filter: "situations" }),
    project.run({ config: "plain.config.mjs", filter: "slow" }, "hanging now"),
    project.runInTurn([
      { config: "plain.config.mjs", filter: "green" },
      { config: "plain.config.mjs", filter: "bail", options: { bail: 1 } },
      { config: "plain.config.mjs", filter: "green", options: { testNamePattern: "no such name" } },
      { config: "plain.config.mjs", filter: "no-such-file", options: { passWithNoTests: true } },
      { config: "beside.config.mjs", filter: "green" },
      { config: "setup.config.mjs", filter: "green" },
      { config: "unwritable.config.mjs", filter: "green" },
      { config: "plain.config.mjs", filter: "src" },
    ]),
  ]);
  if (!green || !bail || !noName || !noFile || !beside || !setup || !unwritable || !readme) {
    throw new Error("a run is missing");
  }
  runs = { situations, green, bail, noName, noFile, beside, setup, unwritable, readme, interrupted };
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
    const { output } = runs.situations;
    const block = output.slice(output.indexOf("FAIL  |calm| situations/tests.test.ts > adds  situations/tests.test.ts:13:"));
    expect(block).toContain("AssertionError: expected { sum: 3 } to deeply equal { sum: 4 }");
    expect(block).toContain('-   "sum": 4,\n+   "sum": 3,');
    expect(block).toContain("13| it(\"adds\", () => { expect({ sum: 3 }).toEqual({ sum: 4 }); });");
  });

  it("shares one block among the tests that one hook kept from running, and names each", () => {
    expect(runs.situations.output).toContain(`
NOT RUN  |calm| situations/tests.test.ts > a database > deeper > stores more (setup-failed)
NOT RUN  |calm| situations/tests.test.ts > a database > stores (setup-failed)
  a beforeAll hook threw Error: no database on 5432
  Error: no database on 5432
  at situations/tests.test.ts:4:`);
  });

  it("ends in the not-run line and the plain line; a failure beats a not run, so the exit code is 1", () => {
    const { exitCode, output } = runs.situations;
    expect(output.split("\n").slice(-4)).toEqual([
      "",
      "not run: 8 (missing-dependency 3, missing-input 1, setup-failed 4)",
      "3 passed, 8 failed, 5 skipped",
      "",
    ]);
    expect(exitCode).toBe(1);
  });

  it("says one line per file when all is green, and exits 0", () => {
    expect(runs.green).toEqual({
      exitCode: 0,
      output: `\
PASS     green/green.test.ts  2 passed

not run: 0 of 2 planned
2 passed, 0 failed
`,
    });
  });

  it("keeps the plain line last beside vitest's own reporters, which write after a run too", () => {
    const { output } = runs.beside;
    expect(output).toContain("Test Files  1 passed (1)");
    expect(output).toContain("JSON report written to");
    expect(output.endsWith("\nnot run: 0 of 2 planned\n2 passed, 0 failed\n")).toBe(true);
  });

  it("never turns the exit code of something else, such as a coverage threshold, into a pass", () => {
    expect(runs.beside.exitCode).toBe(1);
  });

  it("says that a report could not be written, and is no pass then", () => {
    const { exitCode, output } = runs.unwritable;
    expect(exitCode).toBe(2);
    expect(output).toMatch(/\nREPORT_NOT_WRITTEN: package\.json\/results\.json \(E.+\)\. Check the reporter's options\.\n/);
    expect(output.endsWith("\nnot run: 0 of 2 planned\n2 passed, 0 failed\n")).toBe(true);
  });
});

describe("a run that stops at --bail", () => {
  it("leaves the rest NOT RUN (timed-out): a cap was reached", () => {
    const { exitCode, output } = runs.bail;
    expect(exitCode).toBe(1);
    expect(output).toContain(
      "NOT RUN  bail/bail.test.ts > follows (timed-out)\n  the run stopped at --bail; this had not begun\n",
    );
    expect(output.endsWith("\nnot run: 1 (timed-out 1)\n0 passed, 1 failed\n")).toBe(true);
  });
});

describe("a filter that matches nothing", () => {
  it("is a usage error when it is a name", () => {
    expect(runs.noName).toEqual({
      exitCode: 2,
      output: `
nothing selected: green -t no such name matches none of 2 tests in 1 files. That is not a pass (exit code 2).
not run: 0 of 0 planned
0 passed, 0 failed
`,
    });
  });

  it("is a usage error when it is a file, also with passWithNoTests", () => {
    expect(runs.noFile).toEqual({
      exitCode: 2,
      output: `
nothing selected: no-such-file matches no test file. That is not a pass (exit code 2).
not run: 0 of 0 planned
0 passed, 0 failed
`,
    });
  });
});

describe("a global setup that throws", () => {
  it("leaves every file NOT RUN, exit code 3, although vitest itself says 1", () => {
    const { exitCode, output } = runs.setup;
    expect(exitCode).toBe(3);
    expect(output).toContain("NOT RUN  green/green.test.ts (setup-failed)");
    expect(output).toContain("Cannot find module 'ioredis'");
    expect(output.endsWith("\nnot run: 1 (setup-failed 1)\n0 passed, 0 failed\n")).toBe(true);
  });
});

describe("an interrupt", () => {
  it("prints what was found so far and exits 130", () => {
    const { exitCode, output } = runs.interrupted;
    expect(exitCode).toBe(130);
    expect(output).toContain("NOT RUN  slow/slow.test.ts > hangs (timed-out)\n  the run was interrupted; this had not");
    expect(output).toMatch(/\n\nnot run: \d \(timed-out \d\)\n\d passed, 0 failed\n$/);
  });
});

describe("the README", () => {
  it("shows what the reporter really prints", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const shown = /<!-- example:start -->\n```\n\$ npx vitest run\n([\s\S]*?)```\n<!-- example:end -->/.exec(readme)?.[1];
    const versions = `node ${process.versions.node}, vitest ${document.tool.version}`;
    // Files are printed as they end, so their first lines come in any order.
    const sorted = (text = "") => [text.split("\n\n")[0]?.split("\n").toSorted(), text.split("\n\n").slice(1)];
    expect(sorted(runs.readme.output.replaceAll(versions, "node 20.20.2, vitest 4.1.12"))).toEqual(sorted(shown));
  });
});
