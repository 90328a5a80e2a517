import { compareText } from "../compare-text.ts";
import type { Evidence } from "../words/index.ts";

/** Evidence as lines for a person, in one fixed order: command, exit code, versions, first lines. */
export function evidenceLines(evidence: Evidence | undefined): string[] {
  if (evidence === undefined) return [];
  const { command, exitCode, versions = {}, firstLines = [] } = evidence;
  const names = Object.keys(versions).toSorted(compareText);
  return [
    ...(command === undefined ? [] : [`$ ${command}`]),
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...firstLines,
    ...(names.length === 0 ? [] : [names.map((name) => `${name} ${versions[name]}`).join(", ")]),
  ];
}

/** Message, then evidence; the message once when the evidence (an error's first lines) begins with it. */
export function detailLines(message: string, evidence: Evidence | undefined): string[] {
  const lines = evidenceLines(evidence);
  const said = message.split("\n");
  const repeated = said.every((line, index) => lines[index] === line);
  return repeated ? lines : [...said, ...lines];
}
