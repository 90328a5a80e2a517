/**
 * Who runs what stands in a fence of a page, as data. `docs.test.ts` walks every page and demands a row for every command and every
 * block; it runs those that are marked `here` itself. What nobody can run in a test says why.
 */

export type Runner =
  /** By `docs.test.ts`, in its process: words of `casebook` that only read. The exit code. */
  | { readonly here: number }
  /** By this file, in which stands `holds` (left out: the name of the page). */
  | { readonly test: string; readonly holds?: string }
  /** It is what a command printed: written by cases:write, and compared by "has generated blocks that match the data". */
  | "generated"
  /** By nobody, and why. */
  | { readonly notRun: string };

export interface Row {
  readonly page: RegExp;
  readonly language: string;
  /** The word behind the language. Left out: no such word. */
  readonly name?: string;
  /** A whole line, in a fence of commands; the whole text of another. Left out: any. */
  readonly text?: RegExp;
  readonly by: Runner;
}

/** A fence in one of these is a list of commands, each of which needs a row. */
export const COMMANDS: readonly string[] = ["sh", "console", "bash", "bat"];

const house = (name: string, holds?: string): Runner => ({ test: `packages/cli/src/house/${name}`, ...(holds === undefined ? {} : { holds }) });
const casebook = (words: string) => new RegExp(`^(?:npx pnpm@[\\d.]+ -s )?casebook ${words}$`);

const SET_UP = /^npx --yes pnpm@[\d.]+ install --frozen-lockfile$/;
const MARKED = /^docs\/(?:README|start|verdicts|write-a-case)\.md$|^README\.md$|^AGENTS\.md$|^packages\/cli\/README\.md$|^(?:incidents\/[^/]+|template)\/README\.md$|^docs\/(?:doctor|explore)\.md$/;

export const ROWS: readonly Row[] = [
  { page: MARKED, language: "text", by: "generated" },
  { page: /^docs\/guards\/[^/]+\.md$/, language: "text", by: "generated" },
  { page: /^docs\/guards\/[^/]+\.md$/, language: "sh", text: /^casebook explain [\w/-]+$/, by: { here: 0 } },

  { page: /^README\.md$/, language: "sh", text: /^npx --yes pnpm@[\d.]+ install --frozen-lockfile && npx tsx .+repro\.ts$/, by: house("agents.real.ts") },
  { page: /^README\.md$/, language: "sh", text: /^npx --yes pnpm@[\d.]+ install --frozen-lockfile && npx --yes pnpm@[\d.]+ test$/, by: { test: ".ci/run", holds: "npx --yes pnpm@10.34.9 test)" } },
  { page: /^(?:README|docs\/start)\.md$/, language: "sh", text: casebook("doctor"), by: house("documents.real.ts", "it.for(SHOWN)") },
  { page: /^(?:README|docs\/start)\.md$/, language: "sh", text: casebook("test 001 --against broken"), by: house("readme.real.ts", '"test", "001", "--against", "broken"') },
  { page: /^README\.md$/, language: "sh", text: casebook("(?:list|run 001 --all|explain 001|report --repro 001 --outcome reproduced)"), by: { here: 0 } },

  { page: /^README\.md$/, language: "sh", text: casebook("explore 005 --system look-then-claim --faults none"), by: house("explore-outputs.ts", '{ system: "look-then-claim", faults: "none" }') },

  { page: /^AGENTS\.md$/, language: "sh", by: house("agents.real.ts") },

  { page: /^CONTRIBUTING\.md$/, language: "sh", text: casebook('report --repro 001 --outcome "not reproduced"'), by: { here: 0 } },
  { page: /^CONTRIBUTING\.md$/, language: "sh", text: casebook("new incident a-stamp-that-lies"), by: { test: "packages/cli/src/commands/new-incident.real.ts" } },
  { page: /^CONTRIBUTING\.md$/, language: "sh", text: /^npx pnpm@[\d.]+ cases:write$/, by: house("write-a-case.real.ts", 'typed("cases:write")') },
  { page: /^CONTRIBUTING\.md$/, language: "sh", text: /^npx pnpm@[\d.]+ version-packages$/, by: house("version-packages.real.ts") },
  { page: /^CONTRIBUTING\.md$/, language: "text", by: { notRun: "a picture of a folder; cases.test.ts holds every folder to it" } },

  { page: /^(?:README|docs\/start)\.md$/, language: "sh", text: SET_UP, by: house("agents.real.ts", '"npx --yes pnpm@10.34.9 install --frozen-lockfile"') },
  { page: /^docs\/start\.md$/, language: "sh", text: casebook("(?:run 001|explain registry/parity)"), by: { here: 0 } },
  { page: /^docs\/verdicts\.md$/, language: "sh", text: casebook("run 001"), by: { here: 0 } },
  { page: /^docs\/verdicts\.md$/, language: "sh", text: casebook("run 0O1"), by: { here: 2 } },
  { page: /^docs\/cases\.md$/, language: "sh", text: casebook("explain 001"), by: { here: 0 } },
  { page: /^docs\/write-a-case\.md$/, language: "sh", text: casebook("new incident a-stamp-that-lies --number 001"), by: { here: 2 } },
  { page: /^docs\/write-a-case\.md$/, language: "sh", name: "ci", text: /^npx pnpm@[\d.]+ test$/, by: { test: ".ci/run", holds: "npx --yes pnpm@10.34.9 test)" } },
  { page: /^docs\/write-a-case\.md$/, language: "sh", by: house("write-a-case.real.ts") },
  { page: /^docs\/write-a-case\.md$/, language: "ts", by: house("write-a-case.test.ts") },
  { page: /^docs\/watchdog\.md$/, language: "sh", text: /^npx pnpm@[\d.]+ build$/, by: { test: "packages/cli/src/packed/packed-copy.fixture.ts", holds: '"scripts", "build.ts"' } },
  { page: /^docs\/watchdog\.md$/, language: "sh", by: { test: "packages/cli/src/packed/watchdog.real.ts" } },
  { page: /^docs\/watchdog\.md$/, language: "js", by: house("watchdog.test.ts") },
  { page: /^docs\/watchdog\.md$/, language: "text", name: "healthy", by: house("watchdog.test.ts") },
  { page: /^docs\/watchdog\.md$/, language: "text", name: "broken", by: house("watchdog.test.ts") },
  { page: /^docs\/watchdog\.md$/, language: "text", name: "not-run", by: house("watchdog.test.ts") },

  { page: /^docs\/terminal-record\.md$/, language: "json", by: "generated" },
  { page: /^docs\/terminal-record\.md$/, language: "text", by: "generated" },
  { page: /^docs\/terminal-record\.md$/, language: "ts", by: { test: "packages/supervisor/src/scenarios/resume.test.ts", holds: "docs/terminal-record.md" } },
  { page: /^docs\/game-day\.md$/, language: "sh", text: casebook("test --suite termination"), by: { test: "packages/cli/src/commands/termination-suite.real.ts", holds: "`casebook test --suite termination`" } },

  { page: /^docs\/lint-rules\.md$/, language: "json", by: house("lint.test.ts") },
  { page: /^docs\/lint-rules\.md$/, language: "ts", by: house("lint.test.ts") },
  { page: /^docs\/lint-rules\.md$/, language: "text", by: house("lint.test.ts") },

  { page: /^docs\/receipts\.md$/, language: "sh", text: casebook("run 008 --all"), by: { here: 0 } },
  { page: /^docs\/receipts\.md$/, language: "sh", text: casebook("test --suite receipts(?: --against glue)?"), by: { test: "packages/cli/src/commands/test.real.ts", holds: "docs/receipts.md" } },
  { page: /^docs\/receipts\.md$/, language: "text", name: "reference", by: { test: "packages/cli/src/commands/test.real.ts", holds: "docs/receipts.md" } },
  { page: /^docs\/receipts\.md$/, language: "text", name: "glue", by: { test: "packages/cli/src/commands/test.real.ts", holds: "docs/receipts.md" } },
  { page: /^docs\/explore\.md$/, language: "sh", text: casebook("(?:explore|replay) .+"), by: house("explore-pages.test.ts", "docs/explore.md") },
  { page: /^docs\/doctor\.md$/, language: "sh", text: casebook("doctor(?: .+)?"), by: house("documents.real.ts") },
  { page: /^docs\/recipes\.md$/, language: "crontab", name: "crontab", by: house("documents.real.ts") },
  { page: /^docs\/recipes\.md$/, language: "ini", name: "service", by: house("documents.real.ts") },
  { page: /^docs\/recipes\.md$/, language: "ini", name: "timer", by: house("documents.real.ts") },
  { page: /^docs\/recipes\.md$/, language: "xml", name: "plist", by: house("documents.real.ts") },
  { page: /^docs\/recipes\.md$/, language: "xml", name: "task", by: house("documents.real.ts") },
  { page: /^docs\/recipes\.md$/, language: "sh", name: "textfile", by: house("documents.real.ts") },
  { page: /^docs\/recipes\.md$/, language: "sh", name: "systemd", text: /^(?:systemctl|journalctl) --user .+$/, by: { notRun: "it would switch on a timer of whoever runs the tests; the units themselves are verified" } },
  { page: /^docs\/recipes\.md$/, language: "sh", name: "launchd", text: /^launchctl .+$/, by: { notRun: "launchd is part of macOS; the property list itself is parsed" } },
  { page: /^docs\/recipes\.md$/, language: "bat", text: /^schtasks .+$/, by: { notRun: "Task Scheduler is part of Windows; the XML itself is parsed" } },
  { page: /^docs\/recipes\.md$/, language: "promql", by: house("doctor-pages.test.ts") },

  { page: /^(?:incidents\/[^/]+|template)\/README\.md$/, language: "sh", text: /^npx tsx (?:incidents\/[^/]+|template)\/repro\.ts$/, by: house("repro.real.ts") },
  // How the disk stands behind each call, and what a crash there leaves.
  { page: /^incidents\/018-[^/]+\/README\.md$/, language: "text", name: "disk", by: { test: "incidents/018-a-refused-rename-deletes-the-original/proof.test.ts" } },
  { page: /^packages\/cli\/README\.md$/, language: "sh", text: /^npx casebook run 001$/, by: { test: "packages/cli/src/packed/stranger.real.ts", holds: '"run 001"' } },
  { page: /^packages\/conformance\/README\.md$/, language: "ts", name: "in-memory", by: { test: "packages/conformance/src/readme.test.ts" } },
  { page: /^packages\/conformance\/README\.md$/, language: "text", name: "judged", by: { test: "packages/conformance/src/readme.test.ts" } },
  { page: /^packages\/conformance\/README\.md$/, language: "text", name: "lines", by: { test: "packages/conformance/src/node/json-lines/program.real.ts" } },
  { page: /^packages\/conformance\/README\.md$/, language: "text", name: "lines-at-once", by: { test: "packages/conformance/src/node/json-lines/program.real.ts" } },
  { page: /^packages\/conformance\/README\.md$/, language: "python", name: "receipt-lines", by: { test: "packages/conformance/src/node/json-lines/receipts.real.ts" } },
  { page: /^packages\/conformance\/README\.md$/, language: "text", name: "receipts-judged", by: { test: "packages/conformance/src/node/json-lines/receipts.real.ts" } },
  { page: /^packages\/conformance\/README\.md$/, language: "ts", name: "receipt-program", by: { test: "packages/cli/src/packed/conformance.real.ts", holds: "receipt-program" } },
  { page: /^packages\/conformance\/README\.md$/, language: "ts", name: "judge", by: { test: "packages/cli/src/packed/conformance.real.ts", holds: "judge" } },
  { page: /^packages\/conformance\/README\.md$/, language: "ts", name: "vitest", by: { test: "packages/cli/src/packed/conformance.real.ts", holds: "vitest" } },
  { page: /^packages\/conformance\/README\.md$/, language: "ts", name: "program", by: { test: "packages/cli/src/packed/conformance.real.ts", holds: "program" } },
  { page: /^packages\/conformance\/README\.md$/, language: "ts", name: "judge-supervisor", by: { test: "packages/cli/src/packed/conformance.real.ts", holds: "judge-supervisor" } },
  { page: /^packages\/conformance\/README\.md$/, language: "text", name: "supervisor-judged", by: { test: "packages/conformance/src/supervision/example.test.ts" } },
  { page: /^packages\/guards\/README\.md$/, language: "ts", by: { test: "packages/guards/src/readme.test.ts" } },
  { page: /^packages\/guards\/README\.md$/, language: "text", by: { test: "packages/guards/src/readme.test.ts" } },
  { page: /^packages\/dispatcher\/README\.md$/, language: "ts", by: { test: "packages/dispatch-suite/src/dispatcher-readme.test.ts" } },
  { page: /^packages\/dispatcher\/README\.md$/, language: "text", by: { test: "packages/dispatch-suite/src/dispatcher-readme.test.ts" } },
  { page: /^packages\/dispatcher\/README\.md$/, language: "sh", text: casebook("(?:test --suite dispatch|explore dispatch)"), by: { test: "packages/cli/src/commands/searchable-suite.test.ts", holds: "`casebook test --suite dispatch`" } },
  { page: /^packages\/receipt-reader\/README\.md$/, language: "ts", by: { test: "packages/receipt-reader/src/readme.test.ts" } },
  { page: /^packages\/receipt-reader\/README\.md$/, language: "text", by: { test: "packages/receipt-reader/src/readme.test.ts" } },
  { page: /^packages\/receipt-reader\/README\.md$/, language: "sh", text: casebook("test --suite receipts"), by: { test: "packages/cli/src/commands/test.real.ts", holds: '"test", "--suite", "receipts"' } },
  { page: /^packages\/registry\/README\.md$/, language: "ts", by: { test: "packages/registry/src/readme.test.ts" } },
  { page: /^packages\/registry\/README\.md$/, language: "text", by: { test: "packages/registry/src/readme.test.ts" } },
  { page: /^packages\/scheduler\/README\.md$/, language: "ts", by: { test: "packages/scheduler/src/readme.test.ts" } },
  { page: /^packages\/scheduler\/README\.md$/, language: "text", by: { test: "packages/scheduler/src/readme.test.ts" } },
  { page: /^packages\/explore\/README\.md$/, language: "ts", by: { test: "packages/explore/src/readme.test.ts" } },
  { page: /^packages\/explore\/README\.md$/, language: "text", by: { test: "packages/explore/src/readme.test.ts" } },
  { page: /^packages\/supervisor\/README\.md$/, language: "ts", by: { test: "packages/supervisor/src/readme.test.ts" } },
  { page: /^packages\/supervisor\/README\.md$/, language: "text", by: { test: "packages/supervisor/src/readme.test.ts" } },
  { page: /^packages\/supervisor\/README\.md$/, language: "sh", text: casebook("test --suite termination"), by: { test: "packages/cli/src/commands/termination-suite.real.ts", holds: "`casebook test --suite termination`" } },
  { page: /^packages\/sim\/README\.md$/, language: "ts", by: { test: "packages/sim/src/readme.test.ts" } },
  { page: /^packages\/sim\/README\.md$/, language: "text", by: { test: "packages/sim/src/readme.test.ts" } },
  { page: /^packages\/verdict\/README\.md$/, language: "ts", by: { test: "packages/verdict/test/situations.ts", holds: '{ json: "out/results.json", junit: "out/results.xml" }' } },
  { page: /^packages\/verdict\/README\.md$/, language: "", by: { test: "packages/verdict/src/vitest/verdict-reporter.test.ts" } },
];
