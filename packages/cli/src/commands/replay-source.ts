/** What `casebook replay` was given: a token, a file with a token or a trace in it, or either on stdin. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { readToken, type Token, TRACE_SCHEMA_VERSION, type TraceDocument } from "@casebook/explore";
import { UsageError } from "../usage-error.ts";

export interface ReplaySource {
  readonly token: Token;
  readonly text: string;
  /** What the token is said to lead to; undefined when only a token was given. */
  readonly trace: TraceDocument | undefined;
}

/** Ten thousand steps are some five million bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

export async function readSource(given: string, readStdin: () => Promise<string>): Promise<ReplaySource> {
  if (given === "-") return sourceOf(await readStdin(), "stdin");
  if (existsSync(given)) return sourceOf(readSmallFile(given), given);
  const read = readToken(given);
  if (read.outcome === "token") return { token: read.token, text: given.trim(), trace: undefined };
  throw new UsageError(read.code === "TOKEN_FOREIGN" ? `${read.message} There is no file of that name either.` : read.message);
}

export async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > MAX_BYTES) throw tooLarge("stdin");
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function readSmallFile(path: string): string {
  try {
    if (statSync(path).size > MAX_BYTES) throw tooLarge(path);
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    throw new UsageError(`${JSON.stringify(path)} cannot be read: ${(thrown as Error).message}.`);
  }
}

async function sourceOf(content: string, where: string): Promise<ReplaySource> {
  if (!content.trimStart().startsWith("{")) {
    const read = readToken(content);
    if (read.outcome === "token") return { token: read.token, text: content.trim(), trace: undefined };
    throw new UsageError(`${where}: ${read.message}`);
  }
  const trace = await readTrace(content, where);
  const read = readToken(trace.token);
  if (read.outcome !== "token") throw new UsageError(`${where}: its token is damaged: ${read.message}`);
  const { token } = read;
  // The token decides; whoever changed the rest has a trace of something else.
  const differs = token.system !== trace.system ? "system" : token.trace !== trace.hash ? "hash" : token.choices.join() !== trace.choices.join() ? "choices" : undefined;
  if (differs !== undefined) {
    throw new UsageError(`${where}: TRACE_CONTRADICTS_ITSELF: its ${differs} and its token do not belong together; it was changed after it was saved. Save it again.`);
  }
  return { token, text: trace.token, trace };
}

async function readTrace(content: string, where: string): Promise<TraceDocument> {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (thrown) {
    throw new UsageError(`${where}: TRACE_UNREADABLE: it is no JSON (${(thrown as Error).message}). Was it cut off?`);
  }
  const { schemaVersion } = value as { schemaVersion?: unknown };
  if (schemaVersion !== TRACE_SCHEMA_VERSION) {
    throw new UsageError(
      `${where}: TRACE_VERSION: its schemaVersion is ${JSON.stringify(schemaVersion) ?? "missing"}, and this casebook reads ${TRACE_SCHEMA_VERSION}. Replay it with the version that saved it.`,
    );
  }
  const { traceDocument } = await import("../documents.ts");
  const read = traceDocument.safeParse(value);
  if (read.success) return read.data as TraceDocument;
  const [issue] = read.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new UsageError(`${where}: TRACE_UNREADABLE: it is no trace as \`casebook explore --save\` writes it${at}: ${issue?.message ?? "unknown"}.`);
}

function tooLarge(where: string): UsageError {
  return new UsageError(`${where} is larger than ${MAX_BYTES} bytes, which no trace of this casebook is.`);
}
