import { describe, expect, it } from "vitest";
import type { Observation, RegistryObservation } from "../observation.ts";
import { FIXTURE_NOW_MS, FIXTURE_ZONE, json } from "../presets/fixtures/index.ts";
import { customPreset, PRESETS } from "../presets/index.ts";
import { memoryTree, type FixtureContent } from "../trees/memory-tree.ts";
import { observe } from "./observe.ts";

const PATH = "/data/jobs.yaml";
const YAML = `# what runs at night
jobs:
  - name: tide-table
    cron: "0 5 * * *"
    last: 2026-09-02T05:00:02Z
  - name: bell-ringer
    cron: 5
`;

async function look(content: FixtureContent, path = PATH): Promise<Observation> {
  const custom = customPreset({ registry: path, records: "/jobs", id: "/name", schedule: "/cron", lastRun: "/last" });
  if (custom.outcome !== "preset") throw new Error(custom.message);
  return observe(memoryTree({ [path]: content }), { places: [path], presets: [custom.preset], nowMs: FIXTURE_NOW_MS, machineZone: FIXTURE_ZONE });
}

async function registryOf(content: FixtureContent): Promise<RegistryObservation> {
  const { layouts } = await look(content);
  return layouts[0]?.registries[0] as RegistryObservation;
}

describe("a registry in YAML", () => {
  it("is read as the same registry in JSON is, with its own lines and columns", async () => {
    const { layouts } = await look(YAML);
    expect(layouts[0]?.registries[0]).toMatchObject({ path: PATH, outcome: "read", entries: 2, invalid: 1, duplicateKeys: [], encoding: [] });
    const [bell, tide] = layouts[0]?.tasks ?? [];
    expect(tide).toMatchObject({
      id: "tide-table",
      place: { path: PATH, line: 3, column: 5, pointer: "/jobs/0" },
      schedule: { kind: "cron", expression: "0 5 * * *" },
      lastRun: { atMs: Date.parse("2026-09-02T05:00:02Z"), place: { path: PATH, line: 5, column: 11, pointer: "/jobs/0/last" } },
    });
    expect(bell?.problems).toEqual([{ code: "CRON_EXPRESSION_INVALID", place: { path: PATH, line: 7, column: 11, pointer: "/jobs/1/cron" }, seen: "number 5", wanted: "non-empty text" }]);
    const inJson = json({ jobs: [{ name: "tide-table", cron: "0 5 * * *", last: "2026-09-02T05:00:02Z" }, { name: "bell-ringer", cron: 5 }] });
    const other = (await look(inJson, "/data/jobs.json")).layouts[0]?.tasks ?? [];
    const withoutPlaces = (value: unknown) => JSON.stringify(value, (key, inner: unknown) => (key === "place" || key === "registries" ? undefined : inner));
    expect(withoutPlaces(layouts[0]?.tasks)).toBe(withoutPlaces(other));
  });

  it("lists a repeated key with the place of the second, and takes the last", async () => {
    const { layouts } = await look(YAML.replace("cron: 5", 'cron: 5\n    cron: "0 3 * * *"'));
    expect(layouts[0]?.registries[0]?.duplicateKeys).toEqual([{ key: "/jobs/1/cron", place: { path: PATH, line: 8, column: 5, pointer: "/jobs/1/cron" } }]);
    expect(layouts[0]?.tasks[0]).toMatchObject({ id: "bell-ringer", schedule: { expression: "0 3 * * *" }, problems: [] });
  });

  it("calls a byte order mark harmless, because YAML allows it", async () => {
    const place = { path: PATH, line: 2, column: 1, pointer: "", byteOffset: 0 };
    expect(await registryOf(`\uFEFF${YAML}`)).toMatchObject({ outcome: "read", entries: 2, encoding: [{ code: "BYTE_ORDER_MARK", place, grade: "harmless" }] });
  });

  it("is not run, with the place and the reason, when it cannot be read", async () => {
    const missed = async (content: FixtureContent) => {
      const { layouts } = await look(content);
      const registry = layouts[0]?.registries[0];
      const place = registry?.problem?.place;
      const notRead = layouts[0]?.notRead[0];
      return [registry?.outcome, place?.line ?? place?.byteOffset, notRead?.reason, notRead?.message];
    };
    expect(await missed(`${YAML}---\njobs: []\n`)).toEqual([
      "unreadable", 8, "unsupported", `${PATH} could not be read as YAML: a second document begins here, and a file has one`,
    ]);
    expect(await missed(YAML.replace("    cron: 5", "\tcron: 5"))).toEqual([
      "unreadable", 7, "unsupported", `${PATH} could not be read as YAML: a tab stands where only spaces may indent`,
    ]);
    expect(await missed(YAML.replace("cron: 5", "cron: 0 5 * * *: x"))).toEqual([
      "unreadable", 7, "unsupported", `${PATH} could not be read as YAML: a key begins inside a value: a text with a colon in it needs quotes`,
    ]);
    for (const cron of ["*/5 * * * *", "* * * * *"]) {
      expect(await missed(YAML.replace("cron: 5", `cron: ${cron}`))).toEqual([
        "unreadable", 7, "unsupported", `${PATH} could not be read as YAML: a star begins an alias: a text that begins with one, as cron expressions do, needs quotes`,
      ]);
    }
    expect(await missed(`${YAML}\0\0\0`)).toEqual(["unreadable", 135, "unsupported", `${PATH} could not be read as YAML: 3 of 138 bytes, from byte 135, are NUL`]);
    expect(await missed(Uint8Array.of(0x61, 0x3a, 0x20, 0xff))).toEqual(["unreadable", 3, "unsupported", `${PATH} could not be read as YAML: byte 3 of 4 is not UTF-8`]);
    expect(await missed("# nothing yet\n")).toEqual(["empty", 1, "unsupported", `${PATH} could not be read as YAML: there is nothing in it`]);
    expect((await registryOf(`\0${YAML}`)).encoding).toEqual([{ code: "NUL_BYTES", place: { path: PATH, byteOffset: 0 }, grade: "fatal" }]);
  });

  it("of an unknown shape is a candidate with the command that would read it", async () => {
    const tree = memoryTree({ "/data/night/routines.yml": YAML.replace("cron: 5", 'cron: "0 3 * * *"'), "/data/other.yaml": "a: [1, 2]\n" });
    const { candidates, looked } = await observe(tree, { places: ["/data"], presets: PRESETS, nowMs: FIXTURE_NOW_MS, machineZone: FIXTURE_ZONE });
    expect(looked).toEqual([{ path: "/data", found: "candidate" }]);
    expect(candidates).toEqual([
      {
        path: "/data/night/routines.yml",
        pointer: "/jobs",
        objects: 2,
        keys: ["/name", "/cron"],
        tryThis: "casebook doctor /data/night/routines.yml --registry /data/night/routines.yml --records /jobs --id /name --schedule /cron",
      },
    ]);
  });
});
