/** A loop that says when it turned and when it last succeeded: what a file that is old, or ahead of now, says. */
import { describe, expect, it } from "vitest";
import { type Fixture, hermesHealthy, iso, withFile } from "../presets/fixtures/index.ts";
import { edited, look } from "./look.fixture.ts";

const CRON = "/home/ada/.hermes/cron";
const HOUR_MS = 3_600_000;
const healthy = hermesHealthy();
/** Both markers say this instant. */
const turnedAt = (instant: string, fixture: Fixture = healthy): Fixture => {
  const seconds = String(iso(instant) / 1_000);
  return withFile(withFile(fixture, `${CRON}/ticker_heartbeat`, seconds, ""), `${CRON}/ticker_last_success`, seconds, "");
};
const heartbeat = { only: ["heartbeat/loops-without-success"] };
const off = (fixture: Fixture): Fixture => ({ ...fixture, files: edited(fixture.files, fixture.registry, (text) => text.replaceAll('"enabled": true', '"enabled": false')) });

/** The hourly task last ran at four; the registry was written at eight all the same. */
const ran = withFile(healthy, `${CRON}/output/5f4e3d2c1b0a/2026-09-02_07-00-40.md`, undefined, "");
const stopped: Fixture = { ...ran, files: edited(ran.files, ran.registry, (text) => text.replaceAll("2026-09-02T07:00:12", "2026-09-02T04:00:12")) };

describe("a loop that has stopped", () => {
  it("alarms when work was due since, although its last turn was well", async () => {
    const { report, exit } = await look(turnedAt("2026-09-02T04:20:00Z", stopped), heartbeat);
    expect({ exit, what: report.findings.map(({ what, severity, confidence }) => [severity, confidence, what]) }).toEqual({
      exit: 1,
      what: [["alarm", "measured", "the loop has stopped: it last turned 220 min ago and last succeeded 220 min ago, and 3 slots of 2 enabled tasks came due since; more than 60 min is too long".replaceAll("220 min", "3.7 h")]],
    });
  });

  it("is inferred where nothing was written since: the machine may have slept", async () => {
    // Three hours after anything was written.
    const { report } = await look(healthy, { nowMs: iso("2026-09-02T11:00:00Z"), ...heartbeat });
    expect(report.findings.map(({ severity, confidence }) => [severity, confidence])).toEqual([["alarm", "inferred"]]);
  });

  it("is not told of an hour, of a success that is fresh, nor where nothing was due since or every task is off", async () => {
    const success = withFile(turnedAt("2026-09-02T04:20:00Z", stopped), `${CRON}/ticker_last_success`, String(iso("2026-09-02T07:59:00Z") / 1_000), "");
    for (const fixture of [turnedAt("2026-09-02T07:05:00Z", stopped), success, off(turnedAt("2026-09-02T04:20:00Z", stopped))]) {
      expect((await look(fixture, heartbeat)).report.findings).toEqual([]);
    }
    const rare: Fixture = { ...stopped, files: edited(stopped.files, stopped.registry, (text) => text.replace('"minutes": 60', '"minutes": 60000')) };
    expect((await look(turnedAt("2026-09-02T04:20:00Z", rare), heartbeat)).report.findings).toEqual([]);
  });
});

it("tells of a heartbeat and a success that lie ahead of now", async () => {
  const { report } = await look(turnedAt("2026-09-02T10:00:00Z"), { only: ["clock/skew"] });
  expect(report.findings.map(({ what }) => what)).toEqual([
    `2 of 7 past times lie ahead of now: heartbeat ${CRON}/ticker_heartbeat by 2.0 h, last success ${CRON}/ticker_last_success by 2.0 h`,
  ]);
  expect((await look(healthy, { nowMs: iso("2026-09-02T08:00:00Z") + HOUR_MS / 60, only: ["clock/skew"] })).report.findings).toEqual([]);
});
