/**
 * What the name of a file says about the object in it, where the layout puts it there: `TASK-20260902-001-PM-to-DEV.md`, an
 * issue without a receiver, or an identity and nothing else (`TASK-<uuid>.md`). For readers of folders that others write; a
 * dispatcher goes by the header alone. The id is the kind, the day and the number, as the layout counts it.
 */
import { type Kind, KINDS } from "./lifecycle.ts";

export interface ObjectName {
  readonly id: string;
  readonly kind: Kind;
  /** "" where the name does not say it. */
  readonly from: string;
  readonly to: string;
}

const ROUTED = /^(([A-Z]+)-\d{8}-\d{3,})-([A-Z][A-Z0-9_-]*?)(?:-to-([A-Z][A-Z0-9_.-]*))?\.md$/;
const NUMBERED = /^(([A-Z]+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.md$/;

/** Undefined: a name in another form, which says nothing. */
export function objectName(file: string): ObjectName | undefined {
  const [, id, word, from = "", to = ""] = ROUTED.exec(file) ?? NUMBERED.exec(file) ?? [];
  const kind = KINDS.find((one) => one === word);
  return id === undefined || kind === undefined ? undefined : { id, kind, from, to };
}
