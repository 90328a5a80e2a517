/** The guard for case 015: what two files declare is a conflict in every order of the listing, and nobody's but theirs. */
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { lastFolder, lastListed, oneOfEach, repro, watchedFolders, watchedSources } from "./repro.ts";

const system = subject(repro);

describe("case 015: two files declare one task", () => {
  it("shows the lie: in one listing the notes are published, in another they are not, and both are green", async () => {
    const { facts } = await play(repro, lastListed);
    expect(facts).toMatchObject({ started: ["Do not publish the notes.", "Publish the notes."], reported: 0, alarms: [] });
    expect(facts.winners).toHaveLength(2);
  });

  it("shows that going through the folders in one order is a rule as well, that nobody made", async () => {
    const { facts } = await play(repro, lastFolder);
    expect(facts).toMatchObject({ started: [], reported: 0 });
    expect(facts.winners).toHaveLength(2);
  });

  protects("reads the same files in the same way, byte for byte, in every order", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ orders: 6, readings: 1, winners: [] });
  });

  protects("starts neither of two texts, keeps both, and says that they are a conflict", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ started: [], kept: 6, conflicts: ["two-sources"], reported: 6 });
  });

  protects("does not pick between two folders either", async () => {
    const { facts } = await system.play({ desk: "two-folders" });
    expect(facts).toMatchObject({ readings: 1, winners: [], conflicts: ["two-locations"], reported: 6, kept: 6 });
  });

  it("stops only the task that it is about, before the fix and after it", async () => {
    expect((await play(repro, lastListed)).facts.neighbours).toBe(6);
    expect((await system.play()).facts.neighbours).toBe(6);
  });

  it("alarms on a winner, and is quiet where each task has one file", async () => {
    expect((await play(repro, watchedSources)).facts.alarms).toEqual(["dispatch/split-state", "dispatch/two-jobs"]);
    expect((await play(repro, watchedFolders)).facts.alarms).toEqual(["dispatch/split-state"]);
    expect((await play(repro, oneOfEach)).facts).toMatchObject({ started: ["Publish the notes."], alarms: [] });
  });
});
