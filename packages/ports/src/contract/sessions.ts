/** Contract of the sessions port. What depends on how keys are treated is asked as the port itself declares it. */
import type { SessionRequest, Sessions } from "../sessions.ts";
import { codeOf, expectEqual, type ContractCase } from "./contract.ts";

const REQUEST: SessionRequest = { key: "key-1", task: "TASK-1", revision: "r1", agent: "DEV", attempt: "attempt-1", epoch: 1 };

export const sessionsContract: readonly ContractCase<Sessions>[] = [
  {
    name: "keeps what a session was started with, and lists it as running",
    async run(makePort) {
      const sessions = await makePort();
      const { id, outcome } = await sessions.start(REQUEST);
      const [listed, ...others] = await sessions.list();
      const { startedAtMs, ...rest } = listed as NonNullable<typeof listed>;
      expectEqual([outcome, others.length, Number.isInteger(startedAtMs)], ["started", 0, true], "outcome, others, whole milliseconds");
      expectEqual(sorted(rest), sorted({ ...REQUEST, id, status: "running" }), "the session");
      expectEqual(await sessions.status(id), "running", "status");
    },
  },
  {
    name: "counts a second start with one key as its keys say: once where they are honoured, twice elsewhere",
    async run(makePort) {
      const sessions = await makePort();
      const first = await sessions.start(REQUEST);
      const second = await sessions.start(REQUEST);
      const isHonoured = sessions.keys === "honoured";
      expectEqual(second.outcome, isHonoured ? "already-started" : "started", "outcome");
      expectEqual(second.id === first.id, isHonoured, "one id");
      expectEqual((await sessions.list()).length, isHonoured ? 1 : 2, "sessions");
    },
  },
  {
    name: "starts two sessions for two keys, also when all else is equal",
    async run(makePort) {
      const sessions = await makePort();
      const first = await sessions.start(REQUEST);
      const second = await sessions.start({ ...REQUEST, key: "key-2" });
      expectEqual([second.outcome, second.id === first.id], ["started", false], "outcome, one id");
    },
  },
  {
    name: "finds the first session of a key where keys are kept, also when it is over, and nothing for another key",
    async run(makePort) {
      const sessions = await makePort();
      expectEqual(await sessions.find("key-1"), undefined, "before the start");
      const { id } = await sessions.start(REQUEST);
      await sessions.cancel(id);
      const found = await sessions.find("key-1");
      expectEqual([found?.id, found?.status], sessions.keys === "none" ? [undefined, undefined] : [id, "cancelled"], "found");
      expectEqual(await sessions.find("key-2"), undefined, "another key");
    },
  },
  {
    name: "refuses a key that stands for another task where keys are honoured, and starts nothing",
    async run(makePort) {
      const sessions = await makePort();
      await sessions.start(REQUEST);
      const code = await codeOf(sessions.start({ ...REQUEST, task: "TASK-2" }));
      const isHonoured = sessions.keys === "honoured";
      expectEqual([code, (await sessions.list()).length], isHonoured ? ["SESSION_KEY_CONFLICT", 1] : ["resolved", 2], "code, sessions");
    },
  },
  {
    name: "refuses an empty key, which would make strangers one intent",
    async run(makePort) {
      const sessions = await makePort();
      expectEqual([await codeOf(sessions.start({ ...REQUEST, key: "" })), (await sessions.list()).length], ["SESSION_KEY_EMPTY", 0], "code, sessions");
    },
  },
  {
    name: "says absent of a session that it never started, and cancels none",
    async run(makePort) {
      const sessions = await makePort();
      expectEqual([await sessions.status("session-0"), await sessions.cancel("session-0")], ["absent", "absent"], "answers");
    },
  },
];

function sorted(value: object): [string, unknown][] {
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}
