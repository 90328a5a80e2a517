/** The port for named moments. Free in production; in the world a fault can be armed at each. */
export interface Faults {
  /** Says that the moment `<package>.<moment>` is reached, and waits if a fault says so. */
  reach(point: string): Promise<void>;
}
