import { expect, it } from "vitest";
import { inMemory } from "../examples/in-memory.ts";
import { jsonFile } from "../examples/json-file.ts";
import { behindFaultProxy } from "./index.ts";
import { runConformance } from "./node/index.ts";
import { toldInMemory } from "./told.fixture.ts";
import { verdictsOf, wrapped } from "./wrapped.fixture.ts";

it.each([
  ["in memory", inMemory, ["C01", "C03", "C04", "F01", "F08", "F09", "F10c"]],
  ["in a file", jsonFile, ["C01", "F03", "F04", "F09", "F10c"]],
  ["that is told everything", toldInMemory(), ["F05", "F11", "F13", "F16", "F18", "F19"]],
  // It fails what it declares, and fails it in the same checks.
  ["in memory, and said to be durable", { ...inMemory, capabilities: ["durable"] as const }, ["F03", "F09", "F10"]],
])("has the verdicts of the adapter itself behind the fault proxy and behind a wrapper: %s", async (_name, adapter, only) => {
  const own = verdictsOf(await runConformance(adapter, { only, share: 0.5 }));
  expect(verdictsOf(await runConformance(behindFaultProxy(adapter), { only, share: 0.5 }))).toEqual(own);
  expect(verdictsOf(await runConformance(wrapped(adapter), { only, share: 0.5 }))).toEqual(own);
});
