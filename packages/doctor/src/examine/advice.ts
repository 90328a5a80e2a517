/**
 * For each guard: why it matters to whoever waits for the work, one step, and that step's risk. Data; the numbers come from
 * the guard. Says nothing about whose fault it is.
 */
export interface Advice {
  readonly why: string;
  readonly step: string;
  readonly risk: string;
}

const RESTART = "a running program holds the registry in memory and may write it back: stop it first, start it after";
const READS_ONLY = "none: it only looks";

export const ADVICE: Readonly<Record<string, Advice>> = {
  "registry/parity": { why: "Tasks that are on disk and not loaded do not run, and nothing says so.", step: "Repair what keeps the file from loading, at the place above", risk: RESTART },
  "registry/entry-invalid": { why: "A loader that judges the list as a whole rejects every entry because of one.", step: "Correct the field at the place above", risk: RESTART },
  "registry/time-unit": { why: "A moment in another unit is a date in 1970 or in 58000, so the task never fires or fires at once.", step: "Write the moment in the unit of its field", risk: RESTART },
  "registry/wiped": { why: "Prompts survive and schedules do not: nothing will start these tasks.", step: "Restore the registry from a backup, or enter the tasks again", risk: RESTART },
  "registry/second-list": { why: "A reader takes one of the lists, and what stands in the others is not there for it.", step: "Move the records into the list that is read, and remove the other", risk: RESTART },
  "registry/duplicate-id": { why: "Which of the entries counts is a guess that each reader makes for itself.", step: "Give one of them another id, or remove it", risk: RESTART },
  "registry/duplicate-key": { why: "Parsers keep the last of two equal keys without a word.", step: "Remove one of the keys", risk: RESTART },
  "registry/split-brain": { why: "The program shows one of its stores; tasks in the others look as if they were gone.", step: "Enter the tasks in the store that is in use, then empty the other", risk: RESTART },
  "registry/missing-prompt": { why: "A task without a prompt starts and has nothing to do, or does not start.", step: "Write the prompt file, or remove the task", risk: "none for other tasks" },
  "registry/prompt-is-its-name": { why: "An update has replaced the prompt by the task's name; every count still comes out even.", step: "Restore the prompt", risk: RESTART },
  "registry/orphan-prompts": { why: "A prompt that stands in no registry is never started.", step: "Enter the task again, or remove its folder", risk: "none for other tasks" },
  "encoding/graded": { why: "A reader stops at the first byte that it does not expect.", step: "Save the file as UTF-8 without a byte order mark", risk: RESTART },
  "registry/unsupported-version": { why: "What a newer version means by its fields is not known here.", step: "Read the product's notes for that version; do not edit the file by this report", risk: READS_ONLY },
  "schedule/one-shot-stuck": { why: "Its instant has passed and it waits for ever.", step: "Give it a new instant, or disable it", risk: RESTART },
  "schedule/one-shots-share-an-instant": { why: "What does not find a place at that instant may never start.", step: "Move some of them apart by a few minutes", risk: RESTART },
  "schedule/impossible": { why: "Nobody can say when it is due.", step: "Correct the expression or the zone", risk: RESTART },
  "schedule/never-fires": { why: "Its date never comes.", step: "Correct the date, or disable it if that is what was meant", risk: RESTART },
  "schedule/dst-hazard": { why: "Two engines run it at different times on that day, or one of them not at all.", step: "Move it out of the hour in which the clocks change", risk: RESTART },
  "schedule/skips-exceed-fires": { why: "It is skipped again and again instead of running.", step: "Look for the run that holds its place", risk: READS_ONLY },
  "lock/stale": { why: "Whoever waits for this lock waits for ever.", step: "Make sure that its owner is gone, then remove the lock", risk: "two owners, if it is not gone" },
  "lock/future-dated": { why: "It never grows stale, so nobody ever takes it over.", step: "Set the clock right, make sure that its owner is gone, then remove the lock", risk: "two owners, if it is not gone" },
  "running/stale-marker": { why: "It counts as running, so it is not started again.", step: "Make sure that nothing runs, then clear the marker", risk: "a second run, if the first one is alive" },
  "heartbeat/loops-without-success": { why: "Nothing is started any more, and nothing says so.", step: "Read the program's own log from the last success on", risk: READS_ONLY },
  "clock/skew": { why: "Times that lie ahead make everything that compares them wrong.", step: "Set the clock of the machine that wrote them", risk: "slots may be passed over or run twice when a clock jumps" },
  "residue/leftovers": { why: "A writer was interrupted, or several collided; the file beside it may be the old one.", step: "Compare the leftovers with the file, then remove them", risk: "losing the newer version, if it is the leftover" },
  "receipts/damaged": { why: "A reader that stops at the damage does not see what follows it.", step: "Keep a copy, then read the good lines with a reader that says what it skipped", risk: READS_ONLY },
  "receipts/gap": { why: "What was acknowledged under the missing numbers is not in the log.", step: "Look for another copy or generation of the log, and compare", risk: READS_ONLY },
  "receipts/key-reuse": { why: "The second of the two commands is answered with the end of the first.", step: "Give each command a key of its own where it is sent", risk: READS_ONLY },
  "receipts/out-of-order": { why: "Two writers held the log at once, or one wrote after its time was over.", step: "Look which programs append to the log, and let each take its lock", risk: READS_ONLY },
  "receipts/pending-open": { why: "It still runs, or it ended and nobody recorded it: a retry cannot know.", step: "Ask whoever carries it out what became of its key", risk: READS_ONLY },
  "receipts/state-regression": { why: "A retry may call again what has already been done.", step: "Hold its retries, and ask whoever carries it out what became of its key", risk: "work that waits" },
  "receipts/two-terminals": { why: "It was carried out or answered more than once.", step: "Compare its ends, and look who wrote the second", risk: READS_ONLY },
  "slot/missed": { why: "The work was not done.", step: "Start it by hand if it still matters, then look why nothing started it", risk: "work that is no longer wanted" },
  "slot/ghost-success": { why: "The registry says that it ran, and nothing shows that it did.", step: "Look for its output; start it by hand if there is none", risk: "the work twice, if its traces were only removed" },
  "slot/invisible-fire": { why: "It ran, it cost, and the registry does not know.", step: "Look who started it, at the trace above", risk: READS_ONLY },
  "slot/duplicate": { why: "The work was done and paid for more than once.", step: "Look at the starts of its runs: a restart, or a second scheduler", risk: READS_ONLY },
  "slot/disabled-fired": { why: "It was switched off and ran all the same.", step: "Move its prompt folder away until it is known what started it", risk: "the task cannot be started by hand meanwhile" },
  "slot/wrong-slot": { why: "It ran at a time that its schedule does not have.", step: "Look who started it, at the trace above", risk: READS_ONLY },
  "fleet/silent": { why: "Nothing runs any more, whatever the lights say.", step: "Read the scheduler's own log from the newest run on, then restart it", risk: "a catch-up of what was missed" },
};

export const NO_ADVICE: Advice = { why: "See the guard's own text.", step: "Look at the place above", risk: READS_ONLY };
