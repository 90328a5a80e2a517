/** What reading may cost, and from where it is looked at. */
import type { Preset } from "../preset.ts";

export interface ObserveCaps {
  /** Names in folders. */
  readonly entries: number;
  readonly depth: number;
  /** Milliseconds of `now` that finding and reading may take together; finding may take half of it. */
  readonly timeMs: number;
  /** Bytes of a file that is read whole. */
  readonly fileBytes: number;
}

export const DEFAULT_CAPS: ObserveCaps = { entries: 200_000, depth: 32, timeMs: 60_000, fileBytes: 64 * 1024 * 1024 };

export interface ObserveOptions {
  /** Folders or single files, as the tree knows them. A name in them may hold `*`. */
  readonly places: readonly string[];
  readonly presets: readonly Preset[];
  /** The moment that is judged from, milliseconds since the epoch. */
  readonly nowMs: number;
  /** IANA name, for schedules that name no zone. */
  readonly machineZone: string;
  readonly caps?: Partial<ObserveCaps>;
  /** A clock of any origin, in milliseconds, that the time cap is measured with. Without it there is no time cap. */
  readonly now?: () => number;
  /** Waited for between two attempts at a file that changes. */
  readonly pause?: () => Promise<void>;
}
