/**
 * One published object, from its bytes. A header between two lines `---`, with a line `name: value` for each field and lists as
 * `[a, b]`: the part of YAML that needs no YAML reader. What is indented belongs to somebody else's tool and is passed over.
 */
import { type Kind, KINDS } from "./lifecycle.ts";
import type { ObjectName } from "./object-name.ts";
import { decodeText, fingerprint } from "./text.ts";

export interface LifecycleObject {
  readonly id: string;
  readonly kind: Kind;
  /** Who published it. */
  readonly from: string;
  /** Of a TASK: the agent it is meant for. */
  readonly to: string;
  /** The route it came by, as whoever delivered it says; "" when nobody does. */
  readonly source: string;
  /** Of a TASK: others that must be done before. */
  readonly after: readonly string[];
  /** Of a TASK: the one it is a part of, which must be done before; "" for none. */
  readonly parent: string;
  /** Of a TASK: the gate that must be approved; of a REVIEW: the gate that it is about; "" for none. */
  readonly gate: string;
  /** Of all but a TASK: the task that it is about; "" for none. */
  readonly task: string;
  /** Of a REVIEW: the report that it judges; "" for none. */
  readonly report: string;
  /** Of a REVIEW: `accepted`, `rejected`, `approved`. Of a REPORT: what it claims. */
  readonly verdict: string;
  /** Of the bytes. Equal bytes, equal revision. */
  readonly revision: string;
}

export type ReadObject =
  | { readonly outcome: "object"; readonly object: LifecycleObject }
  | { readonly outcome: "problem"; readonly code: ObjectProblem; readonly says: string };

export type ObjectProblem = "OBJECT_TOO_LARGE" | "OBJECT_NOT_TEXT" | "OBJECT_UNFINISHED" | "OBJECT_HEADER_INVALID";

/** Larger ones are no task but its attachment. */
export const MAX_OBJECT_BYTES = 1024 * 1024;
const MAX_FIELD_CHARACTERS = 500;

/** `named`: what the name of its file says, for layouts in which it counts; a header then need not say it again, and may say more. */
export function readObject(bytes: Uint8Array, named?: ObjectName): ReadObject {
  if (bytes.length > MAX_OBJECT_BYTES) return problem("OBJECT_TOO_LARGE", `${bytes.length} bytes, more than ${MAX_OBJECT_BYTES}`);
  const text = decodeText(bytes);
  // Cut inside a character looks like this too, so a later reading may find it whole.
  if (text === undefined) return problem("OBJECT_NOT_TEXT", "the bytes are not UTF-8");
  const lines = text.split(/\r?\n/);
  if ("---\n".startsWith(text)) return problem("OBJECT_UNFINISHED", `${bytes.length} bytes, and the header has not begun`);
  if (lines[0] !== "---") return problem("OBJECT_HEADER_INVALID", "the first line is not ---");
  const end = lines.indexOf("---", 1);
  if (end === -1) return problem("OBJECT_UNFINISHED", `${bytes.length} bytes, and the header has not ended`);
  return fromHeader(lines.slice(1, end), fingerprint(bytes), named);
}

function fromHeader(lines: readonly string[], revision: string, named: ObjectName | undefined): ReadObject {
  const fields = new Map<string, string>();
  for (const line of lines) {
    if (line.trim() === "" || /^[\s#-]/.test(line)) continue;
    const [, name, value] = /^([a-z_]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if ((name === undefined || value === undefined) && named !== undefined) continue;
    if (name === undefined || value === undefined) return invalid(`the line ${JSON.stringify(line.slice(0, 80))} is no \`name: value\``);
    if (value.length > MAX_FIELD_CHARACTERS) return invalid(`${name} is longer than ${MAX_FIELD_CHARACTERS} characters`);
    if (fields.has(name)) return invalid(`${name} is given twice`);
    fields.set(name, value.replace(/^(["'])(.*)\1$/, "$2"));
  }
  const text = (name: string): string => fields.get(name) ?? "";
  const said = named === undefined ? text("kind") : text("kind").toUpperCase() || named.kind;
  if (named !== undefined && said !== named.kind) return invalid(`kind is ${JSON.stringify(text("kind"))} in the header and ${named.kind} in the name`);
  const kind = KINDS.find((one) => one === said);
  if (kind === undefined) return invalid(`kind is ${JSON.stringify(text("kind"))} and none of ${KINDS.join(", ")}`);
  const id = text("id") || (named?.id ?? "");
  const from = text("from") || (named === undefined ? "" : text("sender") || named.from);
  const to = text("to") || (named === undefined ? "" : text("recipient") || named.to);
  // What others write names the task of a report in words of their own.
  const about = named === undefined && text("gate") === "" ? text("task") : "any";
  const needed = { id, from, ...(kind === "TASK" ? { to } : { task: about }) };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === "" ? [name] : []));
  if (missing.length > 0) return invalid(`${missing.join(", ")} missing`);
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(id)) return invalid(`the id ${JSON.stringify(id)} has other characters than letters, digits, dot, dash, underscore`);
  return {
    outcome: "object",
    object: {
      id,
      kind,
      from,
      to,
      source: text("source"),
      after: listOf(text("after")),
      parent: text("parent"),
      gate: text("gate"),
      task: text("task"),
      report: text("report"),
      verdict: text("verdict"),
      revision,
    },
  };
}

function listOf(value: string): string[] {
  return value.replace(/^\[|\]$/g, "").split(",").map((one) => one.trim()).filter((one) => one !== "");
}

function invalid(says: string): ReadObject {
  return problem("OBJECT_HEADER_INVALID", says);
}

function problem(code: ObjectProblem, says: string): ReadObject {
  return { outcome: "problem", code, says };
}
