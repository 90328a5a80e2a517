/**
 * `casebook` as one package: its own code and that of every private package bundled, third-party libraries left to its
 * `dependencies`, each case as a folder with `repro.js`, its page and its `case.json`. Same sources, same bytes, in any folder.
 */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { type Case, type Catalog, readCatalog } from "../../packages/cli/src/catalog/catalog.ts";
import { packedPage } from "../../packages/cli/src/home/packed-page.ts";
import { repositoryIn, repositoryName } from "../../packages/cli/src/repository.ts";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CLI = join(ROOT, "packages", "cli");

export interface Bundle {
  /** Libraries that the bundled code imports, by package name, sorted. */
  readonly libraries: readonly string[];
}

/** Empties `out` (the package's `dist`) and fills it. */
export async function bundle(out: string): Promise<Bundle> {
  const catalog = await readCatalog(ROOT);
  const problems = catalog.unreadable.flatMap((one) => one.problems);
  if (problems.length > 0) throw new Error(`CASE_UNREADABLE: ${problems.join("\n")}`);
  rmSync(out, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: CLI,
    entryPoints: [
      { in: "src/main.ts", out: "main" },
      ...catalog.cases.map((item) => ({ in: `../../${item.folder}/repro.ts`, out: `cases/${folderName(item)}/repro` })),
    ],
    outdir: out,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [librariesStayOutside, packedHome],
  });
  chmodSync(join(out, "main.js"), 0o755);
  writeCases(out, catalog);
  copySchemas(out);
  return { libraries: externalLibraries(metafile) };
}

export function externalLibraries({ outputs }: Metafile): string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports.filter(({ external }) => external === true));
  return [...new Set(imports.flatMap(({ path }) => libraryOf(path)))].toSorted();
}

/** Ours is bundled, Node's and everybody else's is imported. */
export const librariesStayOutside: Plugin = {
  name: "libraries-stay-outside",
  setup: ({ onResolve }) => onResolve({ filter: /^[^./]/ }, ({ path, kind }) => (kind === "entry-point" || path.startsWith("@casebook/") ? undefined : { path, external: true })),
};

const packedHome: Plugin = {
  name: "packed-home",
  setup: ({ onResolve }) => onResolve({ filter: /\/here\.ts$/ }, () => ({ path: join(CLI, "src", "home", "packed.ts") })),
};

function libraryOf(path: string): string[] {
  if (path.startsWith("node:")) return [];
  return [path.split("/").slice(0, path.startsWith("@") ? 2 : 1).join("/")];
}

function writeCases(out: string, catalog: Catalog): void {
  const { repository } = JSON.parse(readFileSync(join(CLI, "package.json"), "utf8")) as { repository?: unknown };
  for (const item of catalog.cases) {
    const to = join(out, "cases", folderName(item));
    mkdirSync(to, { recursive: true });
    const page = readFileSync(join(ROOT, item.folder, "README.md"), "utf8").replaceAll("\r\n", "\n");
    const { number, folder } = item;
    writeFileSync(join(to, "README.md"), packedPage(page, { number, folder, repository: repositoryName(repositoryIn(repository)) }));
    copyFileSync(join(ROOT, item.folder, "case.json"), join(to, "case.json"));
  }
  const packed = { ...catalog, cases: catalog.cases.map((item) => ({ ...item, folder: `dist/cases/${folderName(item)}` })) };
  writeFileSync(join(out, "cases", "catalog.json"), `${JSON.stringify(packed, undefined, 2)}\n`);
}

/** Of every document that a command prints. */
function copySchemas(out: string): void {
  mkdirSync(join(out, "schema"), { recursive: true });
  for (const owner of ["cli", "doctor", "verdict"]) {
    const from = join(ROOT, "packages", owner, "schema");
    for (const name of readdirSync(from)) copyFileSync(join(from, name), join(out, "schema", name));
  }
}

function folderName({ number, slug }: Case): string {
  return `${number}-${slug}`;
}
