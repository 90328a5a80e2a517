/** A project with every situation that a runner without the third word gets wrong, one file each. */

const IT = 'import { beforeAll, afterAll, describe, expect, it } from "vitest";\n';

export const SITUATIONS = {
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

/** The file that kills its worker gets a worker of its own, or it takes the others with it. */
export const SITUATIONS_CONFIG = `export default { test: {
  reporters: [["@casebook/verdict/vitest", { json: "out/results.json", junit: "out/results.xml" }]],
  projects: [
    { test: { name: "calm", include: ["situations/*.test.ts"], exclude: ["**/killed*"], isolate: false, maxWorkers: 1 } },
    { test: { name: "killed", include: ["situations/killed.test.ts"] } },
  ],
} };`;
