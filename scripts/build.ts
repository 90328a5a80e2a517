/** `pnpm build`: fills the `dist` of every published package. Usage: node --import tsx scripts/build.ts */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { bundle, ROOT } from "./pack/bundle.ts";
import { bundleLibrary } from "./pack/bundle-library.ts";

const COMPILED = ["guards", "verdict"];

for (const name of COMPILED) {
  rmSync(join(ROOT, "packages", name, "dist"), { recursive: true, force: true });
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(ROOT, "packages", name, "tsconfig.build.json")], { stdio: "inherit" });
  if (status !== 0) throw new Error(`packages/${name} does not compile; what tsc says stands above.`);
}
const { libraries } = await bundle(join(ROOT, "packages", "cli", "dist"));
const kit = await bundleLibrary("conformance", join(ROOT, "packages", "conformance", "dist"));
process.stdout.write(`built casebook, @casebook/${COMPILED.join(", @casebook/")}; casebook imports ${libraries.join(", ")}; @casebook/conformance imports ${kit.libraries.join(", ")}\n`);
