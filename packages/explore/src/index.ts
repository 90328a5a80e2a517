/** Many executions: searched, replayed, shrunk. */
export { createExhaustive, type Exhaustive, type Reduction } from "./exhaustive.ts";
