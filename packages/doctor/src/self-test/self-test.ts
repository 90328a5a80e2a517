/**
 * Whether the guards can still be believed: a bad tree is planted and its guard has to alarm, then its healthy twin and it has
 * to be silent. Goes the doctor's whole way, from bytes to findings. A silence counts only where the guard could look.
 * Shows that a guard sees this one damage; leaves out every other.
 */
import { fail, notRun, pass, type Result, type Verdict } from "@casebook/verdict";
import type { DoctorReport } from "../doctor-report.ts";
import { examine } from "../examine/examine.ts";
import { GUARD_IDS, isSlotGuard } from "../examine/guard-ids.ts";
import { observe } from "../observe/index.ts";
import { PRESETS } from "../presets/index.ts";
import type { GuardTrees, Planted } from "./planted.ts";

const WINDOW_MS = 24 * 3_600_000;

export interface SelfTestOptions {
  /** Guard ids; empty: all that the doctor asks. */
  readonly only: readonly string[];
  /** Who looks at what was planted: the doctor, or a broken one. */
  readonly look?: (planted: Planted) => Promise<DoctorReport>;
}

/** One result a guard, sorted. A guard without trees is NOT RUN; one with several passes when each of them does. Never rejects. */
export async function selfTest(trees: readonly GuardTrees[], { only, look = lookAt }: SelfTestOptions): Promise<Result[]> {
  const results: Result[] = [];
  for (const guard of GUARD_IDS.filter((id) => only.length === 0 || only.includes(id))) {
    const tried: Tried[] = [];
    for (const pair of trees.filter((one) => one.guard === guard)) tried.push(await tryPair(pair, look));
    const { verdict, title } = together(tried);
    results.push({ id: guard, title, ...verdict });
  }
  return results;
}

/** What `casebook doctor` would say about it. */
export async function lookAt({ tree, places, presets = PRESETS, nowMs, zone }: Planted): Promise<DoctorReport> {
  const observation = await observe(tree, { places, presets, nowMs, machineZone: zone });
  return examine(observation, {
    fromMs: nowMs - WINDOW_MS,
    toMs: nowMs,
    nowMs,
    zone,
    only: [],
    tool: { name: "casebook doctor --self-test", version: "" },
    command: "casebook doctor",
  });
}

interface Tried {
  /** What it alarmed on, or undefined when it did not. */
  readonly on: string | undefined;
  readonly verdict: Verdict;
}

async function tryPair({ guard, bad, healthy }: GuardTrees, look: (planted: Planted) => Promise<DoctorReport>): Promise<Tried> {
  try {
    const ill = await bad();
    const alarmed = alarmOf(await look(ill), guard);
    if (alarmed === undefined) return { on: undefined, verdict: fail(`silent on ${ill.title}, which it has to alarm on`) };
    const well = await healthy();
    const report = await look(well);
    const wrongly = alarmOf(report, guard);
    if (wrongly !== undefined) return { on: ill.title, verdict: fail(`alarmed on ${ill.title}, and on its healthy twin ${well.title}: ${wrongly}`) };
    return couldLook(report, guard)
      ? { on: ill.title, verdict: pass() }
      : { on: ill.title, verdict: fail(`silent on ${well.title} because there was nothing that it could judge`) };
  } catch (thrown) {
    const what = thrown instanceof Error ? thrown.message : String(thrown);
    return { on: undefined, verdict: notRun("setup-failed", `its trees could not be planted: ${what.split("\n", 1)[0]}`, {}) };
  }
}

function alarmOf(report: DoctorReport, guard: string): string | undefined {
  return report.findings.find((finding) => finding.guard === guard)?.message;
}

/** Nothing recognised is not nothing wrong, and without traces no slot is judged. */
function couldLook({ layouts, totals }: DoctorReport, guard: string): boolean {
  return layouts.length > 0 && (!isSlotGuard(guard) || totals.seen !== undefined);
}

/** A failure beats a missing verdict, which beats a pass. */
function together(tried: readonly Tried[]): { title: string; verdict: Verdict } {
  const of = (word: Verdict["verdict"]) => tried.find(({ verdict }) => verdict.verdict === word)?.verdict;
  const alarmed = tried.flatMap(({ on }) => on ?? []);
  const title = alarmed.length === 0 ? "no alarm" : `alarmed on ${alarmed.join(" and on ")}`;
  const verdict = of("FAIL") ?? of("NOT RUN") ?? of("PASS");
  if (verdict === undefined) return { title, verdict: notRun("missing-input", "no tree shows what it alarms on", {}) };
  return verdict.verdict === "PASS" ? { title: `${title}, silent on ${alarmed.length === 1 ? "its twin" : "their twins"}`, verdict } : { title, verdict };
}
