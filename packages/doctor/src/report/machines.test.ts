/** The two outputs that programs read. */
import { describe, expect, it } from "vitest";
import { look, type Looked } from "../examine/look.fixture.ts";
import * as fixtures from "../presets/fixtures/index.ts";
import { writeReportJson } from "./json.ts";
import { redact } from "./redact.ts";
import { writeOpenMetrics } from "./openmetrics.ts";
import { reportSchemaText, reportShape } from "./report-schema.ts";

const NO_HOMES = { homes: [] };

const fixturesToSee = [
  ...fixtures.healthyFixtures(),
  fixtures.claudeDesktopTextFireAt(),
  fixtures.claudeDesktopTruncated(),
  fixtures.claudeDesktopWiped(),
  fixtures.claudeDesktopCleanedUp(),
  fixtures.claudeDesktopTwoStores(),
  { title: "an empty folder", files: { "/data/": "" }, places: ["/data"] },
  { title: "a folder that refuses", files: { "/data/": { refuses: "EACCES", kind: "directory" as const } }, places: ["/data"] },
];

describe("JSON", () => {
  it("has a published schema that is made from the code (update it with vitest -u)", async () => {
    await expect(reportSchemaText()).toMatchFileSnapshot("../../schema/doctor-report.schema.json");
  });

  it.each(fixturesToSee.map((fixture) => [fixture.title, fixture] as const))("%s: is a document of that schema, with no key that it does not have", async (_title, fixture) => {
    const { report } = await look(fixture);
    const document: unknown = JSON.parse(writeReportJson(report, NO_HOMES));
    const read = reportShape.parse(document);
    expect(document).toEqual(read);
  });

  it("leaves out a count that is no number", async () => {
    const { report } = await look(fixtures.claudeDesktopTextFireAt());
    const odd = { ...report, findings: report.findings.map((finding) => ({ ...finding, counts: { entries: 35, backMs: Number.NEGATIVE_INFINITY, ratio: Number.NaN } })) };
    const text = writeReportJson(odd, NO_HOMES);
    expect(text).not.toMatch(/Infinity|NaN|null/);
    expect(reportShape.parse(JSON.parse(text)).findings[0]?.counts).toEqual({ entries: 35 });
  });
});

interface Sample {
  readonly family: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Strict: one HELP and one TYPE a family before its samples, no family twice, no series twice, no timestamp, an end. */
function parse(text: string): Sample[] {
  const lines = text.split("\n");
  if (lines.at(-1) !== "" || lines.at(-2) !== "# EOF") throw new Error("it does not end with # EOF and a line feed");
  const seen = new Set<string>();
  const series = new Set<string>();
  const samples: Sample[] = [];
  let family = "";
  for (let index = 0; index < lines.length - 2; index += 1) {
    const line = lines[index] as string;
    const help = /^# HELP ([a-z_]+) \S.*$/.exec(line);
    if (help !== null) {
      family = help[1] as string;
      if (seen.has(family)) throw new Error(`${family} is there twice`);
      seen.add(family);
      index += 1;
      if (lines[index] !== `# TYPE ${family} gauge`) throw new Error(`${family} has no type`);
      continue;
    }
    const [, name, labels = "", value] = /^([a-z_]+)(?:\{(.*)\})? (-?\d+(?:\.\d+)?)$/.exec(line) ?? [];
    if (name === undefined || name !== family) throw new Error(`no sample of ${family}: ${line}`);
    if (series.has(`${name}{${labels}}`)) throw new Error(`twice: ${line}`);
    series.add(`${name}{${labels}}`);
    samples.push({ family, labels: parseLabels(labels), value: Number(value) });
  }
  return samples;
}

function parseLabels(text: string): Record<string, string> {
  const pair = /([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
  const labels: Record<string, string> = {};
  while (pair.lastIndex < text.length) {
    const [, key, value] = pair.exec(text) ?? [];
    if (key === undefined || value === undefined || key in labels) throw new Error(`no labels: ${text}`);
    labels[key] = value.replaceAll(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
  }
  return labels;
}

const metricsOf = ({ report }: Looked) => parse(writeOpenMetrics(report, NO_HOMES));
const of = (samples: readonly Sample[], family: string) => samples.filter((sample) => sample.family === `casebook_doctor_${family}`);

describe("openmetrics", () => {
  it.each(fixturesToSee.map((fixture) => [fixture.title, fixture] as const))("%s: is read by a strict parser, and its verdicts add up to what was planned", async (_title, fixture) => {
    const samples = metricsOf(await look(fixture));
    const verdicts = of(samples, "verdicts").reduce((sum, { value }) => sum + value, 0);
    expect(verdicts).toBe(of(samples, "planned")[0]?.value);
  });

  it("has a series of its own for what was not run, and never a 0 in its place", async () => {
    const samples = metricsOf(await look(fixtures.claudeDesktopCleanedUp()));
    expect(of(samples, "task_not_run").map(({ labels, value }) => [labels.task, value])).toEqual([["nightly-digest", 1], ["triage", 1]]);
    expect(of(samples, "task_failed").map(({ labels, value }) => [labels.task, value])).toEqual([["invoice-check", 0]]);
    expect(of(samples, "task_seen")).toEqual([]);
    expect(of(samples, "slots").map(({ labels, value }) => [labels.column, value])).toEqual([["due", 2], ["claimed", 2], ["without_trace", 0], ["discarded", 0], ["unjudged", 2]]);
  });

  it("says nothing of slots that are not known", async () => {
    const samples = metricsOf(await look(fixtures.claudeDesktopTruncated()));
    expect([...of(samples, "task_due"), ...of(samples, "task_claimed"), ...of(samples, "slots")]).toEqual([]);
    expect(of(samples, "task_failed").map(({ value }) => value)).toEqual([1, 1, 1]);
  });

  it("keeps two projects that have a task of one name apart", async () => {
    const { files, registry } = fixtures.claudeProjectHealthy();
    const other = registry.replace("/work/", "/play/");
    const looked = await look({ files: { ...files, [other]: files[registry] as string }, places: ["/home"] });
    expect(of(metricsOf(looked), "task_due").length).toBe(4);
    // Even where redaction makes their places one.
    const elsewhere = await look({ files: { ...files, [registry.replace("/ada/", "/bob/")]: files[registry] as string }, places: ["/home"] });
    expect(of(metricsOf(elsewhere), "task_due").map(({ labels }) => labels.copy)).toEqual([undefined, "2", undefined, "2"]);
  });

  it("names the registry that a task is in, where an installation has several", async () => {
    const two = fixtures.claudeDesktopTwoStores();
    const other = Object.keys(two.files).find((path) => path.includes("/account-2/")) as string;
    const entry = { id: "only-there", cronExpression: "0 3 * * *", enabled: true, createdAt: fixtures.iso("2026-08-01T00:00:00Z") };
    const looked = await look({ ...two, files: { ...two.files, [other]: fixtures.json({ scheduledTasks: [entry] }) } });
    const places = of(metricsOf(looked), "task_due").map(({ labels }) => [labels.task, labels.place]);
    expect(places).toContainEqual(["only-there", redact(other, NO_HOMES)]);
    expect(places).toContainEqual(["triage", redact(two.registry, NO_HOMES)]);
  });

  it("carries ids with quotes, strokes and line feeds", async () => {
    const openclaw = fixtures.openclawHealthy();
    const id = 'a "b" c{d}, e="f"';
    const text = fixtures.registryText(openclaw).replace('"id": "once"', `"id": ${JSON.stringify(id)}`);
    const samples = metricsOf(await look(fixtures.withRegistry(openclaw, text, "odd ids")));
    expect(of(samples, "task_due").map(({ labels }) => labels.task)).toContain(id);
  });
});
