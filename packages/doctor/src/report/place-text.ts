/** A place as one piece of text. */
import type { Place } from "../observation.ts";

/** `scheduled-tasks.json:412:17  /scheduledTasks/33/fireAt`; a byte offset where there is no line. */
export function placeText({ path, line, column, pointer, byteOffset }: Place): string {
  const at = line === undefined ? (byteOffset === undefined ? "" : ` byte ${byteOffset}`) : `:${line}${column === undefined ? "" : `:${column}`}`;
  return `${path}${at}${pointer === undefined || pointer === "" ? "" : `  ${pointer}`}`;
}
