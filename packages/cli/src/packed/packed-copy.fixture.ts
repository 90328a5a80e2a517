/**
 * Set up once for the packed tests: builds, packs, and installs as a stranger does, with npm, outside the clone. A registry that
 * cannot be reached is no fault of ours and becomes NOT RUN with what npm said; anything else that goes wrong is a failure.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { TestContext } from "vitest";
import type { TestProject } from "vitest/node";
import { ROOT } from "../root.ts";

export const PUBLISHED = ["casebook", "@casebook/conformance", "@casebook/guards", "@casebook/verdict"] as const;
type Published = (typeof PUBLISHED)[number];

export interface PackedCopy {
  readonly tarballs: Readonly<Record<Published, string>>;
  /** An empty folder, outside the clone, into which the `casebook` tarball was installed and nothing else. */
  readonly stranger: string;
  /** An empty home that npm filled. */
  readonly home: string;
  /** Another project, into which the three libraries and a vitest of its own were installed. */
  readonly foreign: string;
}

interface Problem {
  readonly kind: "unreachable" | "failed";
  readonly text: string;
}

declare module "vitest" {
  interface ProvidedContext {
    packed: PackedCopy | Problem;
  }
}

/** The packed copy, or the end of the test that asked for it. */
export function usable(packed: PackedCopy | Problem, context: TestContext): PackedCopy {
  if (!("kind" in packed)) return packed;
  if (packed.kind === "unreachable") context.skip(`NOT RUN (missing-dependency): ${packed.text}`);
  throw new Error(packed.text);
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "casebook-packed-")));
  project.provide("packed", await pack(folder).catch(problemOf));
  // Not synchronously: thousands of small files, and the test runner takes a busy process for a hung one.
  return () => rm(folder, { recursive: true, force: true });
}

async function pack(folder: string): Promise<PackedCopy> {
  const [, pnpm = ""] = /npx --yes (pnpm@\S+)/.exec(readFileSync(join(ROOT, ".ci", "run"), "utf8")) ?? [];
  await must({ command: process.execPath, words: ["--import", "tsx", join(ROOT, "scripts", "build.ts")], cwd: ROOT });
  const filters = PUBLISHED.flatMap((name) => ["--filter", name]);
  await must({ command: "npx", words: ["--yes", "--prefer-offline", pnpm, "-r", ...filters, "pack", "--pack-destination", folder], cwd: ROOT });
  const tarball = (name: Published) => join(folder, `${name.replace("@", "").replace("/", "-")}-${versionOf("cli")}.tgz`);
  const tarballs = { casebook: tarball("casebook"), "@casebook/conformance": tarball("@casebook/conformance"), "@casebook/guards": tarball("@casebook/guards"), "@casebook/verdict": tarball("@casebook/verdict") };
  const home = join(folder, "home");
  const stranger = join(folder, "Ein leerer Ordner für casebook");
  const foreign = join(folder, "foreign");
  for (const one of [home, stranger, foreign]) mkdirSync(one);
  writeFileSync(join(foreign, "package.json"), '{ "name": "foreign", "private": true, "type": "module" }\n');
  const vitest = `vitest@${(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { devDependencies: { vitest: string } }).devDependencies.vitest}`;
  await Promise.all([
    must({ command: "npm", words: [...INSTALL, tarballs.casebook], cwd: stranger, home }),
    must({ command: "npm", words: [...INSTALL, "--prefer-offline", tarballs["@casebook/conformance"], tarballs["@casebook/guards"], tarballs["@casebook/verdict"], vitest], cwd: foreign }),
  ]);
  return { tarballs, stranger, home, foreign };
}

/** `--prefix`, because npm looks for a project in the folders above, and the machine's folder for temporary files may hold one. */
const INSTALL = ["install", "--no-update-notifier", "--prefix", ".", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-retry-mintimeout=500"];

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(ROOT, "packages", folder, "package.json"), "utf8")) as { version: string }).version;
}

export interface Order {
  readonly command: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Said {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that knows nothing of the clone, of the outer test runner, or of the home of whoever runs the tests. */
export function runAlone({ command, words, cwd, home, env }: Order): Promise<Said> {
  const child = spawn(command, words, { cwd, env: { ...aloneEnv(home), ...env }, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => void (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => void (stderr += chunk));
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (exitCode) => done({ exitCode, stdout, stderr }));
  });
}

/** How this machine reaches its registry; an empty home would lose it. */
const REACHES_REGISTRY = /^(?:npm_config_(?:registry|userconfig|globalconfig|cafile|proxy|https_proxy|noproxy|strict_ssl)|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i;

function aloneEnv(home = homedir()): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => REACHES_REGISTRY.test(name) || /^(?:SystemRoot|PATHEXT|TEMP|TMP|TMPDIR)$/i.test(name));
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((one) => !one.startsWith(ROOT));
  return {
    npm_config_userconfig: join(homedir(), ".npmrc"),
    ...Object.fromEntries(kept),
    // This very Node, also for what starts `node` by name.
    PATH: [dirname(process.execPath), ...path].join(delimiter),
    HOME: home,
    // It asks the registry now and then, and says so on stderr.
    npm_config_update_notifier: "false",
    NO_COLOR: "1",
    // Rubbish that an ES module must not look at.
    NODE_PATH: join(home, "no", "such", "folder"),
  };
}

class OrderFailed extends Error {}

async function must(order: Order): Promise<void> {
  const { exitCode, stdout, stderr } = await runAlone(order);
  if (exitCode !== 0) throw new OrderFailed(`${order.command} ${order.words.join(" ")}: exit ${exitCode}: ${stderr}${stdout}`);
}

/** What npm and pnpm say of a registry that they do not reach. */
export const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|E5\d\d|ERR_PNPM_META_FETCH_FAIL)\b/;

function problemOf(thrown: unknown): Problem {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return { kind: thrown instanceof OrderFailed && UNREACHABLE.test(text) ? "unreachable" : "failed", text };
}
