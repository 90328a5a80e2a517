/** What each guard has to read, so that under `--only` nothing is NOT RUN for want of something that was not asked for. */
import type { LayoutObservation, NotRead } from "../observation.ts";
import { matchGlob } from "../read/index.ts";
import { placeText } from "../report/place-text.ts";
import { baseName } from "../trees/index.ts";
import { isSlotGuard } from "./guard-ids.ts";

export type Source = "registry" | "prompts" | "traces" | "markers" | "receipts";

const NEEDS: Readonly<Record<string, readonly Source[]>> = {
  "registry/parity": ["registry", "prompts"],
  "registry/wiped": ["registry", "prompts"],
  "registry/missing-prompt": ["registry", "prompts"],
  "registry/prompt-is-its-name": ["registry", "prompts"],
  "registry/orphan-prompts": ["registry", "prompts"],
  "encoding/graded": ["registry", "prompts"],
  "receipts/damaged": ["traces", "receipts"],
  "receipts/gap": ["receipts"],
  "receipts/key-reuse": ["receipts"],
  "receipts/out-of-order": ["receipts"],
  "receipts/pending-open": ["receipts"],
  "receipts/state-regression": ["receipts"],
  "receipts/two-terminals": ["receipts"],
  "lock/stale": ["markers"],
  "lock/future-dated": ["markers"],
  "heartbeat/loops-without-success": ["markers"],
  "residue/leftovers": [],
};

/** What was not read and is needed by one of these guards. */
export function missingFor(guards: readonly string[], layout: LayoutObservation): readonly NotRead[] {
  const needed = new Set(guards.flatMap((id): readonly Source[] => (isSlotGuard(id) ? ["registry", "traces"] : (NEEDS[id] ?? ["registry"]))));
  return layout.notRead.filter((one) => needed.has(sourceOf(one, layout)));
}

/**
 * Records of runs with a field that is not what the layout has there. One that is torn is damage; one that is whole and of another
 * shape says that the layout may have changed, and then nothing that was read of its traces is sure.
 */
export function misshapenTraces(guards: readonly string[], { preset, artefacts }: LayoutObservation): NotRead[] {
  if (!guards.some((id) => isSlotGuard(id) || id === "receipts/damaged")) return [];
  const misshapen = (artefacts?.damaged ?? []).filter(({ place }) => place.pointer !== undefined);
  const [first] = misshapen;
  if (first === undefined) return [];
  const many = misshapen.length === 1 ? "1 record of runs is" : `${misshapen.length} records of runs are`;
  const message = `${many} not as ${preset.id} has them: ${placeText(first.place)} ${first.code}`;
  return [{ what: first.place.path, reason: "unsupported", message, evidence: { firstLines: [first.code] } }];
}

/** Which part of the layout it is that was not read. */
export function sourceOf({ what, evidence }: NotRead, { preset }: LayoutObservation): Source {
  const code = evidence.firstLines?.[0];
  if (code === "NO_TRACES") return "traces";
  if (code === "NO_PROMPT_FOLDER") return "prompts";
  if (code === "NO_REGISTRY") return "registry";
  if (code === "NO_RECEIPT_LOG") return "receipts";
  const isOne = (glob: string) => matchGlob(baseName(glob), [baseName(what)]) !== undefined;
  if (preset.registries.some(({ glob, sideState }) => isOne(glob) || sideState?.file === baseName(what))) return "registry";
  // Of a log that was repaired it is another file, `receipts.jsonl.g000002`.
  if ((preset.receipts ?? []).some(({ glob }) => isOne(glob) || baseName(what).startsWith(`${baseName(glob)}.g`))) return "receipts";
  if ((preset.markers ?? []).some(({ glob }) => isOne(glob))) return "markers";
  if (preset.artefacts.some((pattern) => pattern.kind !== "in-record" && isOne(pattern.glob))) return "traces";
  return preset.prompts === undefined ? "registry" : "prompts";
}
