/** What a writer was handed for one file and what is there: the facts of the guards over stored state. Seen from outside the writer. */
export interface StoredVersion {
  /** The text, or a digest of the bytes; undefined: no file. */
  readonly content: string | undefined;
  /** What the writer said; `none`: it died, or has not said yet. */
  readonly answer: "acknowledged" | "failed" | "none";
}

export interface StoredFileFacts {
  readonly file: string;
  /** In the order in which they were handed over; the first is what was there before, acknowledged. */
  readonly versions: readonly StoredVersion[];
  /** As `content`. */
  readonly found: string | undefined;
  /** Kills, crashes and power losses since the last acknowledgement. */
  readonly crashes: number;
}

/** Position of the newest version that was acknowledged; −1: none was. */
export function lastAcknowledged({ versions }: StoredFileFacts): number {
  return versions.findLastIndex(({ answer }) => answer === "acknowledged");
}

/** Position of the newest version that is what was found; −1: none is. */
export function versionFound({ versions, found }: StoredFileFacts): number {
  return versions.findLastIndex(({ content }) => content === found);
}

/** Counted from 1, as people do. */
export function isOlder(facts: StoredFileFacts): { readonly found: number; readonly acknowledged: number } | undefined {
  const found = versionFound(facts);
  const acknowledged = lastAcknowledged(facts);
  return found === -1 || found >= acknowledged ? undefined : { found: found + 1, acknowledged: acknowledged + 1 };
}
