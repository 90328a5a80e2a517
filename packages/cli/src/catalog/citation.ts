/** `CITATION.cff` is written by hand but for its version, which is that of the packages. Pure: text in, text out. */
import { MarkersMissing } from "./render.ts";

const VERSION_LINE = /^version: .*$/m;

export function renderCitation(file: string, version: string): string {
  if (!VERSION_LINE.test(file)) throw new MarkersMissing("no line `version: …`. Put it at the top level; the number is filled in.");
  return file.replace(VERSION_LINE, `version: ${version}`);
}
