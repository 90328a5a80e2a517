/** The port for named moments. Free in production; in the world a fault can be armed at each. */
export interface Faults {
  /**
   * Says that the moment `<package>.<moment>` is reached, and waits if a fault says so. A fault may also make the moment fail:
   * then it rejects with an `Error` with a `code`, and what would have followed the moment does not happen.
   */
  reach(point: string): Promise<void>;
}
