/** Folders whose names are no UTF-8, on a disk that allows them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { observe } from "../observe/index.ts";
import { PRESETS } from "../presets/index.ts";
import { diskTree } from "./disk-tree.ts";

const root = mkdtempSync(join(tmpdir(), "casebook-names-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const LATIN_1 = Buffer.concat([Buffer.from(`${root}/scheduled-tasks/caf`), Buffer.from([0xe9])]);

function plant(): "planted" | "refused" {
  mkdirSync(join(root, "scheduled-tasks/plain"), { recursive: true });
  writeFileSync(join(root, "scheduled-tasks/plain/SKILL.md"), "Do it.\n");
  try {
    mkdirSync(LATIN_1);
    writeFileSync(Buffer.concat([LATIN_1, Buffer.from("/SKILL.md")]), "Do it.\n");
    return "planted";
  } catch {
    return "refused";
  }
}

// Some file systems take no such name.
it.runIf(plant() === "planted")("says of a prompt folder whose name is no UTF-8 that it cannot be opened, and does not take it for a task or for gone", async () => {
  const { layouts, notRead } = await observe(diskTree(), { places: [root], presets: PRESETS, nowMs: 1_788_336_000_000, machineZone: "UTC" });
  const path = `${root}/scheduled-tasks/caf\uFFFD`;
  const said = [path, "unsupported", `${path} has a name that is no UTF-8, and cannot be opened by it`];
  expect(notRead.map((one) => [one.what, one.reason, one.message])).toEqual([said]);
  expect(layouts[0]?.notRead.map((one) => [one.what, one.reason, one.message])).toContainEqual(said);
  expect(layouts[0]?.tasks.map(({ id }) => id)).toEqual(["plain"]);
});
