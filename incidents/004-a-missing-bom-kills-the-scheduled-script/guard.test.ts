/** The guard for case 004: the bytes of a script, and what its reader takes for a quote. */
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { everythingMarked, noMark, plain, repro, watched } from "./repro.ts";

const system = subject(repro);

describe("case 004: three nights of a script with a dash in it", () => {
  it("shows the silence: by hand the script runs, three nights end with 0x80070001 and an empty log, and all lights are green", async () => {
    const { facts } = await play(repro, noMark);
    expect(facts).toMatchObject({ byHand: "ran", started: 3, ran: 0, result: "0x80070001", log: 0, alarms: [] });
    expect(facts.lights).toEqual(["enabled", "next-run-ahead"]);
  });

  protects("runs every night, and logs what the script says", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ started: 3, ran: 3, result: "0x00000000", log: 12, asWritten: 12 });
  });

  protects("runs whatever letter stands in the string", async () => {
    const { facts } = await system.play({ double: "Änderung – ✓" });
    expect(facts).toMatchObject({ ran: 3, asWritten: 12, alarms: [] });
  });

  protects("runs with an arrow in a string in single quotes", async () => {
    const { facts } = await system.play({ double: "-", single: "from → to" });
    expect(facts).toMatchObject({ ran: 3, asWritten: 12, alarms: [] });
  });

  protects("runs on a machine with another code page", async () => {
    const { facts } = await system.play({ codePage: 1251, double: "Готово" });
    expect(facts).toMatchObject({ ran: 3, asWritten: 12, alarms: [] });
  });

  it("alarms at the dash, far from where the host reports its error, and is quiet on plain ASCII", async () => {
    expect((await play(repro, watched)).facts).toMatchObject({ reportedAt: "7:42", alarms: ["encoding/script-quotes@2:44"] });
    expect((await play(repro, plain)).facts).toMatchObject({ ran: 3, alarms: [] });
  });

  it("is not cured by marking every file: the reader of agent files sees none behind a mark", async () => {
    expect((await play(repro, everythingMarked)).facts).toMatchObject({ ran: 3, agents: 0, alarms: ["encoding/graded"] });
  });
});
