/**
 * What `casebook doctor` prints on the invented homes of `doctor-trees.ts`, for the documents. The whole command line runs,
 * in this process, because a process for each costs seconds; `documents.real.ts` runs the same commands in a shell.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine, type Said } from "../command-line.ts";
import { HOMES, MORNING, MORNING_ZONE, writeHome } from "./doctor-trees.ts";

export interface ShownCommand {
  /** As in `<!-- output:ID -->`. */
  readonly id: string;
  readonly home: keyof typeof HOMES;
  /** As a person types it; without spaces inside a word. May end in `| tail -n 1`, and in no other pipe. */
  readonly command: string;
  readonly exitCode: number;
}

/** Words that a command is given beside its own, so that a morning in the past stays one. The self-test looks at no morning. */
export function morningWords(command: string): string[] {
  return command.includes("--self-test") ? [] : ["--now", MORNING, "--zone", MORNING_ZONE];
}

const LAST_LINE = " | tail -n 1";

export const SHOWN: readonly ShownCommand[] = [
  { id: "doctor-small", home: "small", command: "casebook doctor", exitCode: 1 },
  { id: "doctor-night", home: "night", command: "casebook doctor", exitCode: 1 },
  { id: "doctor-healthy", home: "healthy", command: "casebook doctor", exitCode: 0 },
  { id: "doctor-nothing", home: "unknown", command: "casebook doctor", exitCode: 3 },
  { id: "doctor-unknown", home: "unknown", command: "casebook doctor ~/harbour", exitCode: 3 },
  {
    id: "doctor-custom",
    home: "unknown",
    command: "casebook doctor --registry ~/harbour/agents.json --records /agents --id /slug --schedule /schedule/cron --last-run /lastRun",
    exitCode: 3,
  },
  {
    id: "doctor-yaml",
    home: "yaml",
    command: "casebook doctor --registry ~/harbour/agents.yaml --records /agents --id /slug --schedule /cron --last-run /lastRun",
    exitCode: 1,
  },
  { id: "doctor-receipts", home: "receipts", command: "casebook doctor --receipts ~/relay/receipts.jsonl", exitCode: 1 },
  { id: "doctor-self-test", home: "healthy", command: `casebook doctor --self-test${LAST_LINE}`, exitCode: 0 },
];

/** The usual places of other systems are not those that the documents show. */
export const SHOWS_HERE = process.platform === "linux";

export async function runShown({ home, command }: Pick<ShownCommand, "home" | "command">): Promise<Said> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "casebook-home-")));
  const { HOME, CLAUDE_CONFIG_DIR } = process.env;
  try {
    writeHome(folder, HOMES[home]());
    process.env["HOME"] = folder;
    delete process.env["CLAUDE_CONFIG_DIR"];
    const isLastLine = command.endsWith(LAST_LINE);
    const [, ...typed] = (isLastLine ? command.slice(0, -LAST_LINE.length) : command).split(" ");
    const words = typed.map((word) => word.replace(/^~/, folder));
    const said = await commandLine([...words, ...morningWords(command)]);
    return isLastLine ? { ...said, stdout: said.stdout.split("\n").slice(-2).join("\n") } : said;
  } finally {
    restore("HOME", HOME);
    restore("CLAUDE_CONFIG_DIR", CLAUDE_CONFIG_DIR);
    rmSync(folder, { recursive: true, force: true });
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** By id; empty where the places are others. One after the other, because there is one `HOME`. */
export async function shownOutputs(): Promise<Map<string, string>> {
  const outputs = new Map<string, string>();
  if (!SHOWS_HERE) return outputs;
  for (const shown of SHOWN) outputs.set(shown.id, (await runShown(shown)).stdout);
  return outputs;
}
