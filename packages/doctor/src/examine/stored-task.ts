/**
 * Which task an entry of a store is about. The store takes `TASK-20260902-001-PM-to-DEV.md` and `TASK-20260902-001` for one; so does
 * this. It also takes upper and lower case for one, which is not done here: a reader of files does not.
 */
export function storedTask(written: string): string {
  return /^TASK-\d{8}-\d{3,}/.exec(written)?.[0] ?? written.replace(/\.md$/, "");
}
