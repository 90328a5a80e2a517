/** Why a receipt log was not read or not written: a code that never changes, and what, why, what now. */
import { errorCode } from "@casebook/ports";

export type LogProblemCode =
  | "LOG_IS_DIRECTORY"
  | "LOG_NO_DIRECTORY"
  | "LOG_UNREADABLE"
  | "LOG_UNSTABLE"
  | "LOG_BUSY"
  | "LOG_NEWER_VERSION"
  | "LOG_DISK_FULL"
  | "LOG_WRITE_FAILED"
  | "LOG_LOCK_LOST"
  | "LOG_TOO_LARGE"
  | "LOG_NUMBERS_EXHAUSTED"
  | "RECEIPT_INVALID";

export interface LogProblem {
  readonly code: LogProblemCode;
  readonly say: string;
}

export function logProblem(code: LogProblemCode, text: string): LogProblem {
  return { code, say: `${code}: ${text}` };
}

/** What the disk refused. Rethrows what is no refusal of a disk: nobody's bad input, so nobody's answer. */
export function refusedBy(refusal: unknown, path: string, doing: "read" | "write"): LogProblem {
  const code = errorCode(refusal);
  if (!/^E[A-Z0-9]+$/.test(code)) throw refusal;
  if (code === "EISDIR") return logProblem("LOG_IS_DIRECTORY", `${path} is a directory, where a log should be. Give the path of a file`);
  if (code === "ENOSPC") return logProblem("LOG_DISK_FULL", `there is no room left to write ${path}. Nothing was acknowledged. Make room and repeat the command`);
  if (code === "ENOENT") return logProblem("LOG_NO_DIRECTORY", `the directory of ${path} is not there. Make it, or check the path`);
  if (doing === "write") return logProblem("LOG_WRITE_FAILED", `the disk answered ${code} while ${path} was written. Read the log to know whether the record stands there`);
  return logProblem("LOG_UNREADABLE", `the disk refuses to read ${path}: ${code}. Check permissions and the disk`);
}
