/** The diagram of an execution, as text and as a picture, both from one layout. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimRace, lostUpdate } from "../calibration/models.ts";
import { following } from "../strategies.ts";
import type { System } from "../system.ts";
import { layoutOf } from "./layout.ts";
import { cut, grouped, printable, widthOf } from "./printable.ts";
import { asksTwice, tracedRun, writesOneFile } from "./small-systems.fixture.ts";
import { svgDiagram } from "./svg.ts";
import { terminalDiagram } from "./terminal.ts";
import { elementsIn } from "./well-formed.fixture.ts";

describe("the diagram in a terminal", () => {
  it("shows who did what, what was sent when, and who ended", async () => {
    expect(terminalDiagram(layoutOf(await tracedRun(asksTwice())))).toBe(`step  bridge  client
   1  │       ●       network.send to bridge = {"prompt":"p1","attempt":1}
   2  ●◀──────┤       network.deliver from client, sent at 1 = {"prompt":"p1","attempt":1}
   3  ●       │       network.receive = client: {"prompt":"p1","attempt":1}
   4  ●       │       faults.reach bridge.after-start
   5  ●       │       network.answer to client = "started"
   6  ├──────▶●       network.deliver from bridge, sent at 5 = "started"
      │               · client ends
   7  ●◀──────╴       network.deliver from client, sent at 6 = closed
   8  ●               network.receive = closed by client
finished; no check alarms
`);
  });

  it("shows where a fault fired, where time moved, a process that is stopped, and a message that never arrived", async () => {
    const trace = await tracedRun(asksTwice(), [{ at: "bridge.after-start", kind: "stop-continue", forMs: 5_000 }]);
    expect(terminalDiagram(layoutOf(trace))).toBe(`step  bridge  client
   1  │       ●       network.send to bridge = {"prompt":"p1","attempt":1}
   2  ●◀──────┤       network.deliver from client, sent at 1 = {"prompt":"p1","attempt":1}
   3  ●       │       network.receive = client: {"prompt":"p1","attempt":1}
   4  ●       │       faults.reach bridge.after-start (held)
      ┊       │       ✗ stop-continue at bridge.after-start for 5000 ms
      ┊       │       · bridge is stopped
      ┊       │       - time moves to 1,000 ms
   5  ┊       ●       network.timeout bridge
   6  ┊       ●       network.send to bridge, never delivered = {"prompt":"p1","attempt":2}
      ┊       │       - time moves to 2,000 ms
   7  ┊       ●       network.timeout bridge
      ┊               · client ends
finished; no check alarms
`);
  });

  it("shows below each step that changes it what of a disk is pending, and when all of it is durable", async () => {
    expect(terminalDiagram(layoutOf(await tracedRun(writesOneFile())))).toBe(`step  writer@box
   1  ●           disk.open /a = w
      │           ~ pending on box: create /a
   2  ●           disk.write /a = 3 at 0: 0b79891ae3fd7948
      │           ~ pending on box: create /a
      │           ~ pending on box: write 3 bytes at 0 of /a
   3  ●           disk.sync /a
      │           ~ pending on box: create /a
   4  ●           disk.syncDirectory /
                  ~ on box all is durable
                  · writer ends
finished; no check alarms
`);
  });

  it("counts what is pending beyond a few, keeps a step at which that changed, and shows it in the picture", async () => {
    const trace = await tracedRun(writesOneFile());
    const pending = ["one", "two", "three", "four", "five"];
    const crowded = layoutOf({ ...trace, disks: [{ step: 2, host: "box", pending }, { step: 3, host: "box", pending: pending.slice(1) }] });
    const shown = (step: number) => crowded.rows.flatMap((row) => (row.what === "step" && row.number === step ? row.disks : []));
    expect([shown(2), shown(3), shown(4)]).toEqual([
      ["pending on box: one", "pending on box: two", "pending on box: three", "pending on box: 2 more"],
      ["pending on box: two", "pending on box: three", "pending on box: four", "pending on box: five"],
      [],
    ]);
    expect(svgDiagram(crowded)).toContain(">~ pending on box: 2 more</text>");
    const step = trace.steps[1] as (typeof trace.steps)[number];
    const long = { ...trace, steps: Array.from({ length: 30 }, (_, at) => ({ ...step, number: at + 1 })), changes: trace.changes.filter((change) => change.step === 0) };
    const kept = layoutOf({ ...long, disks: [{ step: 15, host: "box", pending }] }).rows.flatMap((row) => (row.what === "step" ? [row.number] : []));
    expect(kept).toContain(15);
  });

  it("shows a new life after a restart, the heal phase, and the check that fails", async () => {
    const trace = await tracedRun({ ...asksTwice(), healMs: 10_000 }, [{ at: "network.bridge->client", kind: "delay", forMs: 3_000 }]);
    expect(terminalDiagram(layoutOf(trace), 84)).toBe(`step  bridge  client
   1  │       ●       network.send to bridge = {"prompt":"p1","attempt":1}
   2  ●◀──────┤       network.deliver from client, sent at 1 = {"prompt":"p1","atte…
   3  ●       │       network.receive = client: {"prompt":"p1","attempt":1}
   4  ●       │       faults.reach bridge.after-start
   5  ●       │       network.answer to client = "started"
      │       │       ✗ delay at network.bridge->client for 3000 ms
      │       │       - time moves to 1,000 ms
   6  │       ●       network.timeout bridge
   7  │       ●       network.send to bridge = {"prompt":"p1","attempt":2}
   8  ●◀──────┤       network.deliver from client, sent at 7 = {"prompt":"p1","atte…
   9  ●       │       network.receive = client: {"prompt":"p1","attempt":2}
  10  ●       │       faults.reach bridge.after-start
  11  ●       │       network.answer to client = "started"
  12  ├──────▶●       network.deliver from bridge, sent at 11 = "started"
      │               · client ends
  13  ●◀──────╴       network.deliver from client, sent at 12 = closed
  14  ●               network.receive = closed by client
      │               - no fault fires from here on, and what they did is undone
      │               - time moves to 3,000 ms
  15  ├──────▶●       network.deliver from bridge, sent at 5 = "started"
FAIL prompt/started-once: 2 starts of one prompt
`);
    const restarted = await tracedRun({ ...asksTwice(), healMs: 10_000 }, [{ at: "bridge.after-start", kind: "kill-restart", forMs: 100 }]);
    const said = terminalDiagram(layoutOf(restarted)).split("\n").filter((line) => line.includes("· bridge"));
    expect(said.map((line) => line.trim())).toEqual(["│       · bridge is restarting", "· bridge runs, life 2"].map((line) => expect.stringContaining(line)));
  });

  it("numbers lanes that do not fit, and cuts what is too wide", async () => {
    const diagram = terminalDiagram(layoutOf(await tracedRun(claimRace(3))), 50);
    expect(diagram.split("\n").slice(0, 10)).toEqual([
      "1 = dispatcher-1",
      "2 = dispatcher-2",
      "3 = dispatcher-3",
      "step  1  2  3",
      "   1  ●  │  │  cell.write own-1 = 1",
      "   2  ●  │  │  cell.read claim = free",
      "   3  ●  │  │  cell.write own-1 = 2",
      "   4  ●  │  │  cell.write claim = dispatcher-1",
      '   5  ●  │  │  cell.update ledger = [] to ["start…',
      "         │  │  · dispatcher-1 ends",
    ]);
    expect(Math.max(...diagram.split("\n").map(widthOf))).toBe(50);
  });

  it("leaves the middle of a long run out, and says how many steps", async () => {
    const diagram = terminalDiagram(layoutOf(await tracedRun(lostUpdate({ processes: 1, steps: 300 }))));
    expect(diagram.split("\n").slice(7)).toEqual([
      "   5                    ●        cell.write noise-1 = 1",
      "   6                    ●        cell.write noise-1 = 2",
      "   ⋮                    │        - 295 steps of noise-1 left out",
      " 302                    ●        cell.write noise-1 = 298",
      " 303                    ●        cell.write noise-1 = 299",
      " 304                    ●        cell.write noise-1 = 300",
      "                                 · noise-1 ends",
      "finished; no check alarms",
      "",
    ]);
  });

  it("never has more rows than it may, and counts every step once, shown or left out", async () => {
    const order = Array.from({ length: 400 }, (_, at) => at % 4);
    const trace = await tracedRun(lostUpdate({ processes: 2, steps: 100 }), [], following(order));
    for (const maxRows of [5, 17, 60, 1_000]) {
      const { rows } = layoutOf(trace, { maxRows });
      expect(rows.length).toBeLessThanOrEqual(maxRows);
      const counted = rows.reduce((steps, row) => steps + (row.what === "step" ? 1 : row.what === "left-out" ? row.steps : 0), 0);
      expect([maxRows, counted]).toEqual([maxRows, trace.steps.length]);
    }
  });

  it("shows a fault that lies in the middle of what is left out", async () => {
    const trace = await tracedRun(asksTwice(), [{ at: "bridge.after-start", kind: "stop-continue", forMs: 500 }]);
    const { rows } = layoutOf(trace, { maxRows: 8 });
    expect(rows.length).toBeLessThanOrEqual(8);
    expect(rows.map((row) => (row.what === "step" ? `${row.number}${row.faults.map((fault) => ` ${fault}`).join("")}` : row.what === "left-out" ? `${row.steps} left out` : row.what))).toEqual([
      "1", "2", "1 left out", "4 stop-continue at bridge.after-start for 500 ms", expect.stringMatching(/^\d+ left out$/) as string,
      expect.any(String) as string, expect.any(String) as string, "end",
    ]);
  });

  it("leaves no message out of a run that is shortened for being long", async () => {
    const chatty: System<object> = {
      name: "small/chatty",
      claim: "",
      build(space) {
        space.process("speaker", async (ports) => {
          for (let word = 1; word <= 20; word += 1) await ports.network.send("listener", word);
        });
        space.process("listener", async (ports) => {
          for (let word = 1; word <= 20; word += 1) await ports.network.receive();
        });
        return { facts: () => ({}) };
      },
      checks: [],
    };
    const { rows } = layoutOf(await tracedRun(chatty), { maxRows: 1_000 });
    expect(rows.filter(({ what }) => what === "left-out")).toEqual([]);
    expect(rows.filter((row) => row.what === "step" && row.arrow !== undefined).length).toBeGreaterThanOrEqual(20);
  });

  it("stops where it is told to, and then has no end", async () => {
    const { rows } = layoutOf(await tracedRun(asksTwice()), { until: 3 });
    expect(rows.map(({ what }) => what)).toEqual(["step", "step", "step"]);
  });
});

describe("the diagram as a picture", () => {
  it("has a dot for each step, an arrow for each delivery, and a cross for each fault", async () => {
    const trace = await tracedRun(asksTwice(), [{ at: "bridge.after-start", kind: "stop-continue", forMs: 5_000 }]);
    const picture = svgDiagram(layoutOf(trace));
    const count = (text: string): number => picture.split(text).length - 1;
    expect([count('class="dot"'), count('class="arrow"'), count('class="bad" d=')]).toEqual([6, 1, 1]);
    expect(elementsIn(picture)[0]).toBe("svg");
    expect(picture).toContain("prefers-color-scheme: dark");
    expect(picture).not.toMatch(/<script|href|url\(|@import|on[a-z]+=/);
  });

  it("is well-formed whatever the names are", async () => {
    const name = fc.string({ unit: fc.constantFrom(..."ab<>&\"' -]\u0000\u0007\u001b\n\u202e\u200d\ud800\uffff\u2028", "日本", "مرحبا", "👩‍👧", "]]>", "<script>"), minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(name, name, async (client, bridge) => {
        fc.pre(client !== bridge);
        const trace = await tracedRun(asksTwice({ client, bridge }));
        const layout = layoutOf(trace);
        expect(new Set(elementsIn(svgDiagram(layout)))).toEqual(new Set(["svg", "title", "style", "rect", "text", "line", "circle", "path"]));
        // And nothing in the text moves a cursor.
        expect(terminalDiagram(layout)).not.toMatch(/(?![\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}]/u);
      }),
      { numRuns: 30 },
    );
  });

  it("draws the line of a process until it is gone", async () => {
    const system: System<object> = {
      name: "small/two-ends",
      claim: "",
      build(space) {
        const cell = space.cell("cell", 0);
        space.process("first", async (ports) => void (await ports.cell(cell).write(1)));
        space.process("second", async (ports) => {
          await ports.cell(cell).write(2);
          await ports.cell(cell).write(3);
        });
        return { facts: () => ({}) };
      },
      checks: [],
    };
    const picture = svgDiagram(layoutOf(await tracedRun(system)));
    const lines = picture.split("\n").filter((line) => line.startsWith('<line class="lane"'));
    // The first has one step and one line to it; the second has one to the first's step and one to each of its own.
    expect(lines).toHaveLength(4);
    expect(picture.replace(/<style>[\s\S]*<\/style>/, "<style/>")).toBe(`<svg xmlns="http://www.w3.org/2000/svg" width="390" height="192" viewBox="0 0 390 192" role="img">
<title>small/two-ends: </title>
<style/>
<rect class="ground" width="390" height="192"/>
<text class="title" x="8" y="20">small/two-ends: </text>
<text x="86.5" y="42" text-anchor="middle">first</text>
<text x="147.5" y="42" text-anchor="middle">second</text>
<line class="lane" x1="86.5" y1="50" x2="86.5" y2="66"/>
<line class="lane" x1="147.5" y1="50" x2="147.5" y2="66"/>
<line class="lane" x1="147.5" y1="66" x2="147.5" y2="106"/>
<line class="lane" x1="147.5" y1="106" x2="147.5" y2="126"/>
<circle class="dot" cx="86.5" cy="66" r="4"/>
<circle class="dot" cx="147.5" cy="106" r="4"/>
<circle class="dot" cx="147.5" cy="126" r="4"/>
<text x="186" y="70">cell.write cell = 1</text>
<text class="faint" x="186" y="90">· first ends</text>
<text x="186" y="110">cell.write cell = 2</text>
<text x="186" y="130">cell.write cell = 3</text>
<text class="faint" x="186" y="150">· second ends</text>
<text class="title" x="186" y="170">finished; no check alarms</text>
<text class="faint" x="8" y="70">1</text>
<text class="faint" x="8" y="110">2</text>
<text class="faint" x="8" y="130">3</text>
</svg>
`);
  });
});

describe("printable text", () => {
  it("spells out what moves the cursor or turns the line round, and keeps every script", () => {
    expect(printable("a\u001b[2Jb\u202ec\n")).toBe("a\\u{1b}[2Jb\\u{202e}c\\u{a}");
    const words = "नमस्ते می‌خواهم 日本 éè";
    expect(printable(words)).toBe(words);
  });

  it("counts cells as a terminal does, and cuts at whole characters", () => {
    expect([widthOf("abc"), widthOf("日本"), widthOf("e\u0301")]).toEqual([3, 4, 1]);
    expect([cut("abcdef", 4), cut("日本語", 5), cut("abc", 3)]).toEqual(["abc…", "日本…", "abc"]);
  });

  it("groups digits by three", () => {
    expect([grouped(7), grouped(1_000), grouped(1_234_567)]).toEqual(["7", "1,000", "1,234,567"]);
  });
});
