import { type Clock, type Sessions, withinDeadline } from "@casebook/ports";
import { sessionsContract } from "@casebook/ports/contract";
import { describe, expect, it } from "vitest";
import type { ArmedFault } from "./armed-fault.ts";
import { playOut } from "./play-out.fixture.ts";
import { SESSION_STARTED, type RuntimeOptions, type RuntimeState } from "./sessions.ts";

const REQUEST = { key: "key-1", task: "TASK-1", revision: "r1", agent: "DEV", attempt: "attempt-1", epoch: 1 };

describe.each(["honoured", "recorded", "none"] as const)("the sessions of a world in which keys are %s", (keys) => {
  for (const { name, run } of sessionsContract) it(name, () => inWorld({ keys }, (sessions) => run(async () => sessions)));
});

describe("a session", () => {
  it("was started although its answer was lost, and is found by its key", async () => {
    let found: string | undefined;
    const { states } = await inWorld(
      {},
      async (sessions) => {
        await expect(sessions.start(REQUEST)).rejects.toThrow(/^ETIMEDOUT/);
        found = (await sessions.find("key-1"))?.status;
      },
      { faults: [{ at: SESSION_STARTED, kind: "error", errno: "ETIMEDOUT" }] },
    );
    expect([found, states[0]?.status]).toEqual(["running", "ended"]);
  });

  it("outlives the process that started it, whose answer never comes", async () => {
    const { runtime, states } = await inWorld({}, async (sessions) => void (await sessions.start(REQUEST)), { faults: [{ at: SESSION_STARTED, kind: "kill" }] });
    expect([states[0]?.status, runtime.sessions(0).map(({ status }) => status)]).toEqual(["killed", ["running"]]);
  });

  it("is started when its call arrives, whether or not its caller still waits", async () => {
    const seen: unknown[] = [];
    const { runtime, states } = await inWorld(
      {},
      async (sessions, clock) => {
        const started = withinDeadline(clock, 1_000, sessions.start(REQUEST));
        seen.push(await started, (await sessions.list()).length);
        await clock.sleep(4_000);
        seen.push((await sessions.list()).length);
      },
      { faults: [{ at: "sessions.start", kind: "slow", forMs: 5_000 }] },
    );
    expect([seen, states[0]?.status, runtime.sessions(0).length]).toEqual([[{ outcome: "deadline" }, 0, 1], "ended", 1]);
  });

  it("is started by a call of which nobody hears, and by none that never arrives", async () => {
    const started = async (fault: ArmedFault): Promise<unknown[]> => {
      const seen: unknown[] = [];
      const { states } = await inWorld({}, async (sessions, clock) => void seen.push(await withinDeadline(clock, 1_000, sessions.start(REQUEST)), (await sessions.find("key-1"))?.status), { faults: [fault] });
      return [...seen, states[0]?.status];
    };
    expect(await started({ at: SESSION_STARTED, kind: "hold" })).toEqual([{ outcome: "deadline" }, "running", "ended"]);
    expect(await started({ at: "sessions.start", kind: "hang" })).toEqual([{ outcome: "deadline" }, undefined, "ended"]);
  });

  it("says nothing where a call is refused in its place, and loses the caller that dies at a call before the call", async () => {
    const codes: string[] = [];
    await inWorld({}, async (sessions) => void codes.push(await sessions.status("session-0").catch(({ code }: { code: string }) => code), await sessions.status("session-0")), { faults: [{ at: "sessions.status", kind: "error", errno: "ECONNRESET" }] });
    const { runtime, states } = await inWorld({}, async (sessions) => void (await sessions.start(REQUEST)), { faults: [{ at: "sessions.start", kind: "kill" }] });
    expect([codes, states[0]?.status, runtime.sessions(0)]).toEqual([["ECONNRESET", "absent"], "killed", []]);
  });

  it.each(["ended", "failed"] as const)("ends by itself after its time, as %s, and cannot be cancelled then", async (endsAs) => {
    const seen: string[] = [];
    await inWorld({ runsForMs: 1_000, endsAs }, async (sessions, clock) => {
      const { id } = await sessions.start(REQUEST);
      await clock.sleep(999);
      seen.push(await sessions.status(id));
      await clock.sleep(1);
      seen.push(await sessions.status(id), await sessions.cancel(id));
    });
    expect(seen).toEqual(["running", endsAs, endsAs]);
  });

  it("stays as it was started when its starter changes the request afterwards", async () => {
    const request = { ...REQUEST };
    const { runtime } = await inWorld({}, async (sessions) => {
      const started = sessions.start(request);
      request.task = "TASK-2";
      await started;
    });
    expect(runtime.sessions(0)[0]?.task).toBe("TASK-1");
  });
});

async function inWorld(options: RuntimeOptions, work: (sessions: Sessions, clock: Clock) => Promise<void>, play = {}) {
  let runtime!: RuntimeState;
  let failure: { thrown: unknown } | undefined;
  const played = await playOut((space) => {
    runtime = space.sessions("runtime", options);
    space.process("starter", async (ports) => {
      await work(ports.sessions(runtime), ports.clock).catch((thrown: unknown) => void (failure = { thrown }));
    });
  }, play);
  if (failure !== undefined) throw failure.thrown;
  return { ...played, runtime };
}
