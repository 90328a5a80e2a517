/**
 * Two writers and a reader of one log on one host, for the search: everything dies at any step, and a power loss leaves any disk that the
 * rules allow. What was acknowledged is written down outside of that disk.
 */
import type { System } from "@casebook/explore";
import { createReceiptWriter, readReceipts, type ReceiptPolicies } from "@casebook/receipt-reader";
import { type LogSurvey, surveyLog } from "@casebook/receipt-reader/judge";
import type { ArmedFault, PointFault, ProcessPorts } from "@casebook/sim/kernel";
import { draftOf, LOG } from "../log.fixture.ts";

export interface Acknowledged {
  readonly key: string;
  readonly seq: number;
}

export interface TwoWritersFacts {
  readonly asked: readonly string[];
  readonly acknowledged: readonly Acknowledged[];
  /** Acknowledged before a reading began that did not find it. */
  readonly overlooked: readonly string[];
  readonly survey: LogSurvey;
}

const HOST = "box";

export interface TwoWritersOptions {
  readonly name: string;
  readonly policies: ReceiptPolicies;
  readonly steps: readonly PointFault[];
  readonly armed?: readonly ArmedFault[];
  readonly expect?: "fails";
}

export function twoWriters({ name, policies, steps, armed = [], expect }: TwoWritersOptions): System<TwoWritersFacts> {
  return {
    name: `receipts/${name}`,
    claim: "What was acknowledged is there, once and under a number of its own, and nothing else is.",
    ...(expect === undefined ? {} : { expect }),
    durability: "posix-min",
    faults: { points: [], kinds: [], steps, armed },
    healMs: 120_000,
    build(space) {
      const asked = space.cell<readonly string[]>("asked", []);
      const acknowledged = space.cell<readonly Acknowledged[]>("acknowledged", []);
      const overlooked = space.cell<readonly string[]>("overlooked", []);
      const files = space.files(HOST);

      const writer = async (ports: ProcessPorts): Promise<void> => {
        // A new life has a command of its own.
        const key = `${ports.process.name}-${ports.process.life}`;
        await ports.cell(asked).update((keys) => [...keys, key]);
        const result = await createReceiptWriter(ports, LOG, policies).append(draftOf(key));
        if (result.outcome === "acknowledged") await ports.cell(acknowledged).update((all) => [...all, { key, seq: result.receipt.seq }]);
      };

      space.process("writer-a", writer, { host: HOST });
      space.process("writer-b", writer, { host: HOST });
      space.process(
        "reader",
        async (ports) => {
          const [first] = await ports.cell(acknowledged).read();
          if (first === undefined) return;
          const read = await readReceipts(ports, LOG, first.key, policies);
          if (read.outcome === "read" && read.value.found !== undefined) return;
          await ports.cell(overlooked).update((keys) => [...keys, first.key]);
        },
        { host: HOST },
      );
      return {
        facts: () => ({
          asked: asked.value,
          acknowledged: acknowledged.value,
          overlooked: overlooked.value,
          survey: surveyLog(files.read(LOG) ?? new Uint8Array(0)),
        }),
      };
    },
    checks: [
      {
        id: "receipts/acknowledged-is-there",
        when: "end",
        alarm({ acknowledged, survey: { keys } }) {
          const lost = acknowledged.filter(({ key }) => !keys.some((one) => one.key === key));
          return lost.length === 0 ? undefined : `${lost.length} of ${acknowledged.length} acknowledged receipts are not there: ${lost.map(({ key }) => key).join(", ")}`;
        },
      },
      {
        id: "receipts/none-invented",
        when: "end",
        alarm({ asked, survey: { keys } }) {
          const invented = keys.map(({ key }) => key).filter((key) => !asked.includes(key));
          return invented.length === 0 ? undefined : `${invented.length} of ${keys.length} receipts were never asked for: ${invented.join(", ")}`;
        },
      },
      {
        id: "receipts/numbered-once",
        when: "end",
        alarm({ acknowledged }) {
          const numbers = acknowledged.map(({ seq }) => seq);
          return new Set(numbers).size === numbers.length ? undefined : `acknowledged numbers: ${numbers.join(", ")}`;
        },
      },
      { id: "receipts/reader-finds-it", when: "end", alarm: ({ overlooked }) => (overlooked.length === 0 ? undefined : `acknowledged, and not found: ${overlooked.join(", ")}`) },
    ],
    sometimes: {
      "both acknowledged": ({ acknowledged }) => acknowledged.length >= 2,
      "more than two lives acknowledged": ({ acknowledged }) => acknowledged.length >= 3,
      "a line was torn": ({ survey }) => survey.damage.lines > 0,
    },
  };
}
