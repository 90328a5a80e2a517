/** What the trace of an execution holds, and that writing it down changes nothing. */
import { describe, expect, it } from "vitest";
import { asynchronousRunner, macrotasks } from "@casebook/sim/kernel";
import { asksTwice, tracedRun, writesOneFile } from "../diagram/small-systems.fixture.ts";
import { playAlone } from "../replay.ts";
import { simulationOf } from "../search.ts";
import { staying } from "../strategies.ts";
import { Watch } from "./watch.ts";

const STOPPED = [{ at: "bridge.after-start", kind: "stop-continue" as const, forMs: 1_500 }];

describe("a trace", () => {
  it("has the same hash as the execution that nobody watched", async () => {
    const { execution } = simulationOf(asksTwice(), { choose: staying }, STOPPED);
    await playAlone(execution, asynchronousRunner(macrotasks));
    expect((await tracedRun(asksTwice(), STOPPED)).hash).toBe(execution.hash());
  });

  it("says of each step who, when, on what, why, and out of how many", async () => {
    const trace = await tracedRun(asksTwice(), STOPPED);
    expect(trace.steps[3]).toEqual({
      number: 4, atMs: 0, process: "bridge", host: "bridge", life: 1, operation: "faults.reach", object: "bridge.after-start",
      outcome: "held", detail: "", cause: 3, options: 1, taken: 0, fired: [0], isHealing: false,
    });
    // The first two calls were made at the start; a delivery is made by its sending.
    expect(trace.steps.slice(0, 3).map(({ operation, cause }) => [operation, cause])).toEqual([["network.send", 0], ["network.deliver", 1], ["network.receive", 0]]);
    expect(trace.steps.filter(({ number, cause }) => cause >= number)).toEqual([]);
    expect(trace.steps.filter(({ options }) => options > 1)).toHaveLength(trace.choices.length);
    expect(trace.steps.filter(({ options }) => options > 1).map(({ taken }) => taken)).toEqual(trace.choices);
  });

  it("says what became of each process, and at which step", async () => {
    const { changes, processes, ending, faults } = await tracedRun(asksTwice(), STOPPED);
    expect(changes).toEqual([
      { step: 0, process: "bridge", status: "running", life: 1 },
      { step: 0, process: "client", status: "running", life: 1 },
      { step: 4, process: "bridge", status: "stopped", life: 1 },
      { step: 7, process: "bridge", status: "running", life: 1 },
      { step: expect.any(Number) as number, process: "client", status: "ended", life: 1 },
    ]);
    expect(processes).toEqual([
      { name: "bridge", host: "bridge", isDaemon: true, lives: 1, status: "running" },
      { name: "client", host: "client", isDaemon: false, lives: 1, status: "ended" },
    ]);
    expect(ending).toEqual({ how: "finished", says: "" });
    expect(faults).toEqual([{ armed: STOPPED[0], text: "stop-continue at bridge.after-start for 1500 ms", fired: 1 }]);
  });

  it("says of each step in which life of its process it was taken", async () => {
    const { steps } = await tracedRun({ ...asksTwice(), healMs: 60_000 }, [{ at: "bridge.after-start", kind: "kill-restart", forMs: 100 }]);
    const lives = steps.filter(({ process }) => process === "bridge").map(({ operation, life }) => [operation, life]);
    expect(lives.slice(0, 3)).toEqual([["network.deliver", 1], ["network.receive", 1], ["faults.reach", 1]]);
    expect(lives.at(-1)).toEqual([expect.any(String), 2]);
  });

  it("says after which step what of a disk was pending, also behind a power loss, and nothing where nothing is forgotten", async () => {
    const { disks } = await tracedRun(writesOneFile(), [{ at: "step", process: "writer", nth: 2, kind: "power-loss" }]);
    expect(disks).toEqual([
      { step: 1, host: "box", pending: ["create /a"] },
      { step: 2, host: "box", pending: ["create /a", "write 3 bytes at 0 of /a"] },
      // What the power loss left, whatever that is, is durable.
      { step: 3, host: "box", pending: [] },
    ]);
    expect((await tracedRun(writesOneFile("kill"))).disks).toEqual([]);
  });

  it("keeps what waited and what the facts were after the step that was asked for", async () => {
    const watch = new Watch(2);
    const { execution } = simulationOf(asksTwice(), { choose: staying }, STOPPED, undefined, false, watch);
    await playAlone(execution, asynchronousRunner(macrotasks));
    expect(watch.moment).toEqual({ step: 2, waiting: ["bridge: network.receive can be next"], facts: { starts: 0 } });
  });
});
