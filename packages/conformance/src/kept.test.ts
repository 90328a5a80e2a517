/** What people said and the disk refused, through a crash: who keeps all of it passes, and each protection that is taken out turns a rule red. */
import { describe, expect, it } from "vitest";
import { jsonFile } from "../examples/json-file.ts";
import type { DispatcherAdapter } from "./index.ts";
import { kept, KEPT, type Kept } from "./node/kept.fixture.ts";
import { runConformance } from "./node/index.ts";
import { toldInMemory } from "./told.fixture.ts";

const FAILS: Readonly<Record<Kept, string>> = {
  "holds are kept": "C08/dispatch/start-without-permit",
  "releases are kept": "C08/starts",
  "approvals are kept": "C09/starts",
  "acceptances are kept": "C10/states",
  "a refusal is waited for": "F04/contract",
  "a refusal is said": "F04b/states",
};

describe("a dispatcher that replaces its file for what it is told, and for nothing else,", () => {
  it("passes what it declares", async () => {
    const { rules } = await runConformance(kept(toldInMemory()), { only: ["C08", "C09", "C10", "F04", "F04b"] });
    expect(rules.map(({ number, verdict, says, failures }) => [number, verdict, says ?? failures?.[0]?.seen])).toEqual(["C08", "C09", "C10", "F04", "F04b"].map((number) => [number, "PASS", undefined]));
  });

  it.each(KEPT)("fails by name without this: %s", async (protection) => {
    const check = FAILS[protection];
    const { rules } = await runConformance(kept(toldInMemory(), protection), { only: [check.split("/")[0] as string] });
    expect(rules.flatMap(({ failures = [] }) => failures.map((failure) => failure.check))).toContain(check);
  });
});

describe("a dispatcher that replaces its file at each change", () => {
  /** Takes what was written once for the whole. */
  const once: DispatcherAdapter = {
    ...jsonFile,
    create({ disk, ...ports }) {
      const open: typeof disk.open = async (path, flags) => {
        const file = await disk.open(path, flags);
        return { ...file, write: async (bytes, position) => (await file.write(bytes, position), bytes.length) };
      };
      return jsonFile.create({ ...ports, disk: { ...disk, open } });
    },
  };

  it("passes, and fails by name where it takes a short write for a whole one", async () => {
    const seen = async (adapter: DispatcherAdapter) => (await runConformance(adapter, { only: ["C12"] })).rules.map(({ verdict, failures = [] }) => [verdict, failures[0]?.check, failures[0]?.under]);
    expect(await seen(jsonFile)).toEqual([["PASS", undefined, undefined]]);
    expect(await seen(once)).toEqual([
      ["FAIL", "C12/contract", ["short-write at disk.write of dispatcher-1", "kill-restart at step at reach 4 of dispatcher-1 once fault 1 has fired for 5000 ms"]],
    ]);
  });
});
