/** A supervisor of one agent: items in order, a deadline, and an end that is written once. It replaces no agent and counts no budget. */
import type { RunAccount, RunToSupervise, SupervisorAdapter, SupervisorAdapterPorts } from "@casebook/conformance";

interface Item {
  readonly id: string;
  readonly status: "open" | "claimed" | "done" | "dropped";
  readonly artefact: string | null;
}
type Change = Parameters<SupervisorAdapterPorts["ledger"]["transition"]>[1][number];
type Cause = "completed" | "deadline" | "cancelled_by_operator";

const CALL_MS = 2_000;
const LOOK_MS = 5_000;
const GRACE_MS = 20_000;

/** Asks until there is an answer. A call that is not answered may have been carried out, so `call` has to bear being made again. */
async function insist<T>({ clock }: SupervisorAdapterPorts, untilMs: number, call: () => Promise<T>): Promise<T | undefined> {
  while (clock.now() < untilMs) {
    const answer = await Promise.race([call().then((value) => ({ value })), clock.sleep(CALL_MS)]).catch(() => clock.sleep(CALL_MS));
    if (typeof answer === "object") return answer.value;
  }
  return undefined;
}

const running = ({ id }: RunToSupervise): Change => ({ table: "runs", id, when: { state: "running" } });
const itemsOf = async ({ ledger }: SupervisorAdapterPorts): Promise<readonly Item[]> => (await ledger.list("items")) as unknown as readonly Item[];

/** The end and all that follows from it in one transition: it holds while the run runs and nobody has moved an item since it was read. */
async function end(ports: SupervisorAdapterPorts, run: RunToSupervise, given: Cause): Promise<unknown> {
  return insist(ports, run.deadlineAtMs + 2 * GRACE_MS, async () => {
    const items = await itemsOf(ports);
    const done = items.filter(({ status }) => status === "done").map(({ id }) => id);
    const cause = done.length === run.items.length ? "completed" : given;
    const notFinished = run.items.map(({ name }) => name).filter((name) => !done.includes(name));
    const answer = await ports.ledger.transition("run.ended", [
      { ...running(run), set: { state: cause === "completed" ? cause : "cancelled", cause, done, notFinished } },
      ...items.map(({ id, status }): Change => ({ table: "items", id, when: { status }, set: { status: status === "done" ? status : "dropped" } })),
    ]);
    if (answer.outcome === "refused" && answer.at > 0) throw new Error("an item was moved: look again");
  });
}

function create(ports: SupervisorAdapterPorts): ReturnType<SupervisorAdapter["create"]> {
  const { ledger, clock, messages, spawner, artefacts, tool } = ports;
  const tellAgent = (run: RunToSupervise): Promise<unknown> => Promise.race([messages.send(run.places[0] as string, "stop"), clock.sleep(1_000)]);
  return {
    async supervise(run) {
      const rows = run.items.map(({ name }): Change => ({ table: "items", id: name, when: "absent", set: { status: "open", artefact: null } }));
      await insist(ports, run.deadlineAtMs, () => ledger.transition("run.begun", [{ table: "runs", id: run.id, when: "absent", set: { state: "running" } }, ...rows]));
      await insist(ports, run.deadlineAtMs, () => spawner.spawn(run.places[0] as string));
      while (clock.now() < run.deadlineAtMs) {
        await clock.sleep(Math.min(LOOK_MS, run.deadlineAtMs - clock.now()));
        const items = await insist(ports, run.deadlineAtMs, () => itemsOf(ports));
        if (items?.every(({ status }) => status === "done" || status === "dropped") === true) break;
      }
      // Before anything is asked: what is asked may be what is slow.
      await tellAgent(run);
      await end(ports, run, "deadline");
    },
    async work(run) {
      const stopped = Promise.race([messages.receive(), clock.sleep(run.deadlineAtMs + GRACE_MS / 2 - clock.now())]).then((): undefined => undefined);
      const move = async (id: string, from: Item["status"], set: Change["set"]): Promise<boolean> => {
        const moved = await insist(ports, run.deadlineAtMs, () => ledger.transition(`item.${String(set?.["status"])}`, [{ table: "items", id, when: { status: from }, set }, running(run)]));
        return moved?.outcome === "applied" || (moved?.outcome === "refused" && moved.row?.["status"] === set?.["status"]);
      };
      for (const { name } of run.items) {
        if (!(await move(name, "open", { status: "claimed" }))) return;
        const result = await Promise.race([tool.call(name), stopped]);
        if (result === undefined) return;
        const artefact = `${run.id}/${name}`;
        await insist(ports, run.deadlineAtMs, () => artefacts.put(artefact, result).then(() => true));
        if (!(await move(name, "claimed", { status: "done", artefact }))) return;
      }
    },
    async cancel(run) {
      await tellAgent(run);
      await end(ports, run, "cancelled_by_operator");
    },
    async succeed(run) {
      await clock.sleep(run.deadlineAtMs + GRACE_MS - clock.now());
      await end(ports, run, "deadline");
    },
  };
}

function read(ledger: Parameters<SupervisorAdapter["read"]>[0]): RunAccount {
  const items = (ledger.get("items") ?? []) as unknown as readonly Item[];
  const row = ledger.get("runs")?.[0] as unknown as { readonly state: RunAccount["state"]; readonly cause: Cause; readonly done: string[]; readonly notFinished: string[] } | undefined;
  const isOver = row !== undefined && row.state !== "running";
  return {
    state: row?.state ?? "none",
    records: isOver ? [{ state: row.cause === "completed" ? "completed" : "cancelled", cause: row.cause, participants: [], done: row.done, failed: [], notFinished: row.notFinished }] : [],
    held: items.filter(({ status }) => status === "claimed").map(({ id }) => ({ kind: "lease", name: id })),
    owed: items.filter(({ status }) => status === "open" || status === "claimed").map(({ id }) => ({ debtor: id, creditor: "supervisor" })),
    items: items.map(({ id, status, artefact }) => ({ name: id, status, ...(artefact === null ? {} : { artefact }) })),
  };
}

export const oneAgent: SupervisorAdapter = { name: "one-agent", version: "1.0.0", capabilities: ["cancel", "successor"], create, read };
