/** Takes the person and the machine out of a text that is going to be published: home folders, user name, host name. */
import { redact } from "@casebook/doctor";

export interface Person {
  /** Home folders, as the system writes them. */
  readonly homes: readonly string[];
  readonly users: readonly string[];
  readonly hosts: readonly string[];
}

/** Home becomes `~`, names become `<user>` and `<host>`; control characters become visible, lines are kept. */
export function redactPerson(text: string, { homes, users, hosts }: Person): string {
  // Longest first: `ann-laptop` is a host before `ann` is a user.
  const names = [
    ...hosts.flatMap((host) => [host, host.split(".")[0] ?? host]).map((name) => ({ name, shown: "<host>" })),
    ...users.map((name) => ({ name, shown: "<user>" })),
  ].filter(({ name }) => name !== "" && name.toLowerCase() !== "localhost");
  const withoutHomes = withoutHomesIn(text, homes);
  return names.toSorted((a, b) => b.name.length - a.name.length).reduce((rest, { name, shown }) => rest.replace(wholeWord(name), shown), withoutHomes);
}

/** Home folders only: for texts in which a short user name may be an ordinary word. */
export function withoutHomesIn(text: string, homes: readonly string[]): string {
  const both = homes.flatMap((home) => [home, home.replaceAll("\\", "/")]);
  const native = homes.filter((home) => home.length > 1).reduce((rest, home) => rest.replaceAll(`${home}\\`, "~\\"), text);
  const shown = native.replaceAll("\r\n", "\n").split("\n").map((line) => redact(line, { homes: both }).replace(WINDOWS_HOMES, (_whole, before: string) => `${before}…`));
  return shown.join("\n");
}

const WINDOWS_HOMES = /(\b[A-Za-z]:[\\/]+(?:Users|Documents and Settings)[\\/]+)[^\\/\s"'…]+/gi;

function wholeWord(name: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${name.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}(?![\p{L}\p{N}_])`, "giu");
}
