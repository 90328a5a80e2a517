/** Why a schedule has no slots that anyone could name. Data, never thrown. */
export interface ScheduleProblem {
  readonly code:
    | "CRON_UNREADABLE"
    | "CRON_EXTENSION_UNSUPPORTED"
    | "ZONE_UNKNOWN"
    | "INSTANT_OUT_OF_RANGE";
  /** What is wrong, why that matters, what to do now. */
  readonly message: string;
}

/** The longest piece of somebody's input that a message repeats. */
const MAX_QUOTED_LENGTH = 60;

/** Input as it may stand in a message: quoted, control characters escaped, cut. */
export function quoted(input: string): string {
  return input.length <= MAX_QUOTED_LENGTH
    ? JSON.stringify(input)
    : `${JSON.stringify(input.slice(0, MAX_QUOTED_LENGTH))} and ${input.length - MAX_QUOTED_LENGTH} more`;
}
