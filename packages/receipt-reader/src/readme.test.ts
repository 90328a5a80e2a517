/** Holds the package's README to a run and to the data: its example stands here and is played, its tables are the tables of the code. */
import { readFileSync } from "node:fs";
import { COMMANDS, createReceiptWriter, DECISION_TABLE, readReceipts, repairLog } from "@casebook/receipt-reader";
import { diagnose, DIAGNOSES } from "@casebook/receipt-reader/judge";
import { KNOWN_BAD_RECEIPTS } from "@casebook/receipt-reader/known-bad";
import { createWorld } from "@casebook/sim";
import { expect, it } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const own = readFileSync(new URL("readme.test.ts", import.meta.url), "utf8");

it("the README shows this example, and what it prints", async () => {
  const printed: string[] = [];
  await example((...words) => void printed.push(words.join(" ")));
  const code = own.slice(own.indexOf("// example:start\n") + 17, own.lastIndexOf("  // example:end"));
  expect(readme).toContain("```ts\n" + code.replace(/^ {2}/gm, "") + "```\n");
  expect(readme).toContain("```text\n" + printed.join("\n") + "\n```\n");
});

it("the README has the decision table, and what each careless way breaks", () => {
  const row = (...cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const decisions = DIAGNOSES.map((diagnosis) => row(diagnosis, ...COMMANDS.map((kind) => DECISION_TABLE[diagnosis][kind].decision)));
  expect(readme).toContain(`${row("", ...COMMANDS)}${row(...Array<string>(COMMANDS.length + 1).fill("---"))}${decisions.join("")}`);
  expect(readme).toContain(KNOWN_BAD_RECEIPTS.map(({ name, breaks }) => row(`\`${name}\``, breaks.join(", "))).join(""));
});

async function example(say: (...words: string[]) => void): Promise<void> {
  // example:start
  const { run } = createWorld({ seed: 1, epoch: 0 });
  await run(async (ports) => {
    const log = "/receipts.jsonl";
    const writer = createReceiptWriter(ports, log);
    const receipt = { key: "retry-7", command: "retry", task: "digest", revision: "r1", actor: "a1", payload: "p1" };
    await writer.append({ ...receipt, state: "pending", reason: "" });
    await writer.append({ ...receipt, state: "completed", reason: "sent" });

    // The completion loses its end.
    const file = await ports.disk.open(log, "r+");
    await file.truncate((await file.stat()).size - 30);
    await file.close();

    for (const moment of ["damaged", "repaired"]) {
      if (moment === "repaired") await repairLog(ports, log);
      const read = await readReceipts(ports, log, "retry-7");
      if (read.outcome === "not-read") return say(read.say);
      const { health, found, newer } = read.value;
      say(`${moment}, generation ${read.generation.number}: ${health}, found ${found?.receipt.state ?? "nothing"},`, `unreadable behind it ${newer.unreadable.ofThisKey}: ${diagnose(read.value)}`);
    }
  });
  // example:end
}
