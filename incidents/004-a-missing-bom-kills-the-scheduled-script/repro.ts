/**
 * Case 004: a missing BOM kills the scheduled script.
 *
 * An agent saves a script as UTF-8 without a mark and tries it in the newer host, which takes unmarked bytes for UTF-8. At night
 * the scheduler starts the classic host, which takes them for the code page of the machine. There a byte of an em dash is a
 * closing quote; the string ends early, the script cannot be parsed, and no line of it runs, not even the one that opens the log.
 *
 * The host reads strings, here-strings, comments, expressions in strings, doubled quotes and backticks; it runs one command. It
 * leaves out every other error of parsing, `--%`, names in braces that hold a quote, and a `#` right behind an operator.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { encodingGraded, encodingScriptQuotes, type Finding } from "@casebook/guards";
import type { Disk, Ports } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { Volume } from "memfs";

const EPOCH = "2026-08-31T16:00:00Z";
const FIRST_NIGHT_MS = Date.parse("2026-09-01T02:00:00Z");
const DAY_MS = 86_400_000;
const NIGHTS = 3;

export const SCRIPT = "/scripts/nightly.ps1";
const LOG = "/logs/nightly.log";
const TASK = "/tasks/nightly.json";
const AGENT = "/agents/reviewer.md";
const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

export interface Evenings {
  /** Which of the two files, the script and the agent file, its writer begins with EF BB BF. */
  readonly marks: "nothing" | "scripts" | "everything";
  /** Who starts at night. By hand it is always the newer one. */
  readonly scheduled: "classic" | "newer";
  readonly codePage: 1251 | 1252;
  /** What the script says in a comment, in strings of both kinds, and in a here-string. */
  readonly comment: string;
  readonly double: string;
  readonly single: string;
  readonly here: string;
  readonly watcher: "nobody" | "guards";
}

export interface Seen extends Facts {
  /** How the script went when it was tried by hand. */
  readonly byHand: "ran" | "died";
  /** Times that the scheduler started the host, and how many of these ran the script. */
  readonly started: number;
  readonly ran: number;
  /** What the task says about its last run. */
  readonly result: string;
  /** Lines that the nights left in the log, and how many of them are as they were written. */
  readonly log: number;
  readonly asWritten: number;
  /** Where the scheduled host reports its error, by line and column of what it read. */
  readonly reportedAt: string;
  /** Agent files that their reader sees, of one. */
  readonly agents: number;
  /** What an operator looks at. */
  readonly lights: readonly string[];
  /** `<guard>@<line>:<column>`, without a place where the guard names none. */
  readonly alarms: readonly string[];
}

export function scriptText({ comment, double, single, here }: Pick<Evenings, "comment" | "double" | "single" | "here">): string {
  return [
    `# Runs every night. ${comment}`,
    `Add-Content '${LOG}' "${double}"`,
    `Add-Content '${LOG}' '${single}'`,
    `Add-Content '${LOG}' @"`,
    here,
    `"@`,
    `Add-Content '${LOG}' "finished"`,
    "",
  ].join("\n");
}

const agentText = "---\nname: reviewer\n---\nRead the log of the night.\n";

export function disk(evenings: Evenings): Volume {
  const saved = (text: string, isMarked: boolean) => Uint8Array.of(...(isMarked ? MARK : []), ...new TextEncoder().encode(text));
  const volume = Volume.fromJSON({
    [SCRIPT]: "",
    [AGENT]: "",
    [LOG]: "",
    [TASK]: JSON.stringify({ enabled: true, nextRunAt: new Date(FIRST_NIGHT_MS).toISOString(), lastResult: "" }),
  });
  volume.writeFileSync(SCRIPT, saved(scriptText(evenings), evenings.marks !== "nothing"));
  volume.writeFileSync(AGENT, saved(agentText, evenings.marks === "everything"));
  return volume;
}

async function threeNights({ ports }: World, evenings: Evenings): Promise<Seen> {
  const byHand = await runScript(ports.disk, "utf-8");
  const tried = await readText(ports.disk, LOG);
  const nights = await runNights(ports, evenings);
  const lines = (await readText(ports.disk, LOG)).slice(tried.length).split("\n").slice(0, -1);
  const { enabled, nextRunAt, lastResult } = JSON.parse(await readText(ports.disk, TASK));
  const failure = nights.at(-1)?.failure;
  return {
    byHand: byHand.failure === undefined ? "ran" : "died",
    started: nights.length,
    ran: nights.filter((night) => night.failure === undefined).length,
    result: lastResult,
    log: lines.length,
    asWritten: lines.filter((line) => [evenings.double, evenings.single, evenings.here, "finished"].includes(line)).length,
    reportedAt: failure === undefined ? "nowhere" : `${failure.line}:${failure.column}`,
    agents: await countAgents(ports.disk),
    lights: [...(enabled ? ["enabled"] : []), ...(Date.parse(nextRunAt) > ports.clock.now() ? ["next-run-ahead"] : [])],
    alarms: evenings.watcher === "nobody" ? [] : await alarmsOver(ports.disk, evenings.scheduled),
  };
}

/** The scheduler: starts the host, writes down what it answered and when the next night is. */
async function runNights(ports: Ports, { scheduled, codePage }: Evenings): Promise<Run[]> {
  const runs: Run[] = [];
  for (let night = 0; night < NIGHTS; night += 1) {
    const atMs = FIRST_NIGHT_MS + night * DAY_MS;
    await ports.clock.sleep(atMs - ports.clock.now());
    const run = await runScript(ports.disk, scheduled === "classic" ? codePage : "utf-8");
    runs.push(run);
    const lastResult = run.failure === undefined ? "0x00000000" : "0x80070001";
    await writeText(ports.disk, TASK, JSON.stringify({ enabled: true, nextRunAt: new Date(atMs + DAY_MS).toISOString(), lastResult }), "w");
  }
  return runs;
}

interface Run {
  readonly failure: LineAndColumn | undefined;
}

/** The host: reads the whole script before it runs a line of it. */
async function runScript(disk: Disk, unmarked: Encoding): Promise<Run> {
  const { text } = decodeFile(await readBytes(disk, SCRIPT), unmarked);
  const { pieces, unclosedAt } = readScript(text);
  if (unclosedAt !== undefined) return { failure: placeOf(text, unclosedAt) };
  for (const [command, path, value, ...surplus] of statementsOf(pieces)) {
    // Anything else is refused with a message that nobody reads, and the script goes on.
    if (command !== "Add-Content" || path === undefined || value === undefined || surplus.length > 0) continue;
    await writeText(disk, path, `${value}\n`, "a");
  }
  return { failure: undefined };
}

/** What the reader of agent files sees: front matter stands at the very first byte, or there is no agent. */
async function countAgents(disk: Disk): Promise<number> {
  const bytes = await readBytes(disk, AGENT);
  return [...new TextEncoder().encode("---\n")].every((byte, index) => bytes[index] === byte) ? 1 : 0;
}

/** Bytes and their reader are enough: nobody has to run anything. */
async function alarmsOver(disk: Disk, scheduled: Evenings["scheduled"]): Promise<string[]> {
  const bytes = await readBytes(disk, SCRIPT);
  const agent = await readBytes(disk, AGENT);
  const faults = MARK.every((byte, index) => agent[index] === byte) ? [{ path: AGENT, code: "UTF8_BOM", grade: "fatal" as const }] : [];
  const quotes = encodingScriptQuotes({ path: SCRIPT, bytes, unmarked: scheduled === "classic" ? "windows-125x" : "utf-8" });
  return [quotes, encodingGraded({ files: 1, faults })].flatMap((finding) => (finding === undefined ? [] : [shown(finding)]));
}

function shown({ guard, counts: { line, column } }: Finding): string {
  return line === undefined ? guard : `${guard}@${line}:${column}`;
}

export type Encoding = Evenings["codePage"] | "utf-8";

/** 80 to 9F. Carried along, because a runtime may take this code page for Latin-1. Five of them are not assigned and stay as they are. */
export const HIGH_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
/** 80 to BF; above follow the 64 letters from U+0410 on. One is not assigned. */
export const HIGH_1251 = "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u0098™љ›њќћџ\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬\u00ad®Ї°±Ііґµ¶·ё№є»јЅѕї";

export function decodeByte(byte: number, codePage: Evenings["codePage"]): string {
  if (byte < 0x80) return String.fromCharCode(byte);
  const listed = (codePage === 1252 ? HIGH_1252 : HIGH_1251)[byte - 0x80];
  return listed ?? String.fromCharCode(codePage === 1252 ? byte : byte - 0xc0 + 0x0410);
}

/** What a host makes of a file, and for each position in the text the byte that it comes from. */
interface Decoded {
  readonly text: string;
  readonly byteAt: readonly number[];
}

/** A mark says UTF-8, to every host. Without one each has a rule of its own. */
export function decodeFile(bytes: Uint8Array, unmarked: Encoding): Decoded {
  const isMarked = MARK.every((byte, index) => bytes[index] === byte);
  const start = isMarked ? MARK.length : 0;
  const body = bytes.subarray(start);
  if (!isMarked && unmarked !== "utf-8") {
    return { text: Array.from(body, (byte) => decodeByte(byte, unmarked)).join(""), byteAt: Array.from({ length: body.length + 1 }, (_, at) => at) };
  }
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const byteAt = [start];
  for (const character of text) {
    const end = (byteAt.at(-1) ?? start) + new TextEncoder().encode(character).length;
    // Beyond U+FFFF a character has two positions.
    byteAt.push(...Array.from({ length: character.length }, () => end));
  }
  return { text, byteAt };
}

/** A string or a comment, from its first character up to the one behind its last; one without an end goes to the end of the text. */
export interface Span {
  readonly kind: "comment" | "double" | "single" | "here";
  readonly from: number;
  readonly to: number;
}

interface Piece {
  readonly kind: "code" | "string";
  readonly text: string;
}

export interface ScriptReading {
  /** In order of their ends: those in an expression come before the string that holds it. */
  readonly spans: readonly Span[];
  /** Code and strings without the comments. An expression in a string stays its text. */
  readonly pieces: readonly Piece[];
  /** Where the string or the comment began that has no end. */
  readonly unclosedAt: number | undefined;
}

// The host takes curly quotes for quotes, in any mixture.
const DOUBLE = '["“”„]';
const SINGLE = "['‘’‚‛]";
const NAME = "(?:[A-Za-z0-9_:?]|[^\\0-\\x7f“”„‘’‚‛])";
const WORD = `(?:${NAME}|[-./\\\\]|\`[^])`;
const BREAK = "[\\r\\n]";
const pattern = (source: string) => new RegExp(source, "uy");

const BLOCK_COMMENT = { head: pattern("<#"), rest: pattern("[^]*?#>") };
const LINE_COMMENT = pattern("#[^\\r\\n]*");
const HERE_HEAD = { double: pattern(`@${DOUBLE}[ \\t]*(?=${BREAK})`), single: pattern(`@${SINGLE}[ \\t]*(?=${BREAK})`) };
const HERE_END = { double: pattern(`${BREAK}${DOUBLE}@`), single: pattern(`${BREAK}${SINGLE}@`) };
const QUOTE = { double: pattern(DOUBLE), single: pattern(SINGLE) };
const PAIR = { double: pattern(`${DOUBLE}{2}`), single: pattern(`${SINGLE}{2}`) };
const NOTHING = pattern("(?!)");
const EXPRESSION = pattern("\\$\\(");
const HIDDEN = pattern("`[^]");
const VARIABLE = pattern(`\\$${NAME}*`);
/** A # in a word is a letter of it. */
const WHOLE_WORD = pattern(`${WORD}(?:${WORD}|#)*`);

/** Cuts a script into code, strings and comments. */
export function readScript(text: string): ScriptReading {
  const spans: Span[] = [];
  const pieces: Piece[] = [];
  let unclosedAt: number | undefined;
  let next = 0;
  /** Strings that are open, each waiting for an expression to end. */
  let depth = 0;
  readCode();
  return { spans, pieces, unclosedAt };

  function take(what: RegExp): string | undefined {
    what.lastIndex = next;
    const [found] = what.exec(text) ?? [];
    next += found?.length ?? 0;
    return found;
  }

  /** To the end of the text, or in an expression to the parenthesis that closes it. */
  function readCode(): void {
    let open = 0;
    while (next < text.length) {
      if (readComment() || readHere() || readString()) continue;
      const code = take(VARIABLE) ?? take(WHOLE_WORD) ?? text.charAt(next++);
      if (depth === 0) pieces.push({ kind: "code", text: code });
      if (code === ")" && depth > 0 && open === 0) return;
      open += code === "(" ? 1 : code === ")" ? -1 : 0;
    }
  }

  function readComment(): boolean {
    const from = next;
    const isBlock = take(BLOCK_COMMENT.head) !== undefined;
    if (!isBlock && take(LINE_COMMENT) === undefined) return false;
    if (isBlock && take(BLOCK_COMMENT.rest) === undefined) return leaveOpen({ kind: "comment", from });
    spans.push({ kind: "comment", from, to: next });
    return true;
  }

  function readHere(): boolean {
    const from = next;
    const kind = take(HERE_HEAD.double) !== undefined ? "double" : take(HERE_HEAD.single) !== undefined ? "single" : undefined;
    // The break behind the head and the one before the end are not part of what it says.
    return kind !== undefined && readUpTo(HERE_END[kind], NOTHING, kind, { kind: "here", from }, (inside) => inside.replace(/^\r?\n|^\r/, ""));
  }

  function readString(): boolean {
    const from = next;
    const kind = take(QUOTE.double) !== undefined ? "double" : take(QUOTE.single) !== undefined ? "single" : undefined;
    return kind !== undefined && readUpTo(QUOTE[kind], PAIR[kind], kind, { kind, from }, (inside) => inside);
  }

  /** Two quotes side by side are one that belongs to the string. Only double quotes know backticks and expressions. */
  function readUpTo(end: RegExp, pair: RegExp, quotes: "double" | "single", span: Omit<Span, "to">, trim: (inside: string) => string): true {
    let value = "";
    while (next < text.length) {
      const doubled = take(pair);
      if (doubled !== undefined) value += doubled.charAt(0);
      else if (take(end) !== undefined) {
        spans.push({ ...span, to: next });
        if (depth === 0) pieces.push({ kind: "string", text: trim(value) });
        return true;
      } else if (quotes === "double" && take(EXPRESSION) !== undefined) value += readExpression();
      else value += (quotes === "double" ? take(HIDDEN)?.slice(1) : undefined) ?? text.charAt(next++);
    }
    return leaveOpen(span);
  }

  function readExpression(): string {
    const from = next;
    depth += 1;
    readCode();
    depth -= 1;
    return `$(${text.slice(from, next)}`;
  }

  /** The innermost is what the host complains about. */
  function leaveOpen(span: Omit<Span, "to">): true {
    unclosedAt ??= span.from;
    next = text.length;
    spans.push({ ...span, to: next });
    return true;
  }
}

/** A statement a line; its words are apart by blanks, and a string is a word of its own unless it stands in one. */
function statementsOf(pieces: readonly Piece[]): string[][] {
  const statements: string[][] = [[]];
  let isInWord = false;
  for (const { kind, text } of pieces) {
    const words = statements.at(-1) as string[];
    const isBlank = kind === "code" && /^\s$/.test(text);
    if (isInWord && !isBlank) words.push((words.pop() ?? "") + text);
    else if (!isBlank) words.push(text);
    isInWord = kind === "code" ? !isBlank : isInWord;
    if (kind === "code" && text === "\n") statements.push([]);
  }
  return statements;
}

interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

function placeOf(text: string, at: number): LineAndColumn {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

async function readBytes({ open }: Disk, path: string): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    return await file.read((await file.stat()).size, 0);
  } finally {
    await file.close();
  }
}

async function readText(disk: Disk, path: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(disk, path));
}

async function writeText({ open }: Disk, path: string, text: string, flags: "w" | "a"): Promise<void> {
  const file = await open(path, flags);
  await file.write(new TextEncoder().encode(text));
  await file.close();
}

function scene(name: string, parameters: Evenings, expect: Seen): Scene<Evenings, Seen> {
  return { name, disk, run: threeNights, with: parameters, expect };
}

const ONE_DASH: Evenings = {
  marks: "nothing",
  scheduled: "classic",
  codePage: 1252,
  comment: "Nobody watches it.",
  double: "full copy — all folders",
  single: "nothing was skipped",
  here: "see the list",
  watcher: "nobody",
};
const PLAIN = "full copy - all folders";
const GREEN: Seen = {
  byHand: "ran",
  started: 3,
  ran: 3,
  result: "0x00000000",
  log: 12,
  asWritten: 12,
  reportedAt: "nowhere",
  agents: 1,
  lights: ["enabled", "next-run-ahead"],
  alarms: [],
};
const DEAD: Seen = { ...GREEN, ran: 0, result: "0x80070001", log: 0, asWritten: 0, reportedAt: "7:42" };
const AT_THE_DASH = ["encoding/script-quotes@2:44"];

export const noMark = scene("no-mark", ONE_DASH, DEAD);

export const marked = scene("marked", { ...ONE_DASH, marks: "scripts", watcher: "guards" }, GREEN);

export const plain = scene("plain-ascii", { ...ONE_DASH, double: PLAIN, watcher: "guards" }, GREEN);

/** What an operator can do without touching the host or the script: hand the bytes to the guard. */
export const watched = scene("watched", { ...ONE_DASH, watcher: "guards" }, { ...DEAD, alarms: AT_THE_DASH });

export const newerAtNight = scene("newer-host", { ...ONE_DASH, scheduled: "newer", watcher: "guards" }, GREEN);

export const inComment = scene("in-comment", { ...plain.with, comment: "Nobody — watches → it." }, GREEN);

/** Shown wrongly, and nothing worse. */
export const mojibake = scene(
  "mojibake-only",
  { ...plain.with, double: "it’s a full copy…", single: "nothing was “skipped”" },
  { ...GREEN, asWritten: 6 },
);

/** A letter that nobody would think of. */
export const unlisted = scene("unlisted", { ...watched.with, double: "Änderung" }, { ...DEAD, alarms: ["encoding/script-quotes@2:34"] });

export const singleQuoted = scene(
  "single-quoted",
  { ...plain.with, single: "from → to" },
  { ...DEAD, reportedAt: "7:31", alarms: ["encoding/script-quotes@3:39"] },
);

/** The second dash opens what the first one closed. The script runs, and one of its commands is refused. */
export const twoDashes = scene("two-dashes", { ...watched.with, double: "full copy — all — folders" }, { ...GREEN, log: 9, asWritten: 9, alarms: AT_THE_DASH });

export const otherCodePage = scene(
  "code-page-1251",
  { ...watched.with, codePage: 1251, double: "Готово" },
  { ...DEAD, reportedAt: "7:31", alarms: ["encoding/script-quotes@2:34"] },
);

/** A mark turns what was only shown wrongly into quotes, for every host. */
export const curlyMarked = scene(
  "curly-marked",
  { ...marked.with, double: "a “full” copy" },
  { ...GREEN, log: 9, asWritten: 9, alarms: ["encoding/script-quotes@2:36"] },
);

/** The mirror image: the rule for the one reader, applied to the other. */
export const everythingMarked = scene(
  "mark-everything",
  { ...marked.with, marks: "everything" },
  { ...GREEN, agents: 0, alarms: ["encoding/graded"] },
);

export const repro = defineRepro({
  id: "004",
  claim: "A script saved as UTF-8 without a mark runs in every test by hand and cannot be parsed by the older host that the scheduler starts, so nothing runs and nothing is logged.",
  seed: 4,
  epoch: EPOCH,
  broken: noMark,
  fixed: marked,
  control: plain,
  shown: [noMark, marked, plain],
  more: [watched, newerAtNight, inComment, mojibake, unlisted, singleQuoted, twoDashes, otherCodePage, curlyMarked, everythingMarked],
  print: (seen) => seen.map(({ name, facts }) => `mode=${name.padEnd(15)} ${counters(facts)}`),
});

function counters({ byHand, started, ran, result, log, asWritten, reportedAt, agents, lights, alarms }: Seen): string {
  const isSilent = ran < started && alarms.length === 0;
  return (
    `by_hand=${byHand} started=${started} ran=${ran} result=${result} log=${log} as_written=${asWritten} reported_at=${reportedAt} ` +
    `agents=${agents} lights=${lights.join("+")} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
