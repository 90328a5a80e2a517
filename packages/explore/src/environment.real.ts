/** The same choices give the same traces, whatever the machine is set to and however the world waits between two steps. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { KERNEL_VERSION } from "./token.ts";

const SCRIPT = fileURLToPath(new URL("./calibration/hashes.fixture.ts", import.meta.url));
const TSX = import.meta.resolve("tsx");
const elsewhere = mkdtempSync(join(tmpdir(), "hashes-"));

afterAll(() => rmSync(elsewhere, { recursive: true }));

function hashes(barrier: string, env: Readonly<Record<string, string>> = {}, cwd = elsewhere): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--import", TSX, SCRIPT, barrier], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...env },
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

describe("trace hashes", () => {
  const usual = hashes("checkpoint", {}, fileURLToPath(new URL(".", import.meta.url)));

  it("are there, and differ from system to system", () => {
    const lines = usual.trimEnd().split("\n");
    expect(lines).toHaveLength(64);
    expect(new Set(lines.map((line) => line.split(" ")[2])).size).toBeGreaterThan(55);
  });

  it("are those that this kernel gave on every Node; another digest is another kernel, and KERNEL_VERSION goes up", () => {
    expect([KERNEL_VERSION, createHash("sha256").update(usual).digest("hex").slice(0, 16)]).toEqual([1, "092a1f6ebee798de"]);
  });

  it.each(["setImmediate", "macrotask", "nextTick"])("are the same with the %s barrier", (barrier) => {
    expect(hashes(barrier)).toBe(usual);
  });

  it.each<Readonly<Record<string, string>>>([{ TZ: "Asia/Kolkata" }, { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" }, { TZ: "America/St_Johns", NODE_ENV: "production" }])(
    "are the same under %o and in another folder",
    (env) => {
      expect(hashes("checkpoint", env)).toBe(usual);
    },
  );
});
