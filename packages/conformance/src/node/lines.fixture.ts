/** A receipt log by hand, a record a line and each with its checksum, of which one part can be another. Leaves out power losses, several writers and numbers. */
import type { Disk, DiskFile } from "@casebook/ports";
import type { Appended, KeyAnswer, ReceiptLogAdapter, ReceiptToKeep } from "../index.ts";

export interface Parts {
  /** Whether the receipt of a line is that of the key. `line`: without its checksum. */
  readonly isOf: (line: string, key: string) => boolean;
  readonly write: (file: DiskFile, bytes: Uint8Array) => Promise<unknown>;
  readonly appended: (receipt: ReceiptToKeep) => unknown;
  /** `size`: of the file, in characters; `asked`: a set of this instance, for keys. */
  readonly answered: (answer: KeyAnswer, seen: { readonly key: string; readonly size: number; readonly asked: Set<string> }) => unknown;
}

const CAREFUL: Parts = {
  isOf: (line, key) => line.split(" ")[0] === key,
  async write(file, bytes) {
    for (let written = 0; written < bytes.length; ) written += await file.write(bytes.subarray(written));
  },
  appended: (): Appended => ({ outcome: "acknowledged" }),
  answered: (answer) => answer,
};

const PATH = "/receipts.log";

export function linesLog(parts: Partial<Parts> = {}, name = "lines"): ReceiptLogAdapter {
  const { isOf, write, appended, answered } = { ...CAREFUL, ...parts };
  return {
    name,
    version: "1.0.0",
    capabilities: [],
    create({ disk }) {
      const asked = new Set<string>();
      return {
        async append(receipt) {
          const line = `${receipt.key} ${receipt.state}`;
          const text = await load(disk);
          // Behind a tail that was torn a line of its own begins.
          const begin = text === "" || text.endsWith("\n") ? "" : "\n";
          const file = await disk.open(PATH, "a");
          await write(file, new TextEncoder().encode(`${begin}${line} ${checksum(line)}\n`));
          await file.close();
          return appended(receipt) as Appended;
        },
        async read(key) {
          let answer: KeyAnswer = { health: "absent" };
          const text = await load(disk);
          for (const whole of text.split("\n").filter((one) => one !== "")) {
            const end = whole.lastIndexOf(" ");
            const line = whole.slice(0, end);
            // Of whom it was nobody knows: it may be newer than all that was found before.
            if (end === -1 || whole.slice(end + 1) !== checksum(line)) answer = { ...answer, health: "damaged" };
            else if (isOf(line, key)) answer = { health: "found", state: line.endsWith("completed") ? "completed" : "pending" };
          }
          return answered(answer, { key, size: text.length, asked }) as KeyAnswer;
        },
      };
    },
  };
}

async function load(disk: Disk): Promise<string> {
  const file = await disk.open(PATH, "r").catch(() => undefined);
  if (file === undefined) return "";
  const bytes = await file.read((await file.stat()).size, 0);
  await file.close();
  return new TextDecoder().decode(bytes);
}

function checksum(line: string): string {
  let sum = 0;
  for (const one of line) sum = (sum * 31 + (one.codePointAt(0) as number)) % 1_000_003;
  return String(sum);
}
