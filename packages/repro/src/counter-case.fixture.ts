/** A case small enough to test the harness with: two writers, one of which forgets what it read. */
import { defineRepro, type Scene } from "./repro.ts";

interface Counting {
  readonly additions: number;
  readonly writer: "overwrites" | "adds";
}

type Counted = { readonly additions: number; readonly total: number };

const PATH = "/total";

function scene(name: string, parameters: Counting, total: number): Scene<Counting, Counted> {
  return {
    name,
    with: parameters,
    expect: { additions: parameters.additions, total },
    async run({ ports: { disk } }, { additions, writer }) {
      let total = 0;
      for (let index = 0; index < additions; index += 1) {
        total = writer === "adds" ? total + 1 : 1;
        const file = await disk.open(PATH, "w");
        await file.write(Uint8Array.of(total));
        await file.close();
      }
      const file = await disk.open(PATH, "r");
      const [seen = 0] = await file.read(1, 0);
      return { additions, total: seen };
    },
  };
}

export const broken = scene("broken", { additions: 3, writer: "overwrites" }, 1);
export const fixed = scene("fixed", { additions: 3, writer: "adds" }, 3);
export const control = scene("control", { additions: 1, writer: "overwrites" }, 1);

export const counterRepro = defineRepro({
  id: "000",
  claim: "A writer that forgets what it read loses additions.",
  seed: 1,
  epoch: "2026-01-01T00:00:00Z",
  broken,
  fixed,
  control,
  shown: [broken, fixed],
  more: [control],
  print: (seen) => seen.map(({ name, facts }) => `mode=${name} additions=${facts.additions} total=${facts.total}`),
});
