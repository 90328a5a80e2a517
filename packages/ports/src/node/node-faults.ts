/** The port for named moments in production: nothing is armed, so nothing happens. */
import type { Faults } from "../faults.ts";

export function nodeFaults(): Faults {
  return { reach: () => Promise.resolve() };
}
