import { describe, expect, it } from "vitest";
import { broken, control, counterRepro, fixed } from "./counter-case.fixture.ts";
import { defineRepro, firstDifference, play, readReproArguments, reportAsJson, reportAsText, runRepro } from "./index.ts";

const PLAIN = { all: false, twice: false };

describe("a repro", () => {
  it("prints its counters and that the mechanism was shown", async () => {
    const report = await runRepro(counterRepro, PLAIN);
    expect(reportAsText(report)).toBe(
      "mode=broken additions=3 total=1\nmode=fixed additions=3 total=3\nrepro: OK - mechanism demonstrated\n",
    );
  });

  it("plays the further modes under --all only", async () => {
    const options = { all: true, twice: true };
    const report = await runRepro(counterRepro, options);
    expect(report.modes.map((mode) => mode.name)).toEqual(["broken", "fixed", "control"]);
    expect(reportAsText(report).split("\n").slice(-3)).toEqual([
      "twice: 3 of 3 modes gave the same trace",
      "repro: OK - mechanism demonstrated",
      "",
    ]);
  });

  it("fails when the model drifts from the page, and says which fact was first", async () => {
    const promised = { ...broken, expect: { additions: 3, total: 2 } };
    const drifted = { ...counterRepro, broken: promised, shown: [promised, fixed] };
    const report = await runRepro(drifted, PLAIN);
    expect(reportAsText(report)).toBe(
      "mode=broken additions=3 total=1\nmode=fixed additions=3 total=3\nrepro: FAIL - model drifted from the case doc\n" +
        "mode=broken fact total: expected 2, saw 1\n",
    );
  });

  it("has no verdict when a scene throws, and shows no stack", async () => {
    const throwing = { ...fixed, run: () => Promise.reject(new Error("NO_DISK: gone\nsecond line")) };
    const report = await runRepro({ ...counterRepro, fixed: throwing, shown: [broken, throwing] }, PLAIN);
    expect(reportAsText(report)).toBe(
      "repro: NOT RUN - no verdict\nsetup-failed: mode=fixed threw NO_DISK: gone\n",
    );
  });

  it("notices under --twice that a scene depends on something outside its world", async () => {
    let plays = 0;
    const leaking = {
      ...control,
      run: async (...given: Parameters<typeof control.run>) => {
        plays += 1;
        if (plays > 1) given[0].ports.log.write("info", "control.leaked");
        return control.run(...given);
      },
    };
    const repro = { ...counterRepro, control: leaking, shown: [leaking] };
    const report = await runRepro(repro, { all: false, twice: true });
    expect(report.because).toMatch(/^mode=control played twice: trace [0-9a-f]{16}, then [0-9a-f]{16}$/);
    expect(report.verdict).toBe("FAIL");
  });

  it("answers one JSON document with case, verdict and modes", async () => {
    expect(JSON.parse(reportAsJson(await runRepro(counterRepro, PLAIN)))).toEqual({
      case: "000",
      verdict: "OK",
      modes: [
        { name: "broken", facts: { additions: 3, total: 1 } },
        { name: "fixed", facts: { additions: 3, total: 3 } },
      ],
    });
  });

  it("plays a scene with other numbers", async () => {
    expect((await play(counterRepro, fixed, { additions: 7 })).facts).toEqual({ additions: 7, total: 7 });
  });

  it("gives the same trace for the same parameters and another one for others", async () => {
    const first = await play(counterRepro, fixed);
    const again = await play(counterRepro, fixed);
    const other = await play(counterRepro, fixed, { additions: 4 });
    expect(again.traceHash).toBe(first.traceHash);
    expect(other.traceHash).not.toBe(first.traceHash);
  });

  it("hands out what the scene left on disk", async () => {
    const { volume } = await play(counterRepro, fixed);
    expect(volume().readFileSync("/total")).toEqual(Buffer.of(3));
  });

  it("refuses a case with two scenes of one name, and one that never plays its control", () => {
    expect(() => defineRepro({ ...counterRepro, more: [control, broken] })).toThrow(
      'SCENE_TWICE: case 000 has two scenes named "broken". Rename one.',
    );
    expect(() => defineRepro({ ...counterRepro, more: [] })).toThrow(
      'SCENE_UNPLAYED: case 000 never plays its control scene "control". Add it to `shown` or `more`.',
    );
  });
});

describe("the arguments of a repro", () => {
  it("are --all, --json and --twice", () => {
    expect(readReproArguments(["--json", "--all"])).toEqual({
      usable: true,
      options: { all: true, twice: false },
      json: true,
    });
  });

  it("are refused when unknown, and nothing is run", () => {
    expect(readReproArguments(["--jsno"])).toEqual({
      usable: false,
      message: 'unknown argument "--jsno". Known: --all, --json, --twice. Nothing was run.',
    });
  });
});

describe("the first difference", () => {
  it("is undefined when every fact is as promised", () => {
    expect(firstDifference({ a: 1, b: ["x"] }, { b: ["x"], a: 1 })).toBeUndefined();
  });

  it("names a fact that is missing and one that nobody promised", () => {
    expect(firstDifference({ a: 1 }, {})).toEqual({ fact: "a", expected: "1", seen: "nothing" });
    expect(firstDifference({}, { b: 2 })).toEqual({ fact: "b", expected: "nothing", seen: "2" });
  });
});
