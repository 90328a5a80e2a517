/**
 * Folders in which the place of a file is the state of the work: inbox, active, review, done, archive, with TASK, REPORT, ISSUE and
 * REVIEW in them. In the form that FCoP 3 has, whose files keep their own moves, and in that of this project's dispatcher, which keeps
 * a ledger beside the folders. Leaves out FCoP 4, whose moves are receipts in files of their own.
 */
import type { Preset } from "../preset.ts";
import { MINUTE_MS } from "./durations.ts";

export const lifecycleFolders: Preset = {
  id: "lifecycle-folders",
  title: "Lifecycle folders (inbox, active, review, done, archive)",
  confidence: "source",
  seen: ["joinwell52-AI/FCoP, lifecycle of 3.0 (states, moves, file names), read in 2026-11"],
  registries: [],
  fields: { id: [], schedules: [] },
  artefacts: [],
  dispatch: [
    {
      kind: "lifecycle",
      globs: ["**/_lifecycle/**", "**/_dispatch/ledger/*/record.json"],
      graceMs: 5 * MINUTE_MS,
    },
  ],
  zone: "machine",
  catchUp: { policy: "none", lookBackMs: 0 },
  jitter: { shareOfPeriod: 0, atMostMs: 0 },
  places: { linux: [], darwin: [], win32: [] },
};
