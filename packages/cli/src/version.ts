/** The one version of all packages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HOME } from "./home/here.ts";

export const VERSION = (JSON.parse(readFileSync(join(HOME.packageFolder, "package.json"), "utf8")) as { version: string }).version;
