/** The limits that the doctor's page names, with what each of them bounds. */
import { DEFAULT_CAPS, MAX_CANDIDATE_BYTES, MAX_CANDIDATE_FILES, MAX_LINE_BYTES, MAX_PROMPT_BYTES, MAX_READ_ATTEMPTS, MAX_SLOTS_A_TASK, MAX_YAML_BYTES, MAX_YAML_CANDIDATE_BYTES } from "@casebook/doctor";
import type { Limit } from "./render-doctor.ts";

export const LIMITS: readonly Limit[] = [
  { name: "entries", value: DEFAULT_CAPS.entries, unit: "", of: "names in all folders together" },
  { name: "depth", value: DEFAULT_CAPS.depth, unit: "", of: "folders below a place" },
  { name: "timeMs", value: DEFAULT_CAPS.timeMs, unit: "ms", of: "finding and reading files together; finding may take half" },
  { name: "fileBytes", value: DEFAULT_CAPS.fileBytes, unit: "bytes", of: "a file that is read whole; larger is NOT RUN" },
  { name: "MAX_YAML_BYTES", value: MAX_YAML_BYTES, unit: "bytes", of: "a file of YAML; larger is NOT RUN" },
  { name: "MAX_LINE_BYTES", value: MAX_LINE_BYTES, unit: "bytes", of: "a line of JSONL; the files have no limit" },
  { name: "MAX_PROMPT_BYTES", value: MAX_PROMPT_BYTES, unit: "bytes", of: "a prompt; only its beginning is looked at" },
  { name: "MAX_READ_ATTEMPTS", value: MAX_READ_ATTEMPTS, unit: "", of: "readings of a file that changes meanwhile; then NOT RUN" },
  { name: "MAX_SLOTS_A_TASK", value: MAX_SLOTS_A_TASK, unit: "", of: "slots of one task in the window" },
  { name: "MAX_CANDIDATE_FILES", value: MAX_CANDIDATE_FILES, unit: "", of: "files of unknown shape that are looked into" },
  { name: "MAX_CANDIDATE_BYTES", value: MAX_CANDIDATE_BYTES, unit: "bytes", of: "such a file" },
  { name: "MAX_YAML_CANDIDATE_BYTES", value: MAX_YAML_CANDIDATE_BYTES, unit: "bytes", of: "such a file of YAML" },
];
