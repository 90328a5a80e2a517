/** What every artefact store does. */
import type { Artefacts } from "../index.ts";
import { expectEqual, type ContractCase } from "./contract.ts";

export const artefactsContract: readonly ContractCase<Artefacts>[] = [
  {
    name: "answers undefined for an address where nothing is",
    async run(makePort) {
      expectEqual((await (await makePort()).head("run-1/a")) === undefined, true, "head of nothing");
    },
  },
  {
    name: "says the address and the size in bytes of what was put",
    async run(makePort) {
      const artefacts = await makePort();
      // One, two, three and four bytes.
      await artefacts.put("run-1/a", "aé€😀");
      expectEqual(await artefacts.head("run-1/a"), { uri: "run-1/a", size: 10 }, "head");
    },
  },
  {
    name: "replaces by a second put, and tells addresses apart",
    async run(makePort) {
      const artefacts = await makePort();
      await artefacts.put("run-1/a", "one");
      await artefacts.put("run-1/A", "four");
      await artefacts.put("run-1/a", "x");
      expectEqual([(await artefacts.head("run-1/a"))?.size, (await artefacts.head("run-1/A"))?.size], [1, 4], "sizes");
    },
  },
];
