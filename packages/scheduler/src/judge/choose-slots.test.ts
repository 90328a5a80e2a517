import { describe, expect, it } from "vitest";
import { ON_TIME_GRACE_MS, chooseSlots } from "./index.ts";

const now = Date.parse("2026-07-13T05:00:30Z");
const onTime = Date.parse("2026-07-13T05:00:00Z");
const late = [onTime - 2 * 86_400_000, onTime - 86_400_000];

describe("the slots that lie behind", () => {
  it("are all run, oldest first, under each-missed", () => {
    expect(chooseSlots([...late, onTime], now, "each-missed")).toEqual({ run: [...late, onTime], discarded: [] });
  });

  it("run as one under latest-once, the newest, even when it is on time", () => {
    expect(chooseSlots(late, now, "latest-once")).toEqual({ run: [late[1]], discarded: [late[0]] });
    expect(chooseSlots([...late, onTime], now, "latest-once")).toEqual({ run: [onTime], discarded: late });
  });

  it("are discarded under none, except what is on time", () => {
    expect(chooseSlots([...late, onTime], now, "none")).toEqual({ run: [onTime], discarded: late });
  });

  it("are on time up to the grace and late beyond it", () => {
    expect(chooseSlots([onTime], onTime + ON_TIME_GRACE_MS, "none").run).toEqual([onTime]);
    expect(chooseSlots([onTime], onTime + ON_TIME_GRACE_MS + 1, "none").run).toEqual([]);
  });

  it("may be none", () => {
    for (const policy of ["none", "latest-once", "each-missed"] as const) {
      expect(chooseSlots([], now, policy)).toEqual({ run: [], discarded: [] });
    }
  });
});
