/** Many executions: searched, replayed, shrunk. */
export { createExhaustive, type Exhaustive, type Reduction } from "./exhaustive.ts";
export { type Cell, explore, type ExploreOptions, type ExploreReport, type Finding } from "./explore.ts";
export { judge, type Judged } from "./judge.ts";
export { orderDifference } from "./commute.ts";
export type { Conflicts } from "./races.ts";
export { compareBarriers, firstDifference, type Outcome, outcomeOf, playAgain, type Recording, recordingOf } from "./repeat.ts";
export { playAlone, replay, type Replayed, type ReplayOptions } from "./replay.ts";
export { type ArmReport, DEFAULT_BUDGET, type Failure, searchArm, type SearchOptions, simulationOf, type Strategy } from "./search.ts";
export { shrink, SHRINK_BUDGET, type Shrunk } from "./shrink.ts";
export { byPriority, createTouches, following, randomly, recorded, staying, type Touches } from "./strategies.ts";
export { type Check, DEADLOCK, type System, THREW } from "./system.ts";
export { KERNEL_VERSION, readToken, type ReadToken, type Token, tokenText } from "./token.ts";
