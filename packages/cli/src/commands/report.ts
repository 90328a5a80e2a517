/**
 * `casebook report`: plays a case here and prints a report to paste, an entry for `case.json`, and the address of the form. Sends
 * nothing. The outcome is the person's; what the run counted stands beside it.
 */
import { createHash } from "node:crypto";
import { arch, homedir, hostname, release, type, userInfo } from "node:os";
import { type Facts, play, reportAsText, type Repro, type ReproReport, runRepro } from "@casebook/repro";
import { EXIT } from "@casebook/verdict";
import { type Answer, documentText } from "../answer.ts";
import type { Case } from "../catalog/catalog.ts";
import { HOME } from "../home/here.ts";
import { privateData } from "../house/private-data.ts";
import { nearest } from "../nearest.ts";
import { contradiction, type Outcome } from "../outside/contradiction.ts";
import { type Person, redactPerson, withoutHomesIn } from "../outside/redact-person.ts";
import { entryOf, formAddress, MAX_ADDRESS_LENGTH, type OutsideReport, renderBlock } from "../outside/render-report.ts";
import { repositoryName, repositoryOf } from "../repository.ts";
import { UsageError } from "../usage-error.ts";
import { VERSION } from "../version.ts";
import { loadRepro } from "./run.ts";
import { caseOf } from "./select-cases.ts";

export interface ReportOptions {
  readonly repro: string;
  readonly outcome: string | undefined;
  readonly note: string | undefined;
  readonly json: boolean;
}

/** What a report says about where it was made, and what it must not say. */
export interface Machine {
  readonly nowMs: number;
  readonly system: string;
  readonly runtime: string;
  readonly person: Person;
  readonly repository: string | undefined;
}

const OUTCOMES: readonly Outcome[] = ["reproduced", "not reproduced", "partial", "not run"];
/** A note is a remark; a story belongs into the form. */
const MAX_NOTE_LENGTH = 2_000;

export async function report({ repro, outcome, note, json }: ReportOptions, machine: Machine = thisMachine()): Promise<Answer> {
  const stated = readOutcome(outcome);
  const remark = readNote(note, machine.person);
  const item = caseOf(await HOME.readCatalog(), repro);
  const played = stated === "not run" ? undefined : await playHere(item, machine.person);
  const said = contradiction(stated, played?.verdict);
  const { name, bytes } = HOME.readCode(item);
  const outside: OutsideReport = {
    item,
    outcome: stated,
    run: played,
    contradiction: said,
    version: VERSION,
    system: redactPerson(machine.system, machine.person),
    runtime: machine.runtime,
    code: `${name} sha-256 ${createHash("sha256").update(bytes).digest("hex")}`,
    day: new Date(machine.nowMs).toISOString().slice(0, 10),
    note: remark,
  };
  const block = renderBlock(outside);
  const entry = entryOf(outside);
  const form = formAddress(outside, block, machine.repository);
  const document = { case: item.number, outcome: stated, ...(played === undefined ? {} : { verdict: played.verdict }), ...(said === undefined ? {} : { contradiction: said }) };
  return {
    text: json ? documentText({ ...document, block, entry, form }) : asText(block, entry, form, machine.repository),
    exitCode: EXIT.clean,
    ...asideOf([...(said === undefined ? [] : [said]), ...privateData("note", remark ?? "")]),
  };
}

/** What the person should look at before the report is pasted. */
function asideOf(lines: readonly string[]): { aside?: string } {
  return lines.length === 0 ? {} : { aside: lines.map((line) => `casebook: ${line}\n`).join("") };
}

function readOutcome(given: string | undefined): Outcome {
  const found = OUTCOMES.find((outcome) => outcome === given);
  if (found !== undefined) return found;
  const known = OUTCOMES.map((outcome) => JSON.stringify(outcome)).join(", ");
  if (given === undefined) throw new UsageError(`--outcome is missing, and nobody but you can state it: ${known}.`);
  const meant = nearest(given, OUTCOMES);
  throw new UsageError(`--outcome knows ${known}, not ${JSON.stringify(given)}.${meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`}`);
}

function readNote(note: string | undefined, person: Person): string | undefined {
  if (note === undefined) return undefined;
  if (note.trim() === "") throw new UsageError("--note is empty. Say something, or leave it out.");
  if (note.length > MAX_NOTE_LENGTH) throw new UsageError(`--note has ${note.length} characters, and a report takes ${MAX_NOTE_LENGTH}. Shorten it, and tell the rest in the form.`);
  return redactPerson(note.trim(), person);
}

/** A plain run, and a second play of each shown scene for its trace. */
async function playHere(item: Case, person: Person): Promise<NonNullable<OutsideReport["run"]> & Pick<ReproReport, "verdict">> {
  let repro: Repro<unknown, Facts>;
  try {
    repro = await loadRepro(item);
  } catch (thrown) {
    const [why = ""] = (thrown instanceof Error ? thrown.message : String(thrown)).split("\n", 1);
    return { verdict: "NOT RUN", text: redactPerson(`repro: NOT RUN - no verdict\nsetup-failed: the case could not be loaded: ${why}\n`, person), counters: [], traces: [] };
  }
  const ran = await runRepro(repro, { all: false, twice: false });
  // The lines of a run that is OK are those of the page and know no person; a short user name may be a word in them.
  const shown = (text: string) => (ran.verdict === "OK" ? withoutHomesIn(text, person.homes) : redactPerson(text, person));
  const scenes = ran.verdict === "NOT RUN" ? [] : repro.shown;
  const traces: string[] = [];
  for (const scene of scenes) traces.push(`trace ${(await play(repro, scene)).traceHash}  mode=${scene.name}`);
  return { verdict: ran.verdict, text: shown(reportAsText(ran)), counters: ran.lines.map(shown), traces };
}

function asText(block: string, entry: object, { address, holdsReport }: ReturnType<typeof formAddress>, repository: string | undefined): string {
  const where = repository === undefined ? [`The address is relative: open it under that of ${repositoryName(repository)}.`] : [];
  const paste = holdsReport ? [] : [`The report is too long for an address (${MAX_ADDRESS_LENGTH} characters): paste the block above into the form.`];
  return [
    "Nothing was sent. Read it before you paste it.",
    "",
    block.trimEnd(),
    "",
    "The form, to be opened in a browser; choose case and outcome there:",
    address,
    ...where,
    ...paste,
    "",
    "For the maintainer who takes it in, as an entry of `reproductions[]` in the case's case.json, once name and address are filled in:",
    JSON.stringify(entry, undefined, 2),
    "",
  ].join("\n");
}

function thisMachine(): Machine {
  const { USER, USERNAME, LOGNAME, HOME: home, USERPROFILE: profile } = process.env;
  const given = (texts: readonly (string | undefined)[]) => [...new Set(texts.flatMap((text) => (text === undefined || text === "" ? [] : [text])))];
  const homes = given([homedir(), home, profile]);
  return {
    nowMs: Date.now(),
    system: `${type()} ${release()} ${arch()}`,
    runtime: `Node ${process.versions.node}`,
    person: { homes, users: given([loginName(), USER, USERNAME, LOGNAME, ...homes.map((folder) => folder.split(/[/\\]/).at(-1))]), hosts: given([hostname()]) },
    repository: repositoryOf(),
  };
}

/** A container may have a user without a name. */
function loginName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
