/** RC05 to RC07 and RC09 to RC11: what a writer and a repair may do to a log. What they left is read by a reader that reports health. */
import { createReceiptWriter, type Generation, LOCK_LEASE_MS, readReceipts, type ReceiptPolicies, repairLog, surveyReceipts } from "@casebook/receipt-reader";
import type { LogSurvey } from "@casebook/receipt-reader/judge";
import { RECEIPT_SENTENCES } from "@casebook/receipt-reader/rules";
import type { CrashImage, RulePorts } from "./lab.ts";
import { bytesAt, DAMAGES, draft, isPrefix, joined, KEY, lineOf, LOG, NEWER, OTHER, plant } from "./planted.ts";
import type { ReceiptRule, Try } from "./rule.ts";

const WHOLE = joined(lineOf(1, KEY, "pending"), lineOf(2, KEY, "completed"));
const cut = (line: string): string => line.slice(0, Math.floor(line.length / 2));
const DAMAGED = joined(lineOf(1, KEY, "pending"), cut(lineOf(2, KEY, "completed")), lineOf(3, OTHER, "pending"), lineOf(4, OTHER, "completed"));

async function surveyed(ports: RulePorts): Promise<LogSurvey & { readonly generation: Generation }> {
  const read = await surveyReceipts(ports, LOG);
  if (read.outcome === "not-read") throw new Error(read.say);
  return { ...read.value, generation: read.generation };
}

/** Keys with how far each is on record, such as `command-1 completed`. */
async function onRecord(ports: RulePorts): Promise<string[]> {
  return (await surveyed(ports)).keys.map(({ key, state }) => `${key} ${state}`);
}

async function appendAll(ports: RulePorts, policies: ReceiptPolicies, keys: readonly string[], acknowledged: string[] = []): Promise<string[]> {
  const writer = createReceiptWriter(ports, LOG, policies);
  for (const key of keys) {
    const result = await writer.append(draft(key, "pending"));
    if (result.outcome === "acknowledged") acknowledged.push(key);
  }
  return acknowledged;
}

const missingOf = (acknowledged: readonly string[], keys: readonly string[]): string[] => acknowledged.filter((key) => !keys.includes(key));

/** Steps of the disk that two appends take, and some more: a try that is not over by then says so. */
const MOST_STEPS = 200;
const WRITTEN = ["first", "second"];

/** Dies at each step in turn; then a new process goes on. `judge` is told what was acknowledged, before and after, and what is there. */
function atEachStep(image: CrashImage, before: string, judge: (acknowledged: readonly string[], found: LogSurvey) => string | undefined): Try {
  return async (lab, policies) => {
    for (let steps = 1; steps <= MOST_STEPS; steps += 1) {
      let acknowledged: string[] = [];
      const { isOver, left } = await lab.crash({
        image,
        steps,
        reset: () => void (acknowledged = []),
        before: async (ports) => {
          if (before !== "") await plant(ports, before);
        },
        act: async (ports) => void (await appendAll(ports, policies, WRITTEN, acknowledged)),
        after: async (ports) => {
          await appendAll(ports, policies, ["after"], acknowledged);
          return judge(acknowledged, await surveyed(ports));
        },
      });
      for (const { disk, value } of left) if (value !== undefined) return `${image} at disk step ${steps}, ${disk}: ${value}`;
      if (isOver) return undefined;
    }
    return `two appends are not over after ${MOST_STEPS} disk steps`;
  };
}

const noneLost = (acknowledged: readonly string[], { keys }: LogSurvey): string | undefined => {
  const lost = missingOf(acknowledged, keys.map(({ key }) => key));
  return lost.length === 0 ? undefined : `${lost.length} of ${acknowledged.length} acknowledged receipts are not there: ${lost.join(", ")}`;
};

const noneInvented = (_acknowledged: readonly string[], { keys, receipts }: LogSurvey): string | undefined => {
  const invented = keys.map(({ key }) => key).filter((key) => ![...WRITTEN, "after", KEY].includes(key));
  return invented.length === 0 ? undefined : `${invented.length} of ${receipts} receipts were never written: ${invented.join(", ")}`;
};

const repairKeepsBytes = (text: string): Try => (lab, policies) =>
  lab.play(async (ports) => {
    await plant(ports, text);
    const before = await bytesAt(ports);
    const result = await repairLog(ports, LOG, policies);
    const after = await bytesAt(ports);
    if (after.length !== before.length || !isPrefix(before, after)) return `the repair (${result.outcome}) left ${after.length} of ${before.length} bytes of the file`;
    const { generation } = await surveyed(ports);
    return generation.number === 2 ? undefined : `the repair (${result.outcome}) published no new generation`;
  });

const refusesNewer = (text: string, act: (ports: RulePorts, policies: ReceiptPolicies) => Promise<{ readonly outcome: string }>): Try => (lab, policies) =>
  lab.play(async (ports) => {
    await plant(ports, text);
    const before = await bytesAt(ports);
    const { outcome } = await act(ports, policies);
    const after = await bytesAt(ports);
    const isSame = after.length === before.length && isPrefix(before, after);
    return outcome === "refused" && isSame ? undefined : `the answer is ${outcome}, and ${after.length} bytes are there, of ${before.length}`;
  });

const standsAlone = (tail: string): Try => (lab, policies) =>
  lab.play(async (ports) => {
    await plant(ports, tail);
    const acknowledged = await appendAll(ports, policies, ["new"]);
    const read = await readReceipts(ports, LOG, "new");
    const { damage } = await surveyed(ports);
    const isFound = read.outcome === "read" && read.value.found !== undefined;
    if (acknowledged.length === 0) return "nothing was appended";
    return isFound && damage.counts.GLUED === undefined ? undefined : `the appended receipt is ${isFound ? "found" : "not found"}, lines with damage: ${JSON.stringify(damage.counts)}`;
  });

/** `write`: who writes what, and answers the numbers that were acknowledged. */
const numberedOnce = (write: (ports: RulePorts, policies: ReceiptPolicies) => Promise<number[]>): Try => (lab, policies) =>
  lab.play(async (ports) => {
    const numbers = await write(ports, policies);
    return new Set(numbers).size === numbers.length ? undefined : `acknowledged numbers: ${numbers.toSorted((one, two) => one - two).join(", ")}`;
  });

async function numbersOf(ports: RulePorts, policies: ReceiptPolicies, keys: readonly string[]): Promise<number[]> {
  const writer = createReceiptWriter(ports, LOG, policies);
  const numbers: number[] = [];
  for (const key of keys) {
    const result = await writer.append(draft(key, "pending"));
    if (result.outcome === "acknowledged") numbers.push(result.receipt.seq);
  }
  return numbers;
}

async function inTurn(ports: RulePorts, policies: ReceiptPolicies): Promise<number[]> {
  const writers = [createReceiptWriter(ports, LOG, policies), createReceiptWriter(ports, LOG, policies)];
  const numbers: number[] = [];
  for (const key of ["one", "two"]) {
    for (const writer of writers) {
      const result = await writer.append(draft(key, "pending"));
      if (result.outcome === "acknowledged") numbers.push(result.receipt.seq);
    }
  }
  return numbers;
}

/** One writer's write takes so long that its time is over, and lands behind the next owner's. */
async function overtaken(ports: RulePorts, policies: ReceiptPolicies): Promise<number[]> {
  const { disk, clock, faults, ids } = ports;
  const slow: RulePorts = {
    clock,
    faults,
    ids,
    disk: {
      ...disk,
      open: async (path, flags) => {
        const file = await disk.open(path, flags);
        if (path !== LOG) return file;
        return { ...file, write: async (bytes, position) => (await clock.sleep(LOCK_LEASE_MS + 5_000), file.write(bytes, position)) };
      },
    },
  };
  const late = numbersOf(slow, policies, ["late"]);
  await clock.sleep(1);
  return [...(await numbersOf(ports, policies, ["next"])), ...(await late)];
}

export const WRITING_RULES: readonly ReceiptRule[] = [
  {
    id: "RC05",
    text: RECEIPT_SENTENCES.RC05,
    faults: {
      ...Object.fromEntries(Object.entries(DAMAGES).map(([how, damaged]) => [`a line ${how}`, repairKeepsBytes(joined(lineOf(1, KEY, "pending"), damaged(lineOf(2, KEY, "completed")), lineOf(3, OTHER, "pending")))])),
      "a torn tail": repairKeepsBytes(WHOLE + cut(lineOf(3, OTHER, "pending"))),
      "an append behind a torn tail": (lab, policies) =>
        lab.play(async (ports) => {
          await plant(ports, cut(WHOLE));
          const before = await bytesAt(ports);
          await appendAll(ports, policies, ["new"]);
          return isPrefix(before, await bytesAt(ports)) ? undefined : `the ${before.length} bytes that were there are others now`;
        }),
    },
  },
  {
    id: "RC06",
    text: RECEIPT_SENTENCES.RC06,
    faults: {
      "the process is killed": atEachStep("process-killed", "", noneLost),
      "the power is lost": atEachStep("power-lost", "", noneLost),
      "the power is lost behind a torn tail": atEachStep("power-lost", WHOLE + cut(lineOf(3, OTHER, "pending")), noneLost),
      "a repair of a damaged line before it": (lab, policies) =>
        lab.play(async (ports) => {
          await plant(ports, DAMAGED);
          await repairLog(ports, LOG, policies);
          const lost = missingOf([`${OTHER} completed`], await onRecord(ports));
          return lost.length === 0 ? undefined : `not there after the repair: ${lost.join(", ")}`;
        }),
    },
  },
  {
    id: "RC07",
    text: RECEIPT_SENTENCES.RC07,
    faults: {
      "the power is lost": atEachStep("power-lost", "", noneInvented),
      "a repair of a cut completion": (lab, policies) =>
        lab.play(async (ports) => {
          await plant(ports, DAMAGED);
          const readable = await onRecord(ports);
          await repairLog(ports, LOG, policies);
          const invented = (await onRecord(ports)).filter((one) => !readable.includes(one));
          return invented.length === 0 ? undefined : `on record after the repair only: ${invented.join(", ")}`;
        }),
    },
  },
  {
    id: "RC09",
    text: RECEIPT_SENTENCES.RC09,
    faults: {
      "an append": refusesNewer(WHOLE + joined(NEWER(OTHER)), async (ports, policies) => createReceiptWriter(ports, LOG, policies).append(draft("new", "pending"))),
      "a repair of a damaged line": refusesNewer(DAMAGED + joined(NEWER(OTHER)), (ports, policies) => repairLog(ports, LOG, policies)),
    },
  },
  {
    id: "RC10",
    text: RECEIPT_SENTENCES.RC10,
    faults: {
      "a tail cut in the middle": standsAlone(WHOLE + cut(lineOf(3, OTHER, "pending"))),
      "a tail without its line feed": standsAlone(WHOLE.trimEnd()),
      "a tail of zeros": standsAlone(`${WHOLE}\0\0\0\0`),
    },
  },
  {
    id: "RC11",
    text: RECEIPT_SENTENCES.RC11,
    faults: {
      "two writers at once": numberedOnce(async (ports, policies) => (await Promise.all([numbersOf(ports, policies, ["a", "b"]), numbersOf(ports, policies, ["c", "d"])])).flat()),
      "two writers in turn": numberedOnce(inTurn),
      "a writer whose time is over while it writes": numberedOnce(overtaken),
    },
  },
];

