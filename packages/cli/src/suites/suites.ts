/** The suites by name, each loaded when it is asked for. */
import type { Suite } from "./suite.ts";

export const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  termination: async () => (await import("./termination.ts")).termination,
};
