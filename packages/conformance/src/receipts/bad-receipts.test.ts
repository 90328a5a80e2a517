/** Receipt logs that are wrong in one small part, and those that break the interface: each turns a rule red, with what to change. */
import { describe, expect, it } from "vitest";
import { runReceiptConformance } from "../node/index.ts";
import { linesLog, type Parts } from "../node/lines.fixture.ts";

const keyOf = (line: string): string => line.split(" ")[0] as string;

describe("a receipt log in lines", () => {
  it("passes every rule that is asked", async () => {
    const { rules } = await runReceiptConformance(linesLog());
    expect(rules.flatMap(({ failures = [] }) => failures.map(({ check, seen }) => [check, seen]))).toEqual([]);
  });

  it.each<readonly [what: string, parts: Partial<Parts>, seen: readonly string[]]>([
    ["finds a key anywhere in a line", { isOf: (line, key) => line.includes(key) }, ["RC06/kept: command-1 was acknowledged as completed, and the answer is found, pending", "RC07/none-invented: nobody appended command, and the answer is found, completed"]],
    ["finds a key at the beginning of a line", { isOf: (line, key) => line.startsWith(key) }, ["RC06/kept: command-1 was acknowledged as completed, and the answer is found, pending", "RC07/none-invented: nobody appended command, and the answer is found, completed"]],
    ["finds a key at the end of another", { isOf: (line, key) => keyOf(line).endsWith(key) }, ["RC06/kept: command-1 was acknowledged as completed, and the answer is found, pending", "RC07/none-invented: nobody appended mand-1, and the answer is found, completed"]],
    ["finds a key by what it begins with", { isOf: (line, key) => key.startsWith(keyOf(line)) }, ["RC07/none-invented: nobody appended command-10, and the answer is found, completed"]],
    ["finds a key by what it ends with", { isOf: (line, key) => key.endsWith(keyOf(line)) }, ["RC07/none-invented: nobody appended a-command-1, and the answer is found, completed"]],
    ["calls completed what is pending", { answered: (answer) => (answer.state === undefined ? answer : { ...answer, state: "completed" }) }, ["RC06/kept: command-10 was acknowledged as pending, and the answer is found, completed", "RC07/none-invented: nobody appended other as completed, and the answer is found, completed"]],
    ["writes once, however many bytes were taken", { write: (file, bytes) => file.write(bytes) }, ["RC06/kept: command-1 was acknowledged as completed, and the answer is damaged, pending"]],
    ["calls damaged what nobody appended, as soon as it has a file", { answered: (answer, { size }) => (answer.health === "absent" && size > 0 ? { health: "damaged" } : answer) }, ["RC07/none-invented: nothing was damaged, and the answer for nobody is damaged"]],
    ["finds what every object has", { answered: (answer, { key }) => (key in {} ? { health: "found", state: "pending" } : answer) }, ["RC07/none-invented: nobody appended constructor, and the answer is found, pending"]],
    ["answers a key once", { answered: (answer, { key, asked }) => (asked.size === asked.add(key).size ? { health: "absent" } : answer) }, ["RC06/contract: read answered found, completed for command-1, and absent when it was asked again. Answer from the disk, and change nothing", "RC07/contract: read answered found, pending for other, and absent when it was asked again. Answer from the disk, and change nothing"]],
  ])("that %s is red", async (_what, parts, seen) => {
    const { rules } = await runReceiptConformance(linesLog(parts), { only: ["RC06", "RC07"], share: 0.3 });
    expect(rules.flatMap(({ failures = [] }) => failures.map((one) => `${one.check}: ${one.seen}`))).toEqual(seen);
  });
});
