/** The desktop app's healthy tree with one damage each: registry, prompts, schedules, slots. */
import { claudeDesktopHealthy, claudeDesktopTruncated, claudeDesktopTwoStores, claudeDesktopWiped, prompt, sessionFiles } from "../presets/fixtures/claude-desktop.fixture.ts";
import { FIXTURE_NOW_MS, iso, json, registryText, withFile, withRegistry, type Fixture } from "../presets/fixtures/fixture.ts";
import { damaged } from "./damaged.ts";
import type { GuardTrees } from "./planted.ts";

const DAY_MS = 86_400_000;
/** At noon the grace of every slot of the morning has ended; at the fixture's own time the last one still may run. */
const NOON_MS = iso("2026-09-02T12:00:00Z");
const PROMPTS = "/home/ada/.claude/scheduled-tasks";

type Entry = Record<string, unknown>;

interface Registry {
  scheduledTasks: [Entry, Entry, Entry, ...Entry[]];
  recordedSkips: Record<string, unknown>;
  tasks?: Entry[];
}

/** Entries of the healthy registry, in their order. */
const DAILY = 0;
const TRIAGE = 1;
const ONCE = 2;

export function desktopTrees(): GuardTrees[] {
  const healthy = claudeDesktopHealthy();
  const registry = (change: (registry: Registry) => void, from: Fixture = healthy) => {
    const file = JSON.parse(registryText(healthy)) as Registry;
    change(file);
    return withRegistry(from, json(file), "");
  };
  const text = (change: (text: string) => string) => withRegistry(healthy, change(registryText(healthy)), "");
  const tree = (guard: string, what: string, bad: Fixture, nowMs?: number) => damaged(guard, what, bad, healthy, nowMs);
  const again = Object.entries(sessionFiles("triage", iso("2026-09-02T07:01:00Z"), "5e55-0009"));
  const untraced = Object.keys(sessionFiles("triage", 0, "5e55-0001")).reduce((left, path) => withFile(left, path, undefined, ""), healthy);
  return [
    tree("registry/parity", "a registry cut in half", claudeDesktopTruncated()),
    tree("registry/entry-invalid", "text in fireAt", registry(({ scheduledTasks }) => void (scheduledTasks[ONCE]["fireAt"] = "2026-09-03T08:30:00+01:00"))),
    tree("registry/time-unit", "seconds in fireAt", registry(({ scheduledTasks }) => void (scheduledTasks[ONCE]["fireAt"] = iso("2026-09-03T07:30:00Z") / 1_000))),
    tree("registry/wiped", "an empty registry beside prompts", claudeDesktopWiped()),
    tree("registry/second-list", "a second list", registry((file) => void (file.tasks = [{ ...file.scheduledTasks[TRIAGE], id: "old-triage" }]))),
    tree("registry/duplicate-id", "an entry that stands twice", registry(({ scheduledTasks }) => void scheduledTasks.push({ ...scheduledTasks[TRIAGE] }))),
    tree("registry/duplicate-key", "a key that stands twice", text((before) => before.replace('"id": "triage",', '"id": "triage", "enabled": false,'))),
    tree("registry/split-brain", "two stores that disagree", claudeDesktopTwoStores()),
    tree("registry/missing-prompt", "a prompt that is gone", withFile(healthy, `${PROMPTS}/triage/SKILL.md`, undefined, "")),
    tree("registry/prompt-is-its-name", "a prompt that is its name", withFile(healthy, `${PROMPTS}/triage/SKILL.md`, "triage\n", "")),
    tree("registry/orphan-prompts", "a prompt without an entry", withFile(healthy, `${PROMPTS}/forgotten/SKILL.md`, prompt("forgotten"), "")),
    tree("encoding/graded", "a byte order mark", text((before) => `\u{feff}${before}`)),
    tree("schedule/one-shot-stuck", "a one-shot that passed", registry(({ scheduledTasks }) => void (scheduledTasks[ONCE]["fireAt"] = iso("2026-09-02T03:00:00Z")))),
    tree("schedule/one-shots-share-an-instant", "four one-shots at one instant", fourAtOnce(registry, healthy)),
    tree("schedule/never-fires", "the 31st of February", registry(({ scheduledTasks }) => void (scheduledTasks[DAILY]["cronExpression"] = "0 0 31 2 *"))),
    tree("schedule/skips-exceed-fires", "more skips than slots", registry(({ recordedSkips }) => void (recordedSkips["nightly-digest"] = skips()))),
    tree("clock/skew", "a last run tomorrow", registry(({ scheduledTasks }) => void (scheduledTasks[TRIAGE]["lastRunAt"] = "2026-09-03T07:00:21.004Z"))),
    damaged("slot/missed", "neither claim nor trace", registry(neitherSkipNorClaim, untraced), registry(noSkip), NOON_MS, NOON_MS),
    damaged("slot/ghost-success", "a claim without a trace", untraced, healthy, NOON_MS, NOON_MS),
    damaged("slot/invisible-fire", "a trace without a claim", registry(({ scheduledTasks }) => void delete scheduledTasks[TRIAGE]["lastRunAt"]), healthy, NOON_MS, NOON_MS),
    tree("slot/duplicate", "two sessions of one slot", again.reduce((files, [path, file]) => withFile(files, path, file, ""), healthy)),
    tree("slot/disabled-fired", "a trace of a task that is off", registry(switchOff)),
    tree("fleet/silent", "the same files five days later", healthy, FIXTURE_NOW_MS + 5 * DAY_MS),
  ];
}

function fourAtOnce(registry: (change: (registry: Registry) => void, from: Fixture) => Fixture, healthy: Fixture): Fixture {
  const ids = ["second", "third", "fourth"];
  const withPrompts = ids.reduce((files, id) => withFile(files, `${PROMPTS}/${id}/SKILL.md`, prompt(id), ""), healthy);
  return registry(({ scheduledTasks }) => void scheduledTasks.push(...ids.map((id) => ({ ...scheduledTasks[ONCE], id }))), withPrompts);
}

function skips() {
  return [1, 2, 3, 4, 5].map((hour) => ({ at: iso(`2026-09-02T0${hour}:00:00Z`), reason: "global_limit" }));
}

/** A slot that the product says it skipped was missed too, in the healthy tree as well. */
function noSkip(file: Registry): void {
  file.recordedSkips = {};
}

function neitherSkipNorClaim(file: Registry): void {
  noSkip(file);
  delete file.scheduledTasks[TRIAGE]["lastRunAt"];
}

/** A stamp would say that it ran while it was still on. */
function switchOff({ scheduledTasks }: Registry): void {
  scheduledTasks[TRIAGE]["enabled"] = false;
  delete scheduledTasks[TRIAGE]["lastRunAt"];
}
