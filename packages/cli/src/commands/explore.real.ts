/** The search and the replay as processes: other zones, locales and folders, a pipe, a file, and a key that is pressed. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exploreDocument } from "../documents.ts";
import { SEARCHES, typed } from "../house/explore-outputs.ts";
import { promisedOutputs } from "../house/markdown.ts";
import { ROOT } from "../root.ts";

const folder = mkdtempSync(join(tmpdir(), "casebook-search-"));
afterAll(() => rmSync(folder, { recursive: true }));
const START = ["--import", join(ROOT, "node_modules/tsx/dist/esm/index.mjs"), join(ROOT, "packages/cli/src/main.ts")];
const output = (id: string) => promisedOutputs(readFileSync(join(ROOT, "docs/explore.md"), "utf8")).find((one) => one.id === id)?.text ?? "";

function casebook(command: string, options: { input?: string; env?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...START, ...command.trim().split(" ").slice(1)], {
    cwd: folder, encoding: "utf8", input: options.input ?? "", env: { ...process.env, ...options.env },
  });
  return { status, stdout, stderr };
}

describe("a search in a process of its own", () => {
  it.each(Object.entries(SEARCHES))("prints what the page shows, in another folder, zone and locale: %s", (id, words) => {
    const env = { TZ: "Asia/Kolkata", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
    expect(casebook(typed(words), { env })).toEqual({ status: 0, stdout: output(id), stderr: "" });
    // Asked for nothing, it wrote nothing.
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leads to the same execution by its token, typed, piped, from a file, and from what --save wrote", () => {
    const [, , token = ""] = output("replay-command").split(" ");
    const options = "--until 12";
    const wanted = { status: 1, stdout: output("replay-until"), stderr: "" };
    expect(casebook(output("replay-command"))).toEqual(wanted);
    expect(casebook(`casebook replay - ${options}`, { input: `${token}\n` })).toEqual(wanted);
    writeFileSync(join(folder, "token.txt"), token);
    expect(casebook(`casebook replay token.txt ${options}`)).toEqual(wanted);
    const { stdout } = casebook("casebook explore 005 --system look-then-claim --faults none --save saved");
    const [picture = "", trace = ""] = [...stdout.matchAll(/^saved (.*)$/gm)].map(([, path]) => path ?? "");
    expect(casebook(`casebook replay ${trace} ${options}`)).toEqual(wanted);
    expect(casebook(`casebook replay ${trace} --svg`).stdout).toBe(readFileSync(join(folder, picture), "utf8"));
    expect(casebook(`casebook replay ${trace} --json`).stdout).toBe(readFileSync(join(folder, trace), "utf8"));
    expect(casebook("casebook explore 005 --system look-then-claim --faults none --save saved")).toMatchObject({ status: 2, stdout: "" });
  });
});

/** Says on stderr that the process listens to the key; who sends it earlier ends it as ever. */
const SAYS_WHEN = `data:text/javascript,${encodeURIComponent(
  'const { once } = process; process.once = (name, hear) => { once.call(process, name, hear); if (name === "SIGINT") process.stderr.write("listening"); return process; };',
)}`;

it.skipIf(process.platform === "win32")("prints what it found so far after Ctrl-C, and exits 130", async () => {
  const words = ["--import", SAYS_WHEN, ...START, "explore", "005", "--json", "--strategy", "random", "--budget", "10000000"];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.once("data", () => child.kill("SIGINT"));
  expect(await new Promise<number | null>((resolve) => child.on("close", resolve))).toBe(130);
  const { systems, notSearched } = exploreDocument.parse(JSON.parse(stdout));
  expect([...systems.map(({ system }) => system), ...notSearched]).toEqual(["every-delivery", "look-then-claim", "claim", "takeover", "fenced-takeover"].map((name) => `005/${name}`));
  expect(systems.at(-1)?.verdict ?? "interrupted").toBe("interrupted");
});
