/** CodeFlowMu (open edition): attempts and leases of dispatched tasks in one JSON file. Leaves out its session files and its journal. */
import type { Preset } from "../preset.ts";
import { MINUTE_MS } from "./durations.ts";

export const codeflowmuDispatch: Preset = {
  id: "codeflowmu-dispatch",
  title: "CodeFlowMu, dispatch state",
  confidence: "source",
  seen: ["joinwell52-AI/CodeFlowMu-open, store of dispatch attempts, read in 2026-11"],
  registries: [],
  fields: { id: [], schedules: [] },
  artefacts: [],
  dispatch: [
    {
      kind: "attempt-store",
      glob: "**/.codeflowmu/dispatch/dispatch-state.json",
      leftovers: ["**/.codeflowmu/dispatch/dispatch-state.json.*.tmp"],
      graceMs: 5 * MINUTE_MS,
    },
  ],
  zone: "machine",
  catchUp: { policy: "none", lookBackMs: 0 },
  jitter: { shareOfPeriod: 0, atMostMs: 0 },
  places: { linux: [], darwin: [], win32: [] },
};
