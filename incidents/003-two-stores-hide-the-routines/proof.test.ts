/** What case 003 rests on: other numbers, the operator's cell, the mutants of its guards, and how they could be fooled. */
import { registryOrphanPrompts, registryParity, registrySplitBrain } from "@casebook/guards";
import { readStores } from "@casebook/registry/stores";
import { firstDifference, play } from "@casebook/repro";
import { createWorld, type Volume } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { after, alarmsOver, before, disk, idOf, nameTaken, repro, sameName, STORES, union, watched, whole } from "./repro.ts";

const storeOf = (account: string) => `${STORES.path}/${account}/workspace-1/${STORES.file}`;
const idsFrom = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => idOf(first - 1 + index));

async function storesOn(volume: Volume) {
  const world = createWorld({ seed: 1, epoch: repro.epoch, volume });
  return world.run((ports) => readStores(ports, STORES, "quarantine-entry"));
}

describe("the mechanism of case 003", () => {
  it("is not a matter of 269 and 23: of nine prompts with four registered, five are orphans", async () => {
    const numbers = { prompts: 9, registered: 4 };
    expect((await play(repro, before, numbers)).facts).toMatchObject({ visible: 4, fired: 4 });
    expect((await play(repro, after, numbers)).facts).toMatchObject({ visible: 0, fired: 0, complaints: 0 });
    expect((await play(repro, union, numbers)).facts).toMatchObject({ visible: 4, fired: 0, orphans: "5 (routine-005 .. routine-009)" });
  });

  it("names every one of the 246, and not only the first and the last", async () => {
    const { orphans, registered } = await storesOn(disk(after.with));
    expect(orphans).toEqual(idsFrom(24, 269));
    expect(registered).toEqual(idsFrom(1, 23));
  });

  it("is undone by signing in again: nothing was lost but the sight of it", async () => {
    const { volume } = await play(repro, after);
    const back = await play(repro, { ...before, disk: volume });
    // A world starts at its epoch, so eight o'clock is still to come.
    expect(back.facts).toMatchObject({ visible: 23, fired: 23 });
  });

  it("starts nothing by listing more: what runs is the account that is signed in", async () => {
    expect((await play(repro, union)).facts).toMatchObject({ visible: 23, fired: 0 });
  });

  it("loses the first account's prompt to a routine of the same name, and says `made`", async () => {
    const { facts, volume } = await play(repro, sameName);
    expect(facts).toMatchObject({ answer: "made", overwritten: ["routine-001"], complaints: 0 });
    expect(volume().readFileSync(`${STORES.promptsPath}/routine-001/SKILL.md`, "utf8")).toContain("as account-2 wrote it");
    expect((await play(repro, nameTaken)).facts.overwritten).toEqual([]);
  });

  it("refuses a name whose prompt is left although nobody registers it any more", async () => {
    const { facts } = await play(repro, nameTaken, { registered: 0 });
    expect(facts.answer).toBe("refused: routine-001 has a prompt already, and it would be lost");
  });

  it("leaves one session file for every routine that ran, beside the registry of its account", async () => {
    const { volume } = await play(repro, before, { prompts: 3, registered: 2 });
    const names = volume().readdirSync(`${STORES.path}/account-1/workspace-1`) as string[];
    expect(names.toSorted()).toEqual(["local_session-1.json", "local_session-2.json", "scheduled-tasks.json", "scheduler-state.json"]);
  });

  it("gives another trace when one byte of its input is another", async () => {
    const { traceHash } = await play(repro, after);
    const volume = () => {
      const changed = disk(after.with);
      const text = changed.readFileSync(storeOf("account-2"), "utf8") as string;
      changed.writeFileSync(storeOf("account-2"), text.replace("recordedSkips", "recordedSkipz"));
      return changed;
    };
    const other = await play(repro, { ...after, disk: volume });
    expect(firstDifference(after.expect, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(traceHash);
  });
});

describe("the guards over all stores", () => {
  it("alarm in the operator's cell: the program looks at its own store, and somebody reads all of them", async () => {
    const { facts } = await play(repro, watched);
    expect(facts).toMatchObject({ visible: 0, alarms: ["registry/orphan-prompts", "registry/parity"] });
    const orphans = idsFrom(24, 269);
    expect(registryOrphanPrompts({ promptFolders: 269, registered: 23, orphans })?.message).toBe(
      "246 of 269 prompts are in no registry (23 entries read): routine-024, routine-025, routine-026 and 243 more",
    );
    expect(registryParity({ onDisk: 23, loaded: 0, quarantined: 0 })?.message).toBe(
      "0 of 23 tasks on disk loaded, 0 quarantined, 23 dropped",
    );
  });

  it("still alarm without a single orphan, because 23 routines of another account do not run either", async () => {
    expect((await play(repro, union, { prompts: 23 })).facts).toMatchObject({ orphans: "0", alarms: ["registry/parity"] });
  });

  it("still alarm for the account that has them all, because the orphans were there before the change", async () => {
    expect((await play(repro, before, { watcher: "guards" })).facts.alarms).toEqual(["registry/orphan-prompts"]);
  });

  it("alarm on a name in two stores that disagree about it", async () => {
    const { facts } = await play(repro, sameName);
    expect(facts.alarms).toEqual(["registry/orphan-prompts", "registry/parity", "registry/split-brain"]);
    const shared = [{ taskId: "routine-001", stores: 2, agree: false }];
    const stores = [{ store: "account-1/workspace-1", entries: 23 }, { store: "account-2/workspace-1", entries: 1 }];
    expect(registrySplitBrain({ stores, shared })).toMatchObject({
      severity: "alarm",
      message: "2 of 2 stores hold tasks (23 and 1), 1 in two of them, 1 of these disagree: routine-001",
    });
  });

  it("do not call a prompt an orphan while a store cannot be read: that check has not run", async () => {
    const volume = disk(after.with);
    volume.writeFileSync(storeOf("account-2"), "{");
    const stores = await storesOn(volume);
    expect(stores.orphans).toBeUndefined();
    expect(alarmsOver(stores, "account-2")).toEqual(["not run: registry/orphan-prompts", "registry/parity"]);
  });

  it("are silent on the control", async () => {
    expect((await play(repro, whole)).facts.alarms).toEqual([]);
  });

  it("would be noticed if one never alarmed, and if one always did", () => {
    const tells = (guard: (orphans: readonly string[]) => unknown) => guard(["routine-024"]) !== undefined && guard([]) === undefined;
    expect(tells((orphans) => registryOrphanPrompts({ promptFolders: 24, registered: 23, orphans }))).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "registry/orphan-prompts" }))).toBe(false);
  });

  it("are fooled by whoever signs in to an account that has as many routines of its own under the same names", async () => {
    const volume = disk(whole.with);
    volume.writeFileSync(storeOf("account-2"), volume.readFileSync(storeOf("account-1")));
    const stores = await storesOn(volume);
    // Parity compares numbers; only the split is left to say so, and no louder than for two accounts on purpose.
    expect(alarmsOver(stores, "account-2")).toEqual(["warning: registry/split-brain"]);
  });
});
