/** What stood in each place that was looked in, in one word, and of nothing how much was looked through to say so. */
import type { Candidate, NotRead, Observation } from "../observation.ts";
import type { Walk, WalkedPlace } from "../read/index.ts";

interface Found {
  /** Files of layouts that were recognised. */
  readonly claimed: readonly string[];
  readonly candidates: readonly Candidate[];
  /** JSON and YAML files that no layout owns, and why nothing could be read from one. */
  readonly documents: readonly { readonly path: string; readonly unread?: string }[];
  readonly notRead: readonly NotRead[];
}

export function lookedAt(walked: Walk, { claimed, candidates, documents, notRead }: Found): Observation["looked"] {
  return walked.places.map((place) => {
    const holds = (path: string): boolean => path === place.path || path.startsWith(`${place.path === "/" ? "" : place.path}/`);
    const refused = notRead.filter(({ what }) => holds(what));
    const found = placeWord(place) ?? wordFor(claimed.some(holds), candidates.some(({ path }) => holds(path)), refused.length > 0);
    const nothing = () => nothingText(place, walked, documents.filter(({ path }) => holds(path)));
    const message = place.message ?? (found === "unreadable" ? refused[0]?.message : found === "nothing" ? nothing() : undefined);
    return { path: place.path, found, ...(message === undefined ? {} : { message }) };
  });
}

function placeWord(place: WalkedPlace): "absent" | "unreadable" | undefined {
  if (place.found === "absent") return "absent";
  return place.found === "folder" || place.found === "file" ? undefined : "unreadable";
}

function wordFor(layout: boolean, candidate: boolean, refused: boolean): "layout" | "candidate" | "unreadable" | "nothing" {
  if (layout) return "layout";
  if (candidate) return "candidate";
  return refused ? "unreadable" : "nothing";
}

/** A file that was named is taken for a registry, so that only a folder has nothing in it. */
function nothingText({ path, found }: WalkedPlace, { below }: Walk, documents: Found["documents"]): string | undefined {
  if (found !== "folder") return undefined;
  const names = below.get(path) ?? 0;
  if (names === 0) return "it is empty";
  const within = `${names} ${names === 1 ? "name" : "names"}`;
  if (documents.length === 0) return `${within}, none a JSON or YAML file`;
  const unread = documents.flatMap((one) => one.unread ?? []);
  const bad = unread[0] === undefined ? "" : `, ${unread.length} that could not be read, such as: ${unread[0]}`;
  const kind = `${documents.length} JSON or YAML ${documents.length === 1 ? "file" : "files"} looked into`;
  return `${within}, ${kind}: ${documents.length - unread.length} without a list of tasks${bad}`;
}
