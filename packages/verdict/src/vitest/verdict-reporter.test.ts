import { readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version } from "vitest/node";

import { createProject } from "../../test/fixture-project.ts";
import type { Project, Run } from "../../test/fixture-project.ts";

const IT = 'import { beforeAll, afterAll, describe, expect, it } from "vitest";\n';

const FILES = {
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

let project: Project;
let runs: Record<
  "green" | "bail" | "noName" | "noFile" | "beside" | "setup" | "unwritable" | "readme" | "interrupted",
  Run
>;

beforeAll(async () => {
  project = createProject({
    "package.json": '{ "type": "module" }',
    "setup.ts": 'import "ioredis"; export default () => {};',
    "plain.config.mjs": config(OURS),
    "beside.config.mjs": config(
      `${OURS}, "default", ["json", { outputFile: "out/vitest.json" }], { onTestModuleEnd() { process.exitCode = 1; } }`,
    ),
    "unwritable.config.mjs": config(`[${OURS}, { json: "package.json/results.json" }]`),
    "setup.config.mjs": config(OURS, 'globalSetup: ["./setup.ts"]'),
    ...FILES,
  });
  const [interrupted, [green, bail, noName, noFile, beside, setup, unwritable, readme]] = await Promise.all([
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
  runs = { green, bail, noName, noFile, beside, setup, unwritable, readme, interrupted };
}, 60_000);

afterAll(() => project.remove());

describe("the end of a run", () => {
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
    const versions = `node ${process.versions.node}, vitest ${version}`;
    // Files are printed as they end, so their first lines come in any order.
    const sorted = (text = "") => [text.split("\n\n")[0]?.split("\n").toSorted(), text.split("\n\n").slice(1)];
    expect(sorted(runs.readme.output.replaceAll(versions, "node 20.20.2, vitest 4.1.12"))).toEqual(sorted(shown));
  });
});
