/** Says what keeps this tree from being released, and exits 1. Usage: node scripts/check-release.mjs TAG. Reads files only. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PUBLISHED = ["cli", "conformance", "guards", "verdict"];

/** One sentence for each problem: what, and what now. */
export function releaseProblems(root, tag) {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const manifests = PUBLISHED.map((folder) => ({ path: `packages/${folder}/package.json`, ...JSON.parse(read(`packages/${folder}/package.json`)) }));
  const { version } = manifests[0];
  const pending = readdirSync(join(root, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md");
  const cited = /^version: (.*)$/m.exec(read("CITATION.cff"))?.[1];
  return [
    ...manifests
      .filter(({ repository }) => repository === undefined)
      .map(({ path }) => `${path} has no \`repository\`, which a provenance statement needs and which says where to report. Add it.`),
    ...manifests.filter((one) => one.version !== version).map((one) => `${one.path} is ${one.version} and not ${version}. Run \`pnpm version-packages\`.`),
    ...(tag === `v${version}` ? [] : [`The tag is ${JSON.stringify(tag ?? "")}, and the packages are ${version}. Tag the commit v${version}.`]),
    ...(pending.length === 0 ? [] : [`.changeset/ has ${pending.length} changes without a version: ${pending.join(", ")}. Run \`pnpm version-packages\`.`]),
    ...(cited === version ? [] : [`CITATION.cff says ${cited}. Run \`pnpm cases:write\`.`]),
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = releaseProblems(process.cwd(), process.argv[2]);
  for (const problem of problems) process.stderr.write(`not releasable: ${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
