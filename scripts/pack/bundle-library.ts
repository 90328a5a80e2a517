/**
 * A published library that needs private packages of ours: their code is bundled into it, and their declarations are put beside, with
 * addresses from one to the other. Libraries of others are imported, and stand in its `dependencies`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { type Bundle, externalLibraries, librariesStayOutside, ROOT } from "./bundle.ts";

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
}

/** Empties `out` and fills it with `<entry>.js` for each entry point of the package, and `types`. */
export async function bundleLibrary(name: string, out: string): Promise<Bundle> {
  const folder = join(ROOT, "packages", name);
  rmSync(out, { recursive: true, force: true });
  const entries = Object.values(manifestOf(name).exports).filter((path) => path.endsWith(".ts"));
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: entries.map((path) => ({ in: path, out: path.replace(/^\.\/src\//, "").replace(/\.ts$/, "") })),
    outdir: out,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    // Its portable entries import nothing of Node; the others say so.
    platform: "neutral",
    external: ["node:*"],
    target: "es2023",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [librariesStayOutside],
  });
  declare(name, join(out, "types"));
  return { libraries: externalLibraries(metafile) };
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8")) as Manifest;
}

/** `types/<package>/src/…`, as they lie in the tree. */
function declare(name: string, out: string): void {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(ROOT, "packages", name, "tsconfig.build.json"), "--outDir", out], { stdio: "inherit" });
  if (status !== 0) throw new Error(`packages/${name} does not compile; what tsc says stands above.`);
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    // The compiler leaves the names of sources in what is imported as a type.
    const compiled = text.replace(/(["'])(\.{1,2}\/[^"'\n]+)\.ts\1/g, "$1$2.js$1");
    writeFileSync(file, compiled.replace(/(["'])@casebook\/([^"'/]+)(\/[^"']+)?\1/g, (_all, quote: string, owner: string, path = "") => `${quote}${addressOf(file, out, owner, path as string)}${quote}`));
  }
}

function addressOf(from: string, out: string, owner: string, path: string): string {
  const source = manifestOf(owner).exports[`.${path}`];
  if (source === undefined) throw new Error(`@casebook/${owner} has no entry point .${path}, which ${relative(out, from)} imports.`);
  const target = relative(dirname(from), join(out, owner, source.replace(/\.ts$/, ".js"))).replaceAll("\\", "/");
  return target.startsWith(".") ? target : `./${target}`;
}
