import { describe, expect, it } from "vitest";
import { decideRecovery, type RuntimeSays } from "./recover.ts";

const decide = (says: RuntimeSays, session?: string): string => {
  const { outcome, mayDecide } = decideRecovery({ session, claims: 2, status: session === undefined ? "claimed" : "running" }, says, ["LEAD"]);
  return `${outcome}, ${mayDecide}`;
};

describe("a recovery decides", () => {
  it.each<readonly [RuntimeSays, string, string]>([
    ["running", "continue, the dispatcher", "continue, the dispatcher"],
    ["ended", "continue, the dispatcher", "continue, the dispatcher"],
    ["failed", "stop, LEAD", "stop, LEAD"],
    ["cancelled", "stop, LEAD", "stop, LEAD"],
    // Without a session on record and without one at the runtime, nothing was started. With one on record, something is wrong.
    ["none", "retry, the dispatcher", "needs-human, LEAD"],
    ["unknowable", "needs-human, LEAD", "needs-human, LEAD"],
  ])("when the runtime says %s: %s without a session on record, %s with one", (says, without, withOne) => {
    expect([decide(says), decide(says, "s1")]).toEqual([without, withOne]);
  });
});
