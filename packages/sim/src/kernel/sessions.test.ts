import type { Sessions } from "@casebook/ports";
import { sessionsContract } from "@casebook/ports/contract";
import { describe, expect, it } from "vitest";
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

async function inWorld(options: RuntimeOptions, work: (sessions: Sessions, clock: { sleep(ms: number): Promise<unknown> }) => Promise<void>, play = {}) {
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
