/** What case 005 rests on: other numbers, what the search finds in each system, the operator's cell, the mutants, and how it could be fooled. */
import { readFileSync } from "node:fs";
import { explore, type ExploreReport, readToken, replay, searchArm, type System } from "@casebook/explore";
import { dispatchDuplicateSession, type DispatchedSession } from "@casebook/guards";
import { firstDifference, play } from "@casebook/repro";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { build, claimedByText, claimerKilled, everyDelivery, fenced, oneClaim, oneHost, repro, systemOf, systems, takenOver, type Told, watched, zombie } from "./repro.ts";

const runner = await findRunner();
/** Small, for a test of seconds; the guard searches one claim further, and the soak covers every arm. */
const reports = new Map<string, ExploreReport>();
for (const system of systems) reports.set(system.name, await explore<Told>(system, runner, { strategy: "exhaustive", budget: 20 }));
const reportOf = (name: string) => reports.get(`005/${name}`) as ExploreReport;

describe("the mechanism of case 005", () => {
  it("is not a matter of three: as many hosts, as many sessions, and one claim leaves one of them", async () => {
    expect((await play(repro, everyDelivery, { hosts: 5 })).facts).toMatchObject({ answered: "5/5", sessions: 5, effects: 5 });
    expect((await play(repro, oneClaim, { hosts: 5 })).facts).toMatchObject({ answered: "5/5", claims: 1, sessions: 1, effects: 1 });
  });

  it("needs no second host, only a second delivery", async () => {
    expect((await play(repro, oneHost, { fault: "answer-lost" })).facts).toMatchObject({ hosts: 1, deliveries: 2, sessions: 2, alarms: ["dispatch/duplicate-session"] });
    expect((await play(repro, oneClaim, { hosts: 1, fault: "answer-lost" })).facts).toMatchObject({ hosts: 1, deliveries: 2, sessions: 1 });
  });

  it("turns into its opposite with a claim for each text: the second prompt is answered for and never started", async () => {
    expect((await play(repro, claimedByText)).facts).toMatchObject({ answered: "6/6", sessions: 1, open: ["prompt-2:laptop:running"], alarms: [] });
    const two = { texts: ["deploy the release", "deploy the docs"] };
    expect((await play(repro, claimedByText, two)).facts).toMatchObject({ sessions: 2, open: [] });
  });

  it("has a price: a claim whose host is killed leaves the prompt with the dead, by name", async () => {
    expect((await play(repro, claimerKilled)).facts).toMatchObject({ claims: 1, sessions: 0, open: ["prompt-1:laptop:killed"] });
  });

  it("costs a fence to take over: without one, whoever was only stopped starts as well", async () => {
    expect((await play(repro, takenOver)).facts).toMatchObject({ claims: 2, sessions: 1 });
    expect((await play(repro, zombie)).facts).toMatchObject({ claims: 2, sessions: 2, alarms: ["dispatch/duplicate-session"] });
    expect((await play(repro, fenced)).facts).toMatchObject({ claims: 2, sessions: 1, alarms: [] });
  });

  it("gives another trace when one byte of its input is another", async () => {
    const { traceHash } = await play(repro, everyDelivery);
    const other = await play(repro, everyDelivery, { texts: ["deploy the releasf"] });
    expect(firstDifference(everyDelivery.expect, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(traceHash);
  });
});

describe("the search over case 005", () => {
  it("says what the page says of each system", () => {
    const rows = systems.map(({ name, claim }) => {
      const { findings, planned } = reports.get(name) as ExploreReport;
      const found = findings.map(({ says, faults, shrunk }) => `${/\d+ sessions/.exec(says)?.[0]}: ${faults.join(" and ") || "no fault"}, switches: ${shrunk.preemptions}`);
      return `| \`${name}\` | ${claim} | ${found.join("; ") || `nothing in ${planned} arms`} |`;
    });
    const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
    expect(page.split("\n").filter((line) => line.startsWith("| `005/"))).toEqual(rows);
  });

  it("finds in each what was expected of it, fired every fault at every point, and met everything that has to happen sometimes", () => {
    for (const { name, expect: expected } of systems) {
      const { findings, cells, sometimes, planned, exhausted, sampled, failed, notRun } = reports.get(name) as ExploreReport;
      expect([name, findings.length > 0 ? "fails" : "holds"]).toEqual([name, expected]);
      expect(cells.filter(({ fired }) => fired === 0)).toEqual([]);
      expect(sometimes.filter((fact) => fact.executions === 0)).toEqual([]);
      expect([exhausted + sampled + failed + notRun, notRun]).toEqual([planned, 0]);
    }
  });

  it("needs the fault for a takeover: without one it covers every schedule and finds nothing", async () => {
    const bare = await searchArm<Told>(systemOf("takeover"), [], runner, { strategy: "exhaustive" });
    expect([bare.isExhausted, bare.failure]).toEqual([true, undefined]);
    expect(reportOf("takeover").findings.map(({ shrunk }) => [shrunk.failure.faults.length, shrunk.preemptions])).toEqual([[1, 0]]);
  });

  it.each(["every-delivery", "look-then-claim", "takeover"])("plays its counterexample in %s again from one line, twice alike", async (name) => {
    const [finding] = reportOf(name).findings;
    const read = readToken(finding?.token ?? "");
    if (read.outcome !== "token") throw new Error(read.message);
    for (let time = 1; time <= 2; time += 1) {
      const played = await replay<Told>(systemOf(name), read.token, runner);
      expect(played).toMatchObject({ outcome: "replayed", judged: { verdict: "fails", check: "dispatch/duplicate-session", says: finding?.says } });
    }
  });

  it.each(["laptop", "peer-1"])("survives each fault at %s by name as well, also when the other came first", async (process) => {
    const { faults, ...system } = systemOf("claim");
    const points = faults?.points.filter((at) => at.startsWith("host.")) ?? [];
    const kinds = ["kill", "kill-restart", "stop-continue", "host-unreachable"] as const;
    for (const at of points) {
      for (const kind of kinds) {
        const arm = await searchArm<Told>(system, [{ at, kind, process }], runner, { strategy: "exhaustive", budget: 250 });
        expect([at, kind, arm.failure?.says, (arm.fired[0] ?? 0) > 0]).toEqual([at, kind, undefined, true]);
      }
    }
  });

  it("holds with a third host that waits for the same lease: one takes over, and the other sees that it did", async () => {
    for (const starts of ["takeover", "fenced-takeover"] as const) {
      const three = { ...systemOf(starts), build: build({ ...takenOver.with, starts, hosts: 3 }) };
      const arm = await searchArm<Told>(three, [{ at: "host.after-claim", kind: "kill" }], runner, { budget: 400 });
      expect(arm.sometimes.get("a host died holding the claim and another recovered")).toBeGreaterThan(0);
      expect([starts, arm.failure?.says]).toEqual([starts, undefined]);
    }
  });

  it("hears from the bridge of a prompt that nobody was left to claim", async () => {
    const alone = { ...systemOf("claim"), build: build({ ...oneClaim.with, hosts: 1 }) };
    const arm = await searchArm<Told>(alone, [{ at: "host.after-delivery", kind: "kill" }], runner, { strategy: "exhaustive" });
    expect([arm.isExhausted, arm.failure?.says, arm.fired[0]]).toEqual([true, undefined, arm.complete]);
  });

  it("would be noticed if its check never alarmed, and if it always did", async () => {
    const withCheck = (system: System<Told>, says: string | undefined): System<Told> => ({ ...system, checks: [{ id: "mutant", when: "end", alarm: () => says }] });
    const finds = async (system: System<Told>) => (await searchArm(system, [], runner, { strategy: "exhaustive" })).failure !== undefined;
    expect([await finds(systemOf("every-delivery")), await finds(systemOf("claim"))]).toEqual([true, false]);
    expect(await finds(withCheck(systemOf("every-delivery"), undefined))).toBe(false);
    expect(await finds(withCheck(systemOf("claim"), "always"))).toBe(true);
  });
});

describe("what may not be silent", () => {
  const check = (id: string) => systemOf("fenced-takeover").checks.find((one) => one.id === id)?.alarm;
  const told: Told = {
    deliveries: 2, redeliveries: 0, answered: 2, claims: 1, takeovers: 0, refused: 0, resumed: 0, lostRaces: 0,
    sessions: [], effects: [], open: [], able: ["bridge", "laptop", "peer-1"],
  };
  const open = (holder: string | undefined, able: readonly string[], gaveUp = false): Told => ({
    ...told, able, open: [{ prompt: "prompt-1", holder, holderStands: "killed", gaveUp }],
  });

  it("is a prompt that a living host holds, or that nobody has while the bridge says nothing", () => {
    const alarm = check("prompt/accounted-for");
    expect(alarm?.(open("laptop", ["bridge", "laptop"]))).toBe("prompt-1 was not started: laptop has it, and nothing says that it never will");
    expect(alarm?.(open(undefined, ["bridge"]))).toBe("prompt-1 was not started: nobody has it, and nothing says that it never will");
    for (const quiet of [told, open("laptop", ["bridge"]), open(undefined, []), open(undefined, ["bridge"], true)]) expect(alarm?.(quiet)).toBeUndefined();
  });

  it("is a prompt left with the dead, where claims are taken over", () => {
    const alarm = check("prompt/not-left-with-the-dead");
    expect(alarm?.(open("laptop", ["bridge", "peer-1"]))).toBe("prompt-1 was left with laptop (killed) while peer-1 could have started it");
    for (const quiet of [told, open("laptop", ["bridge"]), open(undefined, ["peer-1"])]) expect(alarm?.(quiet)).toBeUndefined();
  });

  it("is a second effect", () => {
    const first = { id: "a", prompt: "prompt-1" };
    const second = { id: "b", prompt: "prompt-1" };
    const other = { id: "c", prompt: "prompt-2" };
    const alarm = check("prompt/one-effect");
    expect(alarm?.({ ...told, effects: [first, other, second] })).toBe("prompt-1 took effect 2 times");
    expect(alarm?.({ ...told, effects: [first, other] })).toBeUndefined();
  });
});

describe("the duplicate-session guard", () => {
  it("alarms in the operator's cell: the bridge stays as it is, and somebody looks at the list of sessions", async () => {
    expect((await play(repro, watched)).facts).toMatchObject({ sessions: 3, alarms: ["dispatch/duplicate-session"] });
  });

  it("is silent on one host, on one claim, and on two prompts of one text", async () => {
    for (const scene of [oneHost, oneClaim]) expect((await play(repro, scene)).facts.alarms).toEqual([]);
    expect((await play(repro, oneClaim, { texts: ["again", "again"] })).facts).toMatchObject({ sessions: 2, alarms: [] });
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const twice: DispatchedSession[] = [{ session: "a", prompt: "prompt-1" }, { session: "b", prompt: "prompt-1" }];
    const once = twice.slice(0, 1);
    const tells = (guard: (rows: readonly DispatchedSession[]) => unknown) => guard(twice) !== undefined && guard(once) === undefined;
    expect(tells(dispatchDuplicateSession)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "dispatch/duplicate-session" }))).toBe(false);
  });

  it("takes one session that two devices show for one, and one that is listed and never worked for a session", () => {
    const shown = { session: "a", prompt: "prompt-1" };
    expect(dispatchDuplicateSession([shown, shown])).toBeUndefined();
    expect(dispatchDuplicateSession([shown, { session: "listed-only", prompt: "prompt-1" }])?.counts["sessions"]).toBe(2);
  });

  it("is fooled by an id that each delivery makes anew, and says nothing of a prompt that was never started", async () => {
    expect(dispatchDuplicateSession([{ session: "a", prompt: "prompt-1@laptop" }, { session: "b", prompt: "prompt-1@peer-1" }])).toBeUndefined();
    expect((await play(repro, claimerKilled)).facts).toMatchObject({ sessions: 0, alarms: [] });
  });
});
