/** How a message names many things: the first few, sorted as they came, and how many more there are. The counts have all of them. */
const MAX_NAMED = 3;

export function firstFew(names: readonly string[], separator = ", "): string {
  const rest = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).join(separator);
  return rest > 0 ? `${named} and ${rest} more` : named;
}

/** The one that is concerned, or else what they all belong to. */
export function subjectOrAll(subjects: readonly string[], all: string): string {
  const [first] = subjects;
  return first !== undefined && subjects.every((subject) => subject === first) ? first : all;
}

/** An instant for a message; a number that is no instant is shown as it is. */
export function instantText(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? String(atMs) : date.toISOString();
}

/** `90 s`, `12 min`, `55.0 h`, `3.5 d`. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms)) return String(ms);
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${(ms / 3_600_000).toFixed(1)} h`;
  return `${(ms / 86_400_000).toFixed(1)} d`;
}
