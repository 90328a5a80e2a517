/** The state in memory and on disk, changed one step at a time; memory follows only what the disk took. */
import { type CommitPorts, removeStaleTemporaries } from "@casebook/file-commit";
import type { Ports } from "@casebook/ports";
import { describeFailure } from "./records.ts";
import { MAX_STATE_BYTES, MAX_STATE_FILE_BYTES } from "./policies.ts";
import { createSerial } from "./serial.ts";
import { EMPTY_STATE, type RememberedSlot, type SchedulerState, withSlots, readState, writeState } from "./state.ts";

export type LoadAnswer =
  | { readonly outcome: "loaded"; readonly memory: "first" | "recorded" | "corrupt" }
  | {
      readonly outcome: "failed";
      readonly problemOutcome: "state-unreadable" | "state-unsupported";
      readonly problem: { readonly code: string; readonly message: string };
    };

export interface StateStore {
  /** Reads the file once; asks again only after a failure. */
  load(): Promise<LoadAnswer>;
  /** Decides on the state as it is when its turn comes, and writes the new one. After a failure the state is the old one. */
  replace<T extends { readonly state: SchedulerState }>(
    decide: (state: SchedulerState) => T,
  ): Promise<{ readonly outcome: "written"; readonly decision: T } | { readonly outcome: "failed"; readonly failure: unknown }>;
  /**
   * Writes how far one slot got. Marks that come while a write is going on share the next one. Rejects as the disk does; the
   * slot is where it was then.
   */
  mark(key: string, slot: RememberedSlot): Promise<void>;
}

export function createStateStore(
  ports: CommitPorts & Pick<Ports, "log">,
  path: string,
  slotKey: "task-and-slot" | "none",
): StateStore {
  const inTurn = createSerial();
  let state = EMPTY_STATE;
  let loaded: LoadAnswer | undefined;
  /** What waits for the next write of marks, and that write. */
  let marks: (readonly [string, RememberedSlot])[] = [];
  let marking: Promise<void> | undefined;

  async function load(): Promise<LoadAnswer> {
    const answer = await readState(ports, path);
    switch (answer.health) {
      case "absent":
        return { outcome: "loaded", memory: "first" };
      case "corrupt":
        return setAside();
      case "unsupported":
        return failed("state-unsupported", "STATE_UNSUPPORTED", answer.message);
      case "unreadable":
        return failed("state-unreadable", answer.code, answer.message);
      case "healthy":
        state = slotKey === "none" ? { ...EMPTY_STATE, lastPassMs: answer.state.lastPassMs } : answer.state;
        return { outcome: "loaded", memory: "recorded" };
    }
  }

  /** Of schedulers that died in the middle of a write. They cost room and no slot, so a disk that refuses stops nothing. */
  async function removeLeftovers(): Promise<void> {
    try {
      const { removed, refused } = await removeStaleTemporaries(ports, path);
      if (removed.length > 0) ports.log.write("info", "scheduler.leftovers-removed", { path, removed: removed.length });
      if (refused.length > 0) ports.log.write("warning", "scheduler.leftovers-stay", { path, stay: refused.length, code: refused[0]?.errno ?? "" });
    } catch (failure) {
      ports.log.write("warning", "scheduler.leftovers-stay", { path, ...describeFailure(failure, "STATE_UNREADABLE") });
    }
  }

  /** The bytes are kept for a person; what they meant is lost, so this is a first start. */
  async function setAside(): Promise<LoadAnswer> {
    try {
      await ports.disk.rename(path, `${path}.${ports.ids.next("corrupt")}`);
      return { outcome: "loaded", memory: "corrupt" };
    } catch (failure) {
      return failed("state-unreadable", describeFailure(failure, "STATE_UNREADABLE").code, "the corrupt state file could not be set aside");
    }
  }

  function failed(problemOutcome: "state-unreadable" | "state-unsupported", code: string, what: string): LoadAnswer {
    const message =
      `${code}: the scheduler's state at ${path} cannot be used: ${what}. Without it nobody can say which slots ran, ` +
      "so nothing is dispatched. Repair the file, and what was missed is caught up; remove it, and this becomes a first start.";
    return { outcome: "failed", problemOutcome, problem: { code, message } };
  }

  async function write(next: SchedulerState, maxBytes: number): Promise<void> {
    const kept = slotKey === "none" ? { ...EMPTY_STATE, lastPassMs: next.lastPassMs } : next;
    await writeState(ports, path, kept, maxBytes);
    state = next;
  }

  function writeMarks(): Promise<void> {
    const batch = marks;
    marks = [];
    marking = undefined;
    return write(withSlots(state, batch), MAX_STATE_FILE_BYTES);
  }

  return {
    async load() {
      if (loaded?.outcome === "loaded") return loaded;
      loaded = await load();
      if (loaded.outcome === "loaded") await removeLeftovers();
      return loaded;
    },
    replace: (decide) =>
      inTurn(async () => {
        const decision = decide(state);
        try {
          await write(decision.state, MAX_STATE_BYTES);
        } catch (failure) {
          return { outcome: "failed", failure };
        }
        return { outcome: "written", decision };
      }),
    mark(key, slot) {
      marks.push([key, slot]);
      return (marking ??= inTurn(writeMarks));
    },
  };
}
