/** What the page of the game day and the page of the terminal record show of runs: the fault table, a real record, and its words. */
import { findRunner } from "@casebook/sim/node";
import { describeRecord, readTerminalRecord, terminalRecordSchema } from "@casebook/supervisor/judge";
import { GAME_DAY, playRun, playScenario, scenarioCalled } from "@casebook/supervisor/scenarios";

export const FAULT_MARKERS = ["<!-- faults:start -->", "<!-- faults:end -->"] as const;
export const FIELD_MARKERS = ["<!-- fields:start -->", "<!-- fields:end -->"] as const;

export const RECORD_SCHEMA_PATH = "packages/cli/schema/terminal-record.schema.json";

/** Of a run that a tool kept from its end. */
const SHOWN = "tool_hang/three-vendors";

/** Every fault of the table, played on the run with three vendors and fifteen sections. */
export async function renderFaults(): Promise<string> {
  const runner = await findRunner();
  const blocks: string[] = [];
  for (const { fault, breakIt, watch, putBack } of GAME_DAY) {
    const { window, observation, causes, expectedCauses, verdict } = await playScenario(scenarioCalled(`${fault}/three-vendors`), { runner });
    if (verdict !== "pass") throw new Error(`GAME_DAY_STALE: ${fault} ends as ${verdict}. Mend the supervisor or its scenario before the page is written.`);
    blocks.push(
      [
        `### ${fault}`,
        "",
        "| | |",
        "| --- | --- |",
        `| break | ${breakIt} |`,
        `| watch | ${watch} |`,
        `| the record says | ${expectedCauses.map((cause) => `\`${cause}\``).join(" or ")} |`,
        `| put back | ${putBack} |`,
        `| in the simulated run | ${window}: ${observation}; \`${causes.join(", ")}\` |`,
      ].join("\n"),
    );
  }
  return blocks.join("\n\n");
}

/** Outputs by the id of their mark. */
export async function recordOutputs(): Promise<Map<string, string>> {
  const { snapshot } = await playRun(scenarioCalled(SHOWN).world, await findRunner());
  const read = readTerminalRecord(snapshot?.tables.get("records")?.[0]);
  if (read.outcome !== "ok") throw new Error(read.says);
  const { record } = read;
  const { why, resume, look } = describeRecord(record);
  const rows = JSON.parse(snapshot?.artefacts.get(record.trace ?? "") ?? "{}") as { agents: { name: string }[]; items: { name: string }[]; waits: unknown[] };
  const of = (names: readonly { name: string }[], name: string | null): unknown => names.find((one) => one.name === name);
  return new Map([
    ["terminal-record", `${asLines(record)}\n`],
    ["terminal-record-words", `${[why, resume, look].join("\n")}\n`],
    ["terminal-record-trace", `items   ${JSON.stringify(of(rows.items, record.stuckItem))}\nagents  ${JSON.stringify(of(rows.agents, record.stuckAgent))}\n`],
  ]);
}

/** One field a line, lists of items one item a line. */
function asLines(record: object): string {
  const valueOf = (value: unknown): string => (Array.isArray(value) && value.length > 0 ? `[\n${value.map((one) => `    ${JSON.stringify(one)}`).join(",\n")}\n  ]` : JSON.stringify(value));
  return `{\n${Object.entries(record).map(([name, value]) => `  ${JSON.stringify(name)}: ${valueOf(value)}`).join(",\n")}\n}`;
}

export function recordSchemaText(): string {
  return `${JSON.stringify(terminalRecordSchema(), undefined, 2)}\n`;
}

interface FieldSchema {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly anyOf?: readonly FieldSchema[];
}

export function renderFields(): string {
  const { properties = {} } = terminalRecordSchema() as FieldSchema;
  const wordsOf = ({ enum: words, anyOf = [] }: FieldSchema): readonly string[] => words ?? anyOf.flatMap(wordsOf);
  const rows = Object.entries(properties).map(([name, field]) => {
    const inner = Object.entries(field.items?.properties ?? field.properties ?? {}).map(([inside, { description }]) => `\`${inside}\`${description === undefined ? "" : ` (${description.replace(/\.$/, "")})`}`);
    const words = wordsOf(field).map((word) => `\`${word}\``);
    return `| \`${name}\` | ${[field.description ?? "", words.length === 0 ? "" : `One of ${words.join(", ")}.`, inner.length === 0 ? "" : `With ${inner.join(", ")}.`].filter((text) => text !== "").join(" ")} |`;
  });
  return ["| field | says |", "| --- | --- |", ...rows].join("\n");
}
