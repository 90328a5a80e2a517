/** The rules of a suite as a table: what each says, how it is tried, and what is known to break it. Pure: data in, text out. */
export const RULE_MARKERS = ["<!-- rules:start -->", "<!-- rules:end -->"] as const;

interface Rule {
  readonly id: string;
  readonly text: string;
  readonly faults: Readonly<Record<string, unknown>>;
}

interface KnownBad {
  readonly name: string;
  readonly breaks: readonly string[];
}

export function renderRules(rules: readonly Rule[], knownBad: readonly KnownBad[]): string {
  const rows = rules.map(({ id, text, faults }) => {
    const breakers = knownBad.filter(({ breaks }) => breaks.includes(id)).map(({ name }) => `\`${name}\``);
    return `| ${id} | ${text} | ${Object.keys(faults).join("; ")} | ${breakers.join(", ")} |`;
  });
  return ["| rule | says | is tried with | is broken by |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
