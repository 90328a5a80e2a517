/** The log port: what a program says about itself. Nobody has to read it, which is how failures stay silent. */
export type LogLevel = "info" | "warning" | "error";

export interface LogEntry {
  readonly level: LogLevel;
  /** `<package>.<moment>` in the past tense, such as `registry.file-rejected`. */
  readonly event: string;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

export interface Log {
  write(level: LogLevel, event: string, facts?: LogEntry["facts"]): void;
}
