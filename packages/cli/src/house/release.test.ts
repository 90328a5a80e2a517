/** The workflow that publishes, and the script that it asks first: what they may do, and what they refuse. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { releaseProblems } from "../../../../scripts/check-release.mjs";
import { ROOT } from "../root.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly if?: string; readonly environment?: string; readonly permissions?: Readonly<Record<string, string>>; readonly steps: readonly Step[] }>>;
}

const FOLDER = ".github/workflows";
const workflows = readdirSync(join(ROOT, FOLDER)).map((name) => [name, parse(readFileSync(join(ROOT, FOLDER, name), "utf8")) as Workflow] as const);
const release = workflows.find(([name]) => name === "release.yml")?.[1] as Workflow;
const job = release.jobs["publish"];

describe("every workflow", () => {
  it.each(workflows)("%s may read and no more, but for the job that publishes", (name, { permissions, jobs }) => {
    expect(Object.values(permissions ?? { everything: "write" }).filter((right) => right !== "read")).toEqual([]);
    const rights = Object.values(jobs).flatMap((one) => Object.entries(one.permissions ?? {})).filter(([, right]) => right !== "read");
    expect(rights).toEqual(name === "release.yml" ? [["id-token", "write"]] : []);
  });

  it.each(workflows)("%s runs no stranger's code with rights, and leaves no credentials in the checkout", (_name, { on, jobs }) => {
    expect(Object.keys(on).filter((event) => ["pull_request_target", "workflow_run", "issue_comment", "issues"].includes(event))).toEqual([]);
    const steps = Object.values(jobs).flatMap((one) => one.steps);
    for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) expect(step.with).toEqual({ "persist-credentials": false });
    // What comes from outside is quoted by the shell and never pasted into a script.
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  });
});

describe("the release workflow", () => {
  it("starts for a tag or by hand, and publishes from a tag only, in no fork, and behind an environment", () => {
    expect(release.on).toEqual({ push: { tags: ["v*"] }, workflow_dispatch: null });
    expect(release.permissions).toEqual({});
    expect(Object.keys(release.jobs)).toEqual(["publish"]);
    expect([job?.if, job?.environment]).toEqual(["github.event.repository.fork == false && github.ref_type == 'tag'", "npm"]);
    expect(job?.permissions).toEqual({ contents: "read", "id-token": "write" });
  });

  it("asks, tests and builds before it publishes, each once and in this order", () => {
    const runs = job?.steps.flatMap(({ run }) => run ?? []) ?? [];
    expect(runs.map((run) => /check-release|\.ci\/run|pnpm@[\d.]+ build|publish/.exec(run)?.[0].replace(/@[\d.]+/, ""))).toEqual(["check-release", ".ci/run", "pnpm build", "publish"]);
  });

  it("publishes what is public, and nothing else, with provenance", () => {
    const publish = job?.steps.find(({ run }) => run?.includes(" publish "));
    const filtered = [...(publish?.run ?? "").matchAll(/--filter (\S+)/g)].map(([, name]) => name);
    const isPublic = readdirSync(join(ROOT, "packages")).map((folder) => manifest(ROOT, folder)).filter((one) => one["private"] !== true).map((one) => one["name"]);
    expect(filtered.toSorted()).toEqual(isPublic.toSorted());
    expect(publish?.run).toContain(" --provenance");
    expect(publish?.env?.["NPM_CONFIG_PROVENANCE"]).toBe("true");
    // The one step that knows the token.
    expect(job?.steps.filter(({ env }) => JSON.stringify(env ?? {}).includes("secrets."))).toEqual([publish]);
  });
});

describe("the check before a release", () => {
  const tree = mkdtempSync(join(tmpdir(), "casebook-release-"));
  afterAll(() => rmSync(tree, { recursive: true, force: true }));
  const PUBLISHED = ["cli", "conformance", "guards", "verdict"];
  const change = (folder: string, fields: object) => writeFileSync(join(tree, `packages/${folder}/package.json`), JSON.stringify({ ...manifest(tree, folder), ...fields }));

  beforeEach(() => {
    for (const folder of PUBLISHED) {
      mkdirSync(join(tree, "packages", folder), { recursive: true });
      cpSync(join(ROOT, "packages", folder, "package.json"), join(tree, "packages", folder, "package.json"));
      change(folder, { version: "1.2.3", repository: "github:cases/casebook" });
    }
    rmSync(join(tree, ".changeset"), { recursive: true, force: true });
    mkdirSync(join(tree, ".changeset"));
    writeFileSync(join(tree, "CITATION.cff"), "cff-version: 1.2.0\nversion: 1.2.3\n");
  });

  it("lets a tree pass that has an address, one version, its tag and no change without a version", () => {
    expect(releaseProblems(tree, "v1.2.3")).toEqual([]);
  });

  it.each<[string, () => void, string, string]>([
    ["no address", () => change("guards", { repository: undefined }), "v1.2.3", "packages/guards/package.json has no `repository`, which a provenance statement needs and which says where to report. Add it."],
    ["two versions", () => change("verdict", { version: "1.2.2" }), "v1.2.3", "packages/verdict/package.json is 1.2.2 and not 1.2.3. Run `pnpm version-packages`."],
    ["another tag", () => undefined, "v1.2.4", 'The tag is "v1.2.4", and the packages are 1.2.3. Tag the commit v1.2.3.'],
    ["a branch", () => undefined, "main", 'The tag is "main", and the packages are 1.2.3. Tag the commit v1.2.3.'],
    ["a change without a version", () => writeFileSync(join(tree, ".changeset/a.md"), "x"), "v1.2.3", ".changeset/ has 1 changes without a version: a.md. Run `pnpm version-packages`."],
    ["an old citation", () => writeFileSync(join(tree, "CITATION.cff"), "version: 1.2.2\n"), "v1.2.3", "CITATION.cff says 1.2.2. Run `pnpm cases:write`."],
  ])("refuses %s, and says what now", (_what, spoil, tag, said) => {
    spoil();
    expect(releaseProblems(tree, tag)).toEqual([said]);
  });

  it("knows this tree's packages, which have no address yet or one that is the same for all", () => {
    const addresses = PUBLISHED.map((folder) => JSON.stringify(manifest(ROOT, folder)["repository"]));
    expect(new Set(addresses.map((address) => address?.replace(/,"directory":"[^"]*"/, ""))).size).toBe(1);
  });
});

function manifest(root: string, folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")) as Record<string, unknown>;
}
