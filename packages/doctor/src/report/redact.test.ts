import { describe, expect, it } from "vitest";
import { look } from "../examine/look.fixture.ts";
import * as fixtures from "../presets/fixtures/index.ts";
import type { Fixture } from "../presets/fixtures/index.ts";
import { writeHuman } from "./human.ts";
import { writeReportJson } from "./json.ts";
import { writeOpenMetrics } from "./openmetrics.ts";
import { redact, redactCommand } from "./redact.ts";

const ADA = { homes: ["/home/ada"] };

describe("homes", () => {
  it.each([
    ["/home/ada/x.json:3", "~/x.json:3"],
    ["/home/ada", "~"],
    ["/home/adam/x", "/home/…/x"],
    ["below /home/ada, /home/bob/.claude and /Users/eve", "below ~, /home/…/.claude and /Users/…"],
    ["/C:/Users/Eve Doe/x", "/C:/Users/… Doe/x"],
    ["~/.claude/projects/-home-ada-work/a.jsonl", "~/.claude/projects/-~-work/a.jsonl"],
    ["/srv/projects/-Users-eve-work/a.jsonl", "/srv/projects/-Users-…-work/a.jsonl"],
  ])("%s is printed as %s", (text, printed) => {
    expect(redact(text, ADA)).toBe(printed);
  });

  it("leaves a command that can be typed: the tilde stands before the quote", () => {
    expect(redactCommand("casebook doctor '/home/ada/my agents/jobs.json' --only slot/missed", ADA)).toBe("casebook doctor ~/'my agents/jobs.json' --only slot/missed");
  });
});

it("makes characters visible that end, hide or turn a line", () => {
  expect(redact("a\nb\u001b[31mc\u202Ed\u2028e\u200Bf", ADA)).toBe("a\\u{a}b\\u{1b}[31mc\\u{202e}d\\u{2028}e\\u{200b}f");
});

const NEEDLE = "N33DLE";

/** Every word that a person or an agent wrote, and every home, replaced by something to look for. */
function planted(fixture: Fixture): Fixture {
  const change = (text: string) => text.replaceAll("invented", NEEDLE).replaceAll("automated run", NEEDLE).replaceAll("invented".toUpperCase(), NEEDLE);
  const files = Object.entries(fixture.files).map(([path, entry]) => {
    if (typeof entry === "string") return [path, change(entry)];
    return [path, typeof entry === "object" && "content" in entry && typeof entry.content === "string" ? { ...entry, content: change(entry.content) } : entry];
  });
  return { ...fixture, files: Object.fromEntries(files) as Fixture["files"] };
}

const seen = [
  ...fixtures.healthyFixtures(),
  fixtures.claudeDesktopTextFireAt(),
  fixtures.claudeDesktopTruncated(),
  fixtures.claudeDesktopWiped(),
  fixtures.claudeDesktopCleanedUp(),
  fixtures.claudeDesktopTwoStores(),
];

describe("no output holds a prompt, a session's text or the name of a home", () => {
  it.each(seen.map((fixture) => [fixture.title, fixture] as const))("%s", async (_title, fixture) => {
    const { report } = await look(planted(fixture));
    for (const text of [writeHuman(report, ADA), writeReportJson(report, ADA), writeOpenMetrics(report, ADA)]) {
      expect(text).not.toContain(NEEDLE);
      expect(text).not.toMatch(/\bada\b/);
    }
  });

  it("not even of a damaged line, a prompt of the wrong type or a name that stands for the prompt", async () => {
    const openclaw = fixtures.openclawHealthy();
    const text = fixtures.registryText(openclaw);
    const damages = [
      fixtures.withRegistry(openclaw, text.replace('"Write the invented brief."', '{ "text": "invented" }'), "a prompt that is an object"),
      fixtures.withRegistry(openclaw, text.replace('"message"', '"msg"'), "a renamed prompt"),
      fixtures.withRegistry(openclaw, text.replace('"payload": {', '"payload": ["invented"], "load": {'), "a payload that is a list"),
      fixtures.withFile(openclaw, "/home/ada/.openclaw/cron/runs/brief.jsonl", '{"summary": "invented\n{"action": "invented"}\n', "torn"),
    ];
    for (const damaged of damages) {
      const { report } = await look(planted(damaged));
      expect(report.findings.length).toBeGreaterThan(0);
      for (const out of [writeHuman(report, ADA), writeReportJson(report, ADA), writeOpenMetrics(report, ADA)]) expect(out).not.toContain(NEEDLE);
    }
  });
});

it("prints an id with control characters and marks of direction as what it is", async () => {
  const desktop = fixtures.claudeDesktopHealthy();
  const text = fixtures.registryText(desktop).replace('"id": "triage"', String.raw`"id": "tri\u202Eage"`);
  const { report } = await look(fixtures.withRegistry(desktop, text, "a turned id"));
  const texts = [writeHuman(report, ADA), writeReportJson(report, ADA), writeOpenMetrics(report, ADA)];
  expect(texts.map((one) => /tri\\+u\{202e\}age/.test(one))).toEqual([true, true, true]);
  expect(texts.some((one) => /\p{Cf}|(?!\n)\p{Cc}/u.test(one))).toBe(false);
});
