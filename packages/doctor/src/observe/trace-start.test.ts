import { describe, expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { FIXTURE_NOW_MS, FIXTURE_ZONE, json, withFile, type Fixture } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import { observe } from "./observe.ts";
import { renamedStart } from "./trace-start.ts";

const AT = FIXTURE_NOW_MS;
const RUN_LOG = [{ pointer: "/runAtMs", unit: "epoch-ms" }, { pointer: "/ts", unit: "epoch-ms" }] as const;

describe("the start of a trace under another name", () => {
  it("is found beside a start that stands where it should", () => {
    expect(renamedStart({ runAtMsX: AT, ts: AT }, RUN_LOG)).toBe("/runAtMsX");
    expect(renamedStart({ run_at_ms: AT, ts: AT }, RUN_LOG)).toBe("/run_at_ms");
    expect(renamedStart({ runAtMs: AT, tsX: AT }, RUN_LOG)).toBe("/tsX");
  });

  it("is none where the layout's own fields are there, or another key is no moment or not like it", () => {
    expect(renamedStart({ runAtMs: AT, ts: AT, runAtMsX: AT }, RUN_LOG)).toBeUndefined();
    expect(renamedStart({ ts: AT, nextRunAtMs: AT, createdAt: AT }, RUN_LOG)).toBeUndefined();
    expect(renamedStart({ runAtMs: AT, tsX: 7 }, RUN_LOG)).toBeUndefined();
  });

  it("is damage of a session file that names its task, and of no conversation", async () => {
    const healthy = fixtures.claudeDesktopHealthy();
    const path = Object.keys(healthy.files).find((one) => one.includes("local_")) as string;
    const damage = async (session: Record<string, unknown>) => {
      const { layouts } = await observe(memoryTree(withSession(healthy, path, session).files), {
        places: healthy.places,
        presets: PRESETS,
        nowMs: FIXTURE_NOW_MS,
        machineZone: FIXTURE_ZONE,
      });
      return layouts[0]?.artefacts?.damaged.map(({ code, place }) => `${code} ${place.pointer ?? ""}`.trim());
    };
    expect(await damage({ scheduledTaskId: "triage", bornAt: AT })).toEqual(["STARTED_AT_RENAMED /bornAt"]);
    expect(await damage({ scheduledTaskId: "triage", title: "x" })).toEqual(["STARTED_AT_MISSING"]);
    expect(await damage({ title: "a conversation" })).toEqual([]);
  });
});

function withSession(fixture: Fixture, path: string, session: Record<string, unknown>): Fixture {
  return withFile(fixture, path, json(session), "another session");
}
