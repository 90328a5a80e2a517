/**
 * Words in, text and an exit code out. Parses and hands on; every command is loaded when it is called, so that
 * `--help` costs little more than Node itself.
 */
import { EXIT, type ExitCode } from "@casebook/verdict";
import { Command, CommanderError } from "commander";
import { type Answer, documentText } from "./answer.ts";
import { CatalogError } from "./catalog/catalog-error.ts";
import type { DoctorWords } from "./commands/doctor-options.ts";
import type { ExploreWords } from "./commands/explore-options.ts";
import type { ReplayWords } from "./commands/replay.ts";
import type { Machine } from "./commands/machine.ts";
import { HOME } from "./home/here.ts";
import { UsageError } from "./usage-error.ts";
import { VERSION } from "./version.ts";

export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: ExitCode;
}

/** Never rejects: what nobody foresaw is exit 1, its message and no stack. `machine`: what `doctor` looks at; default: this one. */
export async function commandLine(words: readonly string[], machine?: Machine): Promise<Said> {
  const said = { stdout: "", stderr: "" };
  let answer: Answer | undefined;
  const program = createProgram((given) => (answer = given), machine).configureOutput({
    writeOut: (text) => void (said.stdout += text),
    writeErr: (text) => void (said.stderr += text),
    outputError: (text, write) => write(`casebook: ${text.replace(/^error: /, "")}Nothing was run. \`casebook --help\` lists the words.\n`),
  });
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(words, { from: "user" });
    return { stdout: said.stdout + (answer?.text ?? ""), stderr: said.stderr + (answer?.aside ?? ""), exitCode: answer?.exitCode ?? EXIT.clean };
  } catch (thrown) {
    const json = words.includes("--json");
    if (!(thrown instanceof CommanderError)) return refusal(thrown, json);
    if (thrown.exitCode === 0) return { ...said, exitCode: EXIT.clean };
    const message = thrown.message.replace(/^error: /, "").replaceAll("\n", " ");
    return { ...said, stdout: json ? documentText({ error: { code: "USAGE", message } }) : said.stdout, exitCode: EXIT.usage };
  }
}

/** A wrong word or an unusable file of ours is 2, a missing module 3. Under `--json` the refusal is a document on stdout as well. */
function refusal(thrown: unknown, json: boolean): Said {
  const { code, exitCode, message, after } = refused(thrown);
  return { stdout: json ? documentText({ error: { code, message } }) : "", stderr: `casebook: ${message}${after}\n`, exitCode };
}

function refused(thrown: unknown): { code: string; exitCode: ExitCode; message: string; after: string } {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof UsageError) return { code: "USAGE", exitCode: EXIT.usage, message, after: " Nothing was run." };
  if (thrown instanceof CatalogError) return { code: thrown.code, exitCode: EXIT.usage, message, after: "" };
  if (thrown instanceof Error && "code" in thrown && thrown.code === "ERR_MODULE_NOT_FOUND") {
    const now = HOME.clone === undefined ? "This copy of casebook is not whole: install it again." : "Install what the clone needs; README.md has the command.";
    return { code: "MISSING_DEPENDENCY", exitCode: EXIT.noVerdict, message: `${message}. ${now}`, after: " There is no verdict." };
  }
  return { code: "UNEXPECTED", exitCode: EXIT.findings, message, after: "" };
}

const CLONE_EXAMPLES = `
  casebook test 001 --against broken
  casebook new incident a-lock-that-nobody-removes`;
const IN_A_CLONE = HOME.clone === undefined ? " (in a clone only)" : "";

const AFTER_HELP = `
Examples:
  casebook doctor
  casebook list
  casebook run 001
  casebook explain 001
  casebook explore 005 --system look-then-claim
  casebook report --repro 001 --outcome "not reproduced"${HOME.clone === undefined ? "" : CLONE_EXAMPLES}

Exit codes: 0 clean, 1 findings or failures, 2 usage, 3 no verdict, 130 interrupted.`;

/** The last of two would be taken, and the first dropped without a word. */
function once(option: string): (value: string, before: string | undefined) => string {
  return (value, before) => {
    if (before !== undefined) throw new UsageError(`${option} was given twice, ${JSON.stringify(before)} and ${JSON.stringify(value)}; one report is of one case. Give it once.`);
    return value;
  };
}

function createProgram(take: (answer: Answer) => void, machine: Machine | undefined): Command {
  const program = new Command("casebook")
    .description("Failures of the plumbing that starts scheduled AI agents: repros, guards, checks.")
    .version(VERSION, "-V, --version", "the version of all packages")
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText("after", AFTER_HELP);

  program
    .command("doctor")
    .description("did my agents really run? reads registries and traces, writes nothing")
    .argument("[path...]", "folders or registry files; the usual places when left out")
    .option("--since <span>", "how far back: 24h, 7d, or an instant (default: 24h)")
    .option("--now <instant>", "judge as if it were then")
    .option("--json", "one JSON document")
    .option("--format <format>", "human, json or openmetrics")
    .option("--only <guards>", "these guards only, with commas between")
    .option("--zone <zone>", "IANA name for schedules without one (default: this machine's)")
    .option("--self-test", "show that every guard alarms on a bad tree and is silent on a healthy one")
    .option("--registry <file>", "a registry in a shape of your own")
    .option("--records <pointer>", "where its records are, a JSON pointer")
    .option("--id <pointer>", "a record's id, or `key` for a map")
    .option("--schedule <pointer>", "a record's schedule, such as /schedule/expr or once:/fireAt:epoch-ms")
    .option("--last-run <pointer>", "a record's last run, such as /lastRunAt or /lastRun:epoch-ms")
    .option("--enabled <pointer>", "a record's word for whether it runs, true or false, such as /enabled")
    .option("--receipts <file>", "a log of command receipts, JSONL")
    .option("--ledger <file>", "the export of a supervisor's ledger, JSONL")
    .action(async (paths: string[], words: DoctorWords) => {
      const { doctor } = await import("./commands/doctor.ts");
      take(await doctor(paths, words, machine));
    });

  program
    .command("list")
    .description("the cases that run and the numbers promised to later ones")
    .option("--json", "one JSON document")
    .action(async (options: { json?: true }) => {
      const { list } = await import("./commands/list.ts");
      take(await list({ json: options.json === true }));
    });

  program
    .command("run")
    .description("play the scenes of a case and print what they count")
    .argument("<id...>", "case numbers, three digits")
    .option("--all", "also the modes that a plain run leaves out")
    .option("--twice", "play every scene twice and compare the traces")
    .option("--json", "one JSON document")
    .action(async (ids: string[], options: { all?: true; twice?: true; json?: true }) => {
      const { run } = await import("./commands/run.ts");
      const { all, twice, json } = options;
      take(await run(ids, { all: all === true, twice: twice === true, json: json === true }));
    });

  program
    .command("explore")
    .description("search the schedules and faults of a case for what breaks it")
    .argument("<id>", "a case number, three digits, or the suite `dispatch` or `termination`")
    .option("--system <name>", "this system only, such as 005/claim (default: all of the case)")
    .option("--budget <count>", "executions for each set of faults (default: 2000)")
    .option("--seed <number>", "of the random strategies (default: 1)")
    .option("--strategy <strategy>", "mix, exhaustive, sampled, random or priorities (default: mix)")
    .option("--faults <depth>", "none, singles or pairs (default: singles)")
    .option("--pairs <count>", "so many pairs, drawn by the seed (default: all; termination: 150)")
    .option("--plain", "play equivalent schedules as well")
    .option("--save <folder>", "write trace and picture of each finding there, over nothing")
    .option("--json", "one JSON document")
    .action(async (id: string, words: ExploreWords) => {
      const { explore } = await import("./commands/explore.ts");
      take(await explore(id, words));
    });

  program
    .command("replay")
    .description("play one execution again, from the line that a search printed")
    .argument("<token|file>", "a token, a file with a token or a saved trace in it, or - for stdin")
    .option("--twice", "play it twice and compare every byte")
    .option("--until <step>", "stop showing there, and say what waits and what the facts are")
    .option("--diagram", "the space-time diagram instead of the list of steps")
    .option("--svg", "the diagram as a picture on stdout")
    .option("--json", "the whole trace as one JSON document")
    .action(async (given: string, words: ReplayWords) => {
      const { replay } = await import("./commands/replay.ts");
      take(await replay(given, words));
    });

  program
    .command("test")
    .description(`run the guard tests of a case, or of all, or the rules or scenarios of a suite${IN_A_CLONE}`)
    .argument("[id...]", "case numbers, three digits; all when left out")
    .option("--against <system>", "wire the tests to the `fixed` or the `broken` system; of a suite, to one that is known to be wrong", "fixed")
    .option("--suite <suite>", "the rules of `receipts` or of `dispatch`, or the scenarios of `termination`, each with its faults")
    .option("--json", "one JSON document")
    .action(async (ids: string[], { against, suite, json }: { against: string; suite?: string; json?: true }) => {
      if (HOME.clone === undefined) throw (await import("./home/needs-clone.ts")).needsClone("test");
      const { test, testSuite } = HOME.clone.commands;
      take(await (suite === undefined ? test(ids, { against, json: json === true }) : testSuite(suite, ids, { against, json: json === true })));
    });

  program
    .command("explain")
    .description("what a case or a guard is about, and how to read its verdict")
    .argument("<id>", "a case number such as 001, or a guard such as registry/parity")
    .option("--json", "one JSON document")
    .action(async (id: string, options: { json?: true }) => {
      const { explain } = await import("./commands/explain.ts");
      take(await explain(id, { json: options.json === true }));
    });

  program
    .command("report")
    .description("play a case and print a report of it to paste, without anything private")
    .requiredOption("--repro <id>", "the case, three digits", once("--repro"))
    .option("--outcome <outcome>", 'reproduced, "not reproduced", partial or "not run"', once("--outcome"))
    .option("--note <text>", "what you want to say about it", once("--note"))
    .option("--json", "one JSON document")
    .action(async (words: { repro: string; outcome?: string; note?: string; json?: true }) => {
      const { report } = await import("./commands/report.ts");
      take(await report({ repro: words.repro, outcome: words.outcome, note: words.note, json: words.json === true }));
    });

  program
    .command("new")
    .description(`a new case from the template${IN_A_CLONE}`)
    .argument("<kind>", "`incident`")
    .argument("<slug>", "its name, such as a-lock-that-nobody-removes")
    .option("--number <number>", "a number of your own, three digits (default: the next free one)")
    .option("--json", "one JSON document")
    .action(async (kind: string, slug: string, options: { number?: string; json?: true }) => {
      if (HOME.clone === undefined) throw (await import("./home/needs-clone.ts")).needsClone("new");
      if (kind !== "incident") throw new UsageError(`\`casebook new\` makes an \`incident\`, not ${JSON.stringify(kind)}. Type \`casebook new incident <slug>\`.`);
      take(await HOME.clone.commands.newIncident(slug, { number: options.number, json: options.json === true }));
    });

  return program;
}
