/** From a tree to an observation. */
export { AWAKE_AROUND_MS } from "./awake.ts";
export { MAX_CANDIDATE_BYTES, MAX_CANDIDATE_FILES, MAX_YAML_CANDIDATE_BYTES } from "./candidates.ts";
export { observe } from "./observe.ts";
export { DEFAULT_CAPS, type ObserveCaps, type ObserveOptions } from "./options.ts";
export { SAME_RUN_MS } from "./traces.ts";
