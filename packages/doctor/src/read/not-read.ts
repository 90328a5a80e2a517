/** Builds what is said about something that should have been read and was not. Paths stay as the tree knows them. */
import type { NotRunReason } from "@casebook/verdict";
import type { NotRead } from "../observation.ts";
import { treeErrorCode } from "../trees/tree-error.ts";

/** `what` is the path; the code, where there is one, is the evidence. */
export function notRead(path: string, reason: NotRunReason, message: string, code?: string): NotRead {
  return { what: path, reason, message, evidence: code === undefined ? {} : { firstLines: [code] } };
}

/** What a tree refused, as an answer. What is no refusal of a tree is a defect of ours, and is thrown on. */
export function refusedRead(path: string, refusal: unknown): NotRead {
  const code = treeErrorCode(refusal);
  // Node's own codes (ERR_INVALID_ARG_VALUE for a NUL in a name) are refusals of the tree too.
  if (!/^E[A-Z0-9_]+$/.test(code)) throw refusal;
  if (code === "EOVERFLOW") return notRead(path, "unsupported", `${path} holds more names than may be listed (${code})`, code);
  // What stands for bytes that are no text names nothing on the disk.
  if (code === "ENOENT" && path.includes("\uFFFD")) return notRead(path, "unsupported", `${path} has a name that is no UTF-8, and cannot be opened by it`, code);
  if (code === "ETIME") return notRead(path, "timed-out", `${path} was not read when the time was up`, code);
  return notRead(path, "missing-input", `${path} ${WORDS[code] ?? "could not be read"} (${code})`, code);
}

/** Told apart by its code from a link or the like, which nobody tried to open. */
export function isRefusal({ evidence }: NotRead): boolean {
  return evidence.firstLines !== undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "is not there (any more)",
  EACCES: "may not be read by this user",
  EPERM: "may not be read by this user",
  EISDIR: "is a folder, not a file",
  ENOTDIR: "is below something that is no folder",
  ELOOP: "is a link, and links are not followed",
  EINVAL: "is neither a file nor a folder",
};
