/**
 * What is damaged: every fixture of every layout and every ill tree of the self-test, as files. Each has a word planted wherever
 * a prompt, a payload or a secret stands, which no output may ever hold.
 */
import { FIXTURE_NOW_MS, FIXTURE_ZONE, type Fixture, type FixtureFiles } from "../presets/fixtures/index.ts";
import * as fixtures from "../presets/fixtures/index.ts";
import { fixtureTrees } from "../self-test/index.ts";
import type { Tree } from "../tree.ts";
import { joinPath } from "../trees/index.ts";

/** Stands in prompts, payloads, messages and keys of services. */
export const CANARY = "qzCanaryqz";

export interface Subject {
  readonly title: string;
  readonly files: FixtureFiles;
  readonly places: readonly string[];
  readonly nowMs: number;
  readonly zone: string;
}

export async function corpus(): Promise<readonly Subject[]> {
  const { healthyFixtures, claudeDesktopTextFireAt, claudeDesktopTruncated, claudeDesktopWiped, claudeDesktopCleanedUp, claudeDesktopTwoStores } = fixtures;
  const ill = [claudeDesktopTextFireAt(), claudeDesktopTruncated(), claudeDesktopWiped(), claudeDesktopCleanedUp(), claudeDesktopTwoStores()];
  const subjects = [...healthyFixtures(), ...ill].map(subjectOf);
  for (const { bad } of fixtureTrees()) {
    const { title, tree, places, nowMs, zone } = await bad();
    subjects.push({ title, files: planted(await filesOf(tree, "/")), places, nowMs, zone });
  }
  return [...new Map(subjects.map((subject) => [subject.title, subject])).values()];
}

function subjectOf({ title, files, places }: Fixture): Subject {
  return { title, files: planted(files), places, nowMs: FIXTURE_NOW_MS, zone: FIXTURE_ZONE };
}

function planted(files: FixtureFiles): FixtureFiles {
  return Object.fromEntries(
    Object.entries(files).map(([path, entry]) => {
      if (typeof entry === "string") return [path, withCanary(entry)];
      return "content" in entry && typeof entry.content === "string" ? [path, { ...entry, content: withCanary(entry.content) }] : [path, entry];
    }),
  );
}

/** The fixtures say of every text that is private that it is invented; a key of a service is put beside each id. */
function withCanary(text: string): string {
  return text
    .replaceAll(/invented|automated run/g, CANARY)
    .replaceAll(/"id": "/g, `"apiKey": "${CANARY}", "id": "`);
}

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

async function filesOf(tree: Tree, folder: string): Promise<FixtureFiles> {
  const files: FixtureFiles = {};
  for (const { name, kind } of await tree.list(folder)) {
    const path = joinPath(folder, name);
    if (kind === "directory") Object.assign(files, { [`${path}/`]: "" }, await filesOf(tree, path));
    if (kind !== "file") continue;
    const { size, modifiedAtMs, bornAtMs } = await tree.stat(path);
    const content = new TextDecoder().decode(await tree.readRange(path, 0, size));
    files[path] = { content, modifiedAtMs, ...(bornAtMs === undefined ? {} : { bornAtMs }) };
  }
  return files;
}
