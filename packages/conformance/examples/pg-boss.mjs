/**
 * A dispatcher over a queue in PostgreSQL (pg-boss), over JSON lines: an example of an adapter for something that has a service, a
 * clock and a disk of its own. The kit has no hand on those. A job is started, and completed once its session is known; a job whose
 * worker died is fetched again when the queue gives it up, a second of real time later.
 */
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import pg from "pg";
import PgBoss from "pg-boss";

const QUEUE = "tasks";
const SCHEMA = "conformance";
/** The shortest that the queue knows. */
const EXPIRES_SECONDS = 1;
const connectionString = process.env.CONFORMANCE_POSTGRES;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const read = async () => JSON.parse((await lines.next()).value);
const idOf = (task) => createHash("sha256").update(task).digest("hex").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");

async function ask(name, facts) {
  write({ ask: name, ...facts });
  const answer = await read();
  if ("error" in answer) throw Object.assign(new Error(answer.says), { code: answer.error });
  return answer.answer;
}

let boss;
let db;

async function create() {
  db = new pg.Client({ connectionString });
  await db.connect();
  // An empty disk is a fresh world: what an earlier one left in the service is none of its.
  const isFresh = (await ask("disk.read", { path: "/has-begun" })) === null;
  if (isFresh) await db.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  boss = new PgBoss({ connectionString, schema: SCHEMA, supervise: false, schedule: false, max: 2 });
  boss.on("error", (failure) => process.stderr.write(`${failure.message}\n`));
  await boss.start();
  await boss.createQueue(QUEUE, { name: QUEUE, policy: "standard", retryLimit: 20, retryDelay: 0, expireInSeconds: EXPIRES_SECONDS });
  if (isFresh) {
    await ask("disk.write", { path: "/has-begun", text: "yes" });
    await ask("disk.sync", { path: "/has-begun" });
    return ask("disk.syncDirectory", { path: "/" });
  }
  await new Promise((resolve) => setTimeout(resolve, EXPIRES_SECONDS * 1_000 + 300));
  return boss.maintain();
}

async function submit(task) {
  const known = await boss.getJobById(QUEUE, idOf(task.id));
  if (known !== null) return known.data.revision === task.revision ? "duplicate" : "conflict";
  const id = await boss.send(QUEUE, task, { id: idOf(task.id) });
  return id === null ? "duplicate" : "accepted";
}

async function tick() {
  for (const { id, data } of await boss.fetch(QUEUE, { batchSize: 10 })) {
    // Asked first, every time: the answer of a start may have been lost.
    const session = await ask("sessions.find", { key: data.id });
    if (session === null) await ask("sessions.start", { key: data.id, task: data.id, revision: data.revision, agent: data.agent });
    await boss.complete(QUEUE, id);
  }
}

async function observe() {
  const { rows } = await db.query(`SELECT data, state FROM ${SCHEMA}.job WHERE name = $1 ORDER BY data->>'id'`, [QUEUE]);
  const views = [];
  for (const { data, state } of rows) {
    const session = await ask("sessions.find", { key: data.id });
    const stands = session === null ? "waiting" : { running: "running", ended: "done" }[session.status] ?? "failed";
    views.push({ id: data.id, state: stands, because: session === null ? `its job is ${state}` : `its session is ${session.status}`, session: session?.id });
  }
  return views;
}

const CALLS = {
  hello: () => ({ name: "pg-boss", version: "10", capabilities: ["durable"] }),
  create,
  submit: ({ task }) => submit(task),
  tick,
  observe,
};

for (;;) {
  const { value, done } = await lines.next();
  if (done) break;
  const call = JSON.parse(value);
  try {
    write({ return: (await CALLS[call.do](call)) ?? null });
  } catch (failure) {
    write({ throw: failure.message });
  }
}
process.exit(0);
