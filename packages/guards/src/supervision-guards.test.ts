/** The five invariants of a run that is over, and the sixth: each alarms on its own kind of disorder only, and says how much of what. */
import { describe, expect, it } from "vitest";
import * as everyGuard from "./index.ts";
import {
  supervisionItemsTerminal,
  supervisionNoDescendantExecuting,
  supervisionNoOpenObligation,
  supervisionNothingHeld,
  supervisionOneTerminalRecord,
  supervisionStaleEpochWrite,
  supervisionUnknownArtefact,
  supervisionWaitCycle,
  supervisionWithinBudget,
} from "./index.ts";

const run = "run-1";
const knownCauses = ["completed", "deadline"];

describe("supervision/one-terminal-record", () => {
  it("is silent about one record with a known cause", () => {
    expect(supervisionOneTerminalRecord({ run, records: [{ writtenBy: "supervisor", cause: "deadline" }], knownCauses })).toBeUndefined();
  });

  it("alarms without a record, with two, and with a cause that nobody knows", () => {
    const says = (records: { writtenBy: string; cause: string }[]) => supervisionOneTerminalRecord({ run, records, knownCauses })?.message;
    expect(says([])).toBe("0 terminal records, 1 expected");
    expect(says([{ writtenBy: "supervisor", cause: "completed" }, { writtenBy: "operator", cause: "deadline" }])).toBe("2 terminal records, 1 expected: completed by supervisor, deadline by operator");
    expect(says([{ writtenBy: "supervisor", cause: "stopped" }])).toBe("1 terminal records, 1 expected, 1 with an unknown cause: stopped by supervisor");
  });
});

describe("supervision/no-descendant-executing", () => {
  it("is silent where all have ended, and names those that have not", () => {
    expect(supervisionNoDescendantExecuting({ run, begun: 5, executing: [] })).toBeUndefined();
    expect(supervisionNoDescendantExecuting({ run, begun: 5, executing: ["worker-2", "worker-4"] })?.message).toBe("2 of 5 processes still execute: worker-2, worker-4");
  });
});

describe("supervision/nothing-held", () => {
  const looked = { items: 15, locks: 3, slots: 8 };
  it("is silent where nothing is held", () => {
    expect(supervisionNothingHeld({ run, leases: [], locks: [], slots: [], looked })).toBeUndefined();
  });

  it.each([
    [{ leases: ["section-1"] }, "holds 1 of 15 leases, 0 of 3 locks, 0 of 8 worker slots: lease section-1"],
    [{ locks: ["vendor-1"] }, "holds 0 of 15 leases, 1 of 3 locks, 0 of 8 worker slots: lock vendor-1"],
    [{ slots: ["worker-1"] }, "holds 0 of 15 leases, 0 of 3 locks, 1 of 8 worker slots: slot worker-1"],
  ])("alarms on each of the three: %j", (held, message) => {
    expect(supervisionNothingHeld({ run, leases: [], locks: [], slots: [], ...held, looked })?.message).toBe(message);
  });
});

describe("supervision/no-open-obligation", () => {
  it("is silent where all are closed, and says who owes whom", () => {
    expect(supervisionNoOpenObligation({ run, obligations: 18, open: [] })).toBeUndefined();
    expect(supervisionNoOpenObligation({ run, obligations: 18, open: [{ debtor: "reader", creditor: "lead" }] })?.message).toBe("1 of 18 obligations are open: reader to lead");
  });
});

describe("supervision/items-terminal", () => {
  const done = { item: "a", status: "done", isTerminal: true, hasArtefact: true };
  it("is silent about done with an artefact, failed and dropped", () => {
    const items = [done, { item: "b", status: "failed", isTerminal: true, hasArtefact: false }, { item: "c", status: "dropped", isTerminal: true, hasArtefact: false }];
    expect(supervisionItemsTerminal({ run, items })).toBeUndefined();
  });

  it("alarms on one that is still claimed, and on one that is done with nothing behind it", () => {
    const items = [done, { item: "b", status: "claimed", isTerminal: false, hasArtefact: false }, { item: "c", status: "done", isTerminal: true, hasArtefact: false }];
    expect(supervisionItemsTerminal({ run, items })?.message).toBe("1 of 3 items are not terminal, 1 are done without an artefact: b is claimed, c is done without an artefact");
  });
});

describe("supervision/wait-cycle", () => {
  const facts = { run, waiting: 3, cycle: [], sinceMs: 0, nowMs: 180_000 };
  it("is silent where agents wait and nobody waits for himself in the end", () => {
    expect(supervisionWaitCycle(facts)).toBeUndefined();
  });

  it("alarms with its participants and since when it is closed", () => {
    expect(supervisionWaitCycle({ ...facts, cycle: ["reader", "writer"] })?.message).toBe("2 of 3 waiting agents wait in a circle for 3 min: reader for writer for reader");
  });
});

describe("supervision/within-budget", () => {
  it("is silent up to the limit, and alarms above it", () => {
    const counters = [{ counter: "tokens", used: 100, limit: 100 }, { counter: "agents", used: 3, limit: 4 }];
    expect(supervisionWithinBudget({ run, counters })).toBeUndefined();
    expect(supervisionWithinBudget({ run, counters: [...counters, { counter: "toolCalls", used: 7, limit: 6 }] })?.message).toBe("1 of 3 budgets are overspent: 7 of 6 toolCalls");
  });
});

describe("supervision/stale-epoch-write", () => {
  const write = (what: string, epoch: number, isApplied = true, row = "items/part") => ({ row, what, by: `worker-${epoch}`, epoch, isApplied });
  it("is silent about claims one after the other, a late write that was refused, and an older epoch of another row", () => {
    expect(supervisionStaleEpochWrite({ writes: [write("claim", 1), write("claim", 2), write("finish", 1, false), write("finish", 2), write("claim", 1, true, "items/other")] })).toBeUndefined();
  });

  it("alarms on a write that was applied behind a later claim, by name and both epochs", () => {
    expect(supervisionStaleEpochWrite({ writes: [write("claim", 1), write("claim", 2), write("finish", 1)] })?.message).toBe("1 of 3 writes were applied under a replaced claim: finish of items/part by worker-1, epoch 1 behind 2");
  });
});

describe("supervision/unknown-artefact", () => {
  const item = (status: string, artefacts: number) => ({ item: "part", isDone: status === "done", status, artefacts });
  it("is silent about done with an artefact, done with an older one beside it, and open with none", () => {
    expect(supervisionUnknownArtefact({ run, items: [item("done", 1), item("done", 2), item("open", 0)] })).toBeUndefined();
  });

  it("alarms on an item that is not done and has an artefact", () => {
    expect(supervisionUnknownArtefact({ run, items: [item("done", 1), item("claimed", 1)] })?.message).toBe("1 of 2 items have an artefact in the store and are not done: part is claimed");
  });
});

describe("the family", () => {
  it("has a group above for each of its guards", () => {
    const tried = [supervisionItemsTerminal, supervisionNoDescendantExecuting, supervisionNoOpenObligation, supervisionNothingHeld, supervisionOneTerminalRecord, supervisionStaleEpochWrite, supervisionUnknownArtefact, supervisionWaitCycle, supervisionWithinBudget];
    const ids = Object.values(everyGuard).flatMap((value) => (typeof value === "function" && "about" in value ? [(value.about as { id: string }).id] : []));
    expect(tried.map(({ about }) => about.id).toSorted()).toEqual(ids.filter((id) => id.startsWith("supervision/")).toSorted());
  });
});
