/** When the clocks change, for each zone and span by itself: what was asked before is remembered. */
import { describe, expect, it } from "vitest";
import { clockChanges } from "./clock-changes.ts";

const NEW_YEAR = Date.parse("2026-01-01T00:00:00Z");
const APRIL = Date.parse("2026-04-01T00:00:00Z");
const JULY = Date.parse("2026-07-01T00:00:00Z");
const spoken = (zone: string, fromMs: number, toMs?: number) => clockChanges(zone, fromMs, toMs).map(({ atMs, jumpMs }) => `${new Date(atMs).toISOString()} ${jumpMs / 60_000} min`);

const BERLIN = ["2026-03-29T01:00:00.000Z 60 min", "2026-10-25T01:00:00.000Z -60 min"];
// Half an hour, and the other way round.
const LORD_HOWE = ["2026-04-04T15:00:00.000Z -30 min", "2026-10-03T15:30:00.000Z 30 min"];

describe("the changes of the clocks", () => {
  it.each(["first", "again"])("are those of the zone and of the span that were asked for: %s", () => {
    expect(spoken("Europe/Berlin", NEW_YEAR)).toEqual(BERLIN);
    expect(spoken("Australia/Lord_Howe", NEW_YEAR)).toEqual(LORD_HOWE);
    expect(spoken("Europe/Berlin", NEW_YEAR, JULY)).toEqual(BERLIN.slice(0, 1));
    expect(spoken("Europe/Berlin", APRIL, JULY)).toEqual([]);
    expect(spoken("Europe/Berlin", JULY)[0]).toEqual(BERLIN[1]);
    expect(spoken("Asia/Tokyo", NEW_YEAR)).toEqual([]);
    expect(spoken("Nowhere/Land", NEW_YEAR)).toEqual([]);
  });

  it("are the same when more was asked meanwhile than is remembered", () => {
    for (let hour = 1; hour <= 250; hour += 1) clockChanges("Asia/Tokyo", NEW_YEAR, NEW_YEAR + hour);
    expect(spoken("Europe/Berlin", NEW_YEAR)).toEqual(BERLIN);
  });
});
