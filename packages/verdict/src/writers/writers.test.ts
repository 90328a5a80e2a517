import { describe, expect, it } from "vitest";

import { writeHuman } from "./human.ts";
import { writeJunit } from "./junit.ts";
import { createResultDocument } from "../result-document.ts";
import { fail, notRun, pass } from "../words/index.ts";

const document = createResultDocument({
  tool: { name: "vitest", version: "4.1.12" },
  selection: [],
  results: [
    { id: "b.test.ts > stays", title: "stays", location: { file: "b.test.ts" }, ...pass() },
    {
      id: "a.test.ts > breaks",
      title: "breaks",
      location: { file: "a.test.ts", line: 3, column: 9 },
      ...fail("Error: 1 < 2 & \u0007\u001b[31mred\ud800", { firstLines: ["Error: 1 < 2 & \u0007\u001b[31mred\ud800", "- a", "+ b"] }),
      annotation: "stale contract",
    },
    {
      id: "a.test.ts > queue",
      title: "queue",
      note: "asked for by CI",
      location: { file: "a.test.ts" },
      ...notRun("missing-dependency", 'no "redis"\non 127.0.0.1', {
        command: "redis-cli ping",
        exitCode: 1,
        versions: { vitest: "4.1.12", node: "20.20.2" },
        firstLines: ["Connection refused"],
      }),
    },
  ],
  outside: [{ id: "b.test.ts > later", title: "later", kind: "todo", location: { file: "b.test.ts" } }],
  findings: [{ guard: "registry/parity", subject: "fleet", message: "6 on disk, 0 loaded", counts: {} }],
});

describe("the human writer", () => {
  it("tells every verdict with what it rests on, ends in the tally, and lets no control character through", () => {
    expect(writeHuman(document)).toBe(`\
FAIL     a.test.ts > breaks
         Error: 1 < 2 & \\u0007\\u001b[31mred\\ud800
         - a
         + b
         annotation: stale contract
NOT RUN  a.test.ts > queue (missing-dependency)
         no "redis"
         on 127.0.0.1
         $ redis-cli ping
         exit code 1
         Connection refused
         node 20.20.2, vitest 4.1.12
         note: asked for by CI
PASS     b.test.ts > stays
todo     b.test.ts > later
finding  registry/parity  fleet: 6 on disk, 0 loaded
not run: 1 (missing-dependency 1)
planned 3, passed 1, failed 1, not run 1
`);
  });
});

describe("the junit writer", () => {
  it("keeps NOT RUN with its reason and evidence, and holds nothing that XML forbids", () => {
    expect(writeJunit(document)).toBe(`\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="vitest" tests="4" failures="1" errors="0" skipped="2">
  <testsuite name="a.test.ts" tests="2" failures="1" errors="0" skipped="1">
    <testcase classname="a.test.ts" name="breaks" file="a.test.ts" line="3"><failure message="Error: 1 &lt; 2 &amp; \\u0007\\u001b[31mred\\ud800">Error: 1 &lt; 2 &amp; \\u0007\\u001b[31mred\\ud800
- a
+ b</failure></testcase>
    <testcase classname="a.test.ts" name="queue" file="a.test.ts"><skipped message="NOT RUN (missing-dependency): no &quot;redis&quot;&#10;on 127.0.0.1">no "redis"
on 127.0.0.1
$ redis-cli ping
exit code 1
Connection refused
node 20.20.2, vitest 4.1.12
asked for by CI</skipped></testcase>
  </testsuite>
  <testsuite name="b.test.ts" tests="2" failures="0" errors="0" skipped="1">
    <testcase classname="b.test.ts" name="later" file="b.test.ts"><skipped message="todo"/></testcase>
    <testcase classname="b.test.ts" name="stays" file="b.test.ts"/>
  </testsuite>
  <!-- planned 3, passed 1, failed 1, not run 1 -->
</testsuites>
`);
  });

  it("writes every UTF-16 unit as something an XML parser accepts", () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
    const all = createResultDocument({
      tool: { name: "t", version: "1" },
      selection: [],
      // Spaced out, so that no two surrogates make a pair.
      results: [{ id: "x", title: "x", ...fail(units.join(" ")) }],
    });
    // XML 1.0, production 2 (Char), without the supplementary planes.
    expect(writeJunit(all)).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/);
  });
});
