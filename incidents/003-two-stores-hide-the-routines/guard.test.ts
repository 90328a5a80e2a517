/** The guards for case 003: prompts against every store, and every store against the one that runs. */
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { after, before, repro, watched, whole } from "./repro.ts";

const system = subject(repro);

describe("case 003: a morning after a change of account", () => {
  it("shows the loss: 23 routines are in the list and run, and after the change none, and nothing complains", async () => {
    const { facts } = await play(repro, before);
    expect(facts).toMatchObject({ prompts: 269, visible: 23, fired: 23 });
    expect((await play(repro, after)).facts).toMatchObject({ prompts: 269, visible: 0, fired: 0, complaints: 0, alarms: [] });
  });

  protects("lists the routines of every store, with the number that each store has", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ visible: 23, stores: ["account-1/workspace-1:23", "account-2/workspace-1:0"] });
  });

  protects("counts and names the prompts that no store registers", async () => {
    const { facts } = await system.play();
    expect(facts.orphans).toBe("246 (routine-024 .. routine-269)");
  });

  protects("alarms on the 246, and on 23 of which the account that is signed in runs none", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ fired: 0, alarms: ["registry/orphan-prompts", "registry/parity"] });
  });

  protects("refuses a name that another store has taken, because its prompt would be lost", async () => {
    const { facts } = await system.play({ makes: "same-name" });
    expect(facts.overwritten).toEqual([]);
    expect(facts.answer).toBe("refused: routine-001 is registered in account-1/workspace-1, and its prompt would be lost");
  });

  it("alarms beside the program that looks at its own store, and is quiet where nothing is lost", async () => {
    expect((await play(repro, watched)).facts).toMatchObject({ visible: 0, alarms: ["registry/orphan-prompts", "registry/parity"] });
    expect((await play(repro, whole)).facts).toMatchObject({ visible: 23, fired: 23, alarms: [] });
  });
});
