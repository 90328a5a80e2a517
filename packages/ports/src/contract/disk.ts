/** What every disk does, rule by rule: scripts with their answers, and what a script cannot say. */
import type { Disk } from "../disk.ts";
import { expectEqual, type ContractCase } from "./contract.ts";
import { directoryRules } from "./disk-directory-rules.ts";
import { fileRules } from "./disk-file-rules.ts";
import { playScript, type DiskStep } from "./disk-script.ts";

/** One rule: `steps` in order, and the answer to each as `playScript` writes it. The tree that is left is not compared. */
export interface DiskRule {
  readonly name: string;
  readonly steps: readonly (readonly [step: DiskStep, answer: string])[];
}

export const diskContract: readonly ContractCase<Disk>[] = [
  ...[...fileRules, ...directoryRules].map(caseOfRule),
  {
    name: "keeps its own bytes: changing an array after a write or after a read changes nothing on disk",
    async run(makePort) {
      const disk = await makePort();
      const file = await disk.open("/a", "wx+");
      const given = Uint8Array.of(1, 2, 3);
      await file.write(given, 0);
      given.fill(9);
      (await file.read(3, 0)).fill(8);
      expectEqual([...(await file.read(3, 0))], [1, 2, 3], "bytes on disk");
      await file.close();
    },
  },
  {
    name: "reads megabytes in one piece, from any position",
    async run(makePort) {
      const disk = await makePort();
      // More than two of the chunks in which an implementation may read; 251 is prime, so no chunk looks like another.
      const written = new Uint8Array(2 * 2 ** 20 + 100);
      for (let index = 0; index < written.length; index += 1) written[index] = index % 251;
      const file = await disk.open("/large", "wx+");
      let total = 0;
      while (total < written.length) total += await file.write(written.subarray(total), total);
      const seen = await file.read(written.length, 7);
      await file.close();
      expectEqual(seen.length, written.length - 7, "bytes read");
      let right = 0;
      while (right < seen.length && seen[right] === written[right + 7]) right += 1;
      expectEqual(right, seen.length, "bytes read that are right");
    },
  },
  {
    name: "tells the time of change in whole milliseconds, and reading or renaming is no change",
    async run(makePort) {
      const disk = await makePort();
      const file = await disk.open("/a", "wx+");
      await file.write(Uint8Array.of(1), 0);
      const { modifiedAtMs } = await file.stat();
      expectEqual(Number.isSafeInteger(modifiedAtMs), true, `modifiedAtMs ${modifiedAtMs} is whole`);
      await file.read(1, 0);
      await file.close();
      await disk.rename("/a", "/b");
      expectEqual((await disk.stat("/b")).modifiedAtMs, modifiedAtMs, "time of change");
    },
  },
  {
    name: "lists a directory completely, in whatever order",
    async run(makePort) {
      const disk = await makePort();
      const names = Array.from({ length: 40 }, (_, index) => `task-${index}`);
      for (const name of names) await disk.mkdir(`/${name}`);
      const listed = (await disk.readdir("/")).map((entry) => entry.name);
      expectEqual(listed.sort(), names.sort(), "names");
    },
  },
];

function caseOfRule(rule: DiskRule): ContractCase<Disk> {
  return {
    name: rule.name,
    async run(makePort) {
      const answers = await playScript(await makePort(), rule.steps.map(([step]) => step));
      for (const [index, [step, answer]] of rule.steps.entries()) {
        expectEqual(answers[index], answer, `step ${index} ${JSON.stringify(step)}`);
      }
    },
  };
}
