/** What the doctor sees on the disks that cases leave behind. */
import { GUARD_IDS, lookAt } from "@casebook/doctor";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
import { ROOT } from "../root.ts";
import { CASE_TREES, caseTrees, plant, presetsOfCase } from "./case-trees.ts";
import { loadRepro } from "./run.ts";

const catalog = await readCatalog(ROOT);
const withLayout = catalog.cases.filter(({ doctor }) => "layout" in doctor);

/** The guards that are raised where the broken scene has just ended, by case. A later case needs no row: of it, any alarm will do. */
const RAISED: Readonly<Record<string, readonly string[]>> = {
  // The five that wait share an instant, and no loader has taken them.
  "001": ["registry/entry-invalid", "schedule/one-shots-share-an-instant"],
  // A minute after the storm its stamps may still come, so that no fire is invisible yet.
  "002": ["slot/disabled-fired", "slot/duplicate"],
  "003": ["registry/orphan-prompts"],
  // The second call has written an end that can be read, behind the one that cannot.
  "008": ["receipts/damaged"],
  "010": ["supervision/one-terminal-record"],
  "012": ["dispatch/expired-lease-held"],
  "013": ["dispatch/expired-lease-held"],
};

describe.each(withLayout)("the disk of case $number", ({ number, doctor }) => {
  it("alarms with the guards of its case where the broken scene has ended", async () => {
    const repro = await loadRepro(catalog.cases.find((item) => item.number === number) as (typeof withLayout)[number]);
    const { findings, layouts } = await lookAt(await plant(repro, repro.broken, 0, presetsOfCase(number)));
    expect(layouts.map(({ id }) => ({ layout: id }))).toEqual([doctor]);
    const raised = [...new Set(findings.map(({ guard }) => guard))].toSorted();
    expect(raised).not.toEqual([]);
    expect(raised).toEqual(RAISED[number] ?? raised);
  });

  it("raises nothing at all where the control has ended", async () => {
    const repro = await loadRepro(catalog.cases.find((item) => item.number === number) as (typeof withLayout)[number]);
    const { findings, layouts, totals, rows, runs } = await lookAt(await plant(repro, repro.control, 0, presetsOfCase(number)));
    expect(layouts.map(({ id }) => ({ layout: id }))).toEqual([doctor]);
    const receipts = Number(/(\d+) receipts? of/.exec(rows[0]?.because ?? "")?.[1] ?? 0);
    expect((totals.seen ?? 0) + receipts + runs.length, "a silence counts only where runs left traces or a row in a ledger, or commands receipts").toBeGreaterThan(0);
    expect(findings).toEqual([]);
  });
});

describe("the ledger of a case", () => {
  it.each(withLayout.filter(({ number }) => CASE_TREES.some((row) => row.number === number && row.files !== undefined && "ledger" in row.files)))("$number is as well as it can be where the fixed scene has ended", async ({ number }) => {
    const repro = await loadRepro(catalog.cases.find((item) => item.number === number) as (typeof withLayout)[number]);
    const { findings, tally, runs } = await lookAt(await plant(repro, repro.fixed, 0, presetsOfCase(number)));
    expect([findings, tally.notRun, runs.length]).toEqual([[], 0, 1]);
  });
});

describe("the scenes that the self-test plants", () => {
  it.each(caseTrees(catalog).map((pair, index) => ({ ...pair, index })))("$index: $guard alarms on its scene and is silent on the control", async (pair) => {
    const raised = async (which: "bad" | "healthy") => (await lookAt(await pair[which]())).findings.map(({ guard }) => guard);
    expect(await raised("bad")).toContain(pair.guard);
    expect(await raised("healthy")).not.toContain(pair.guard);
  });

  it("are of every case that names a layout, and of no case that names none", () => {
    const rows = [...new Set(CASE_TREES.map(({ number }) => number))];
    const planned = catalog.planned.map(({ number }) => number);
    expect(withLayout.map(({ number }) => number).filter((number) => !rows.includes(number))).toEqual([]);
    expect(rows.filter((number) => !withLayout.some((item) => item.number === number) && !planned.includes(number))).toEqual([]);
    expect(CASE_TREES.filter(({ guard }) => !GUARD_IDS.includes(guard))).toEqual([]);
  });

  it("cannot be planted for a case that cannot be read, and say so", async () => {
    const broken = { cases: [], planned: [], unreadable: [{ folder: "incidents/001-x", number: "001", problems: ["/layer: unknown"] }] };
    const pairs = caseTrees(broken);
    expect(pairs.map(({ guard }) => guard)).toEqual(["registry/entry-invalid", "registry/parity"]);
    await expect(pairs[0]?.bad()).rejects.toThrow("CASE_UNREADABLE: /layer: unknown");
  });
});

describe("the Monday task of case 002 that ran on a Friday", () => {
  it("is no wrong slot from the disk: it may be the late run of the Monday before", async () => {
    const item = catalog.cases.find(({ number }) => number === "002") as (typeof withLayout)[number];
    const repro = await loadRepro(item);
    const weekday = repro.more.find(({ name }) => name === "weekday");
    expect(weekday).toBeDefined();
    const { findings } = await lookAt(await plant(repro, weekday as NonNullable<typeof weekday>));
    expect(findings.map(({ guard }) => guard)).not.toContain("slot/wrong-slot");
  });
});
