/**
 * Case 007: a registry that grew a second list makes its reader report a confident zero.
 *
 * 129 live records stand under one key, one leftover under the key that readers know. They look for a record that is there,
 * search the wrong thing, and answer zero without an error.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { registryLookupShape } from "@casebook/guards/registry";
import type { Disk } from "@casebook/ports";
import { type JsonObject, type LookupReader, lookupFacts, lookUp, parseDocument, valueOfDocument } from "@casebook/registry/judge";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { Volume } from "memfs";

export const PATH = "/registry/watch.json";
const FIRST_ID = 82_000;
const LEFTOVER_ID = 70_001;

export interface Search {
  /** Records under `watched`, numbered from 82000. */
  readonly live: number;
  /** The old list: one record left in it, the key gone, or, before the second list, all records in it. */
  readonly items: "one-left" | "gone" | "all";
  readonly reader: "vestigial-key" | "absent-key-fallback" | "strict";
  /** Which list the strict reader is told to be authoritative. */
  readonly declared: "watched" | "nothing";
  readonly lookFor: number;
}

export interface Seen extends Facts {
  readonly lookFor: number;
  readonly hits: number;
  readonly population: number;
  readonly searched: string;
  readonly refused: string;
  /** `ok`, or `ALARM: ` and why; `not asked` after a refusal, which claims nothing. */
  readonly guard: string;
}

export function disk({ live, items }: Search): Volume {
  const record = (id: number) => ({ id, repository: "example", state: "open" });
  const document = {
    version: 2,
    updated_at: "2026-08-24T06:00:00Z",
    ...(items === "one-left" ? { items: [record(LEFTOVER_ID)] } : {}),
    [items === "all" ? "items" : "watched"]: Array.from({ length: live }, (_, index) => record(FIRST_ID + index)),
  };
  return Volume.fromJSON({ [PATH]: JSON.stringify(document, undefined, 1) });
}

async function oneLookup({ ports }: World, search: Search): Promise<Seen> {
  const document = await readObject(ports.disk, PATH);
  const answer = lookUp(document, search.lookFor, readerOf(search));
  const facts = lookupFacts(document, answer);
  const finding = facts === undefined ? undefined : registryLookupShape(facts);
  const asked = facts === undefined ? "not asked" : "ok";
  return {
    lookFor: search.lookFor,
    ...("refused" in answer
      ? { hits: 0, population: 0, searched: "nothing", refused: answer.refused }
      : { hits: answer.hits, population: answer.population, searched: answer.searched, refused: "" }),
    guard: finding === undefined ? asked : `ALARM: ${finding.message}`,
  };
}

function readerOf({ reader, declared }: Search): LookupReader {
  if (reader !== "strict") return { policy: reader, key: "items" };
  return declared === "nothing" ? { policy: "strict-undeclared" } : { policy: "strict-declared", key: declared };
}

/** The whole file, which this case knows to be a JSON object. */
async function readObject(disk: Disk, path: string): Promise<JsonObject> {
  const file = await disk.open(path, "r");
  try {
    const parsed = parseDocument(await file.read((await file.stat()).size, 0));
    if (parsed.outcome !== "parsed") throw new Error(`${path} does not parse: ${parsed.say}`);
    return valueOfDocument(parsed) as JsonObject;
  } finally {
    await file.close();
  }
}

function scene(name: string, parameters: Search, expect: Omit<Seen, "lookFor">): Scene<Search, Seen> {
  return { name, disk, run: oneLookup, with: parameters, expect: { lookFor: parameters.lookFor, ...expect } as Seen };
}

const GROWN: Search = { live: 129, items: "one-left", reader: "vestigial-key", declared: "nothing", lookFor: 82_056 };

export const vestigialKey = scene("vestigial-key", GROWN, {
  hits: 0,
  population: 1,
  searched: "items",
  refused: "",
  guard: "ALARM: zero out of 1 searched while the file holds 129 records",
});

export const absentKeyFallback = scene(
  "absent-key-fallback",
  { ...GROWN, items: "gone", reader: "absent-key-fallback" },
  {
    hits: 0,
    population: 3,
    searched: "<the registry object itself>",
    refused: "",
    guard: "ALARM: searched <the registry object itself>, which is not a record collection",
  },
);

export const strictDeclared = scene(
  "strict-declared",
  { ...GROWN, reader: "strict", declared: "watched" },
  { hits: 1, population: 129, searched: "watched", refused: "", guard: "ok" },
);

export const strictUndeclared = scene(
  "strict-undeclared",
  { ...GROWN, reader: "strict" },
  {
    hits: 0,
    population: 0,
    searched: "nothing",
    refused: "top-level lists ['items', 'watched'], none declared authoritative",
    guard: "not asked",
  },
);

/** The same reader before the registry grew: there is one list, under the key that it knows. */
export const oneList = scene(
  "one-list",
  { ...GROWN, items: "all" },
  { hits: 1, population: 129, searched: "items", refused: "", guard: "ok" },
);

export const repro = defineRepro({
  id: "007",
  claim: "A registry that grew a second list makes its reader search the wrong one and report a confident zero.",
  seed: 7,
  epoch: "2026-08-24T06:30:00Z",
  broken: vestigialKey,
  fixed: strictDeclared,
  control: oneList,
  shown: [vestigialKey, absentKeyFallback, strictDeclared, strictUndeclared],
  more: [oneList],
  print: (seen) => [
    ...seen.map(({ name, facts }) => `mode=${name.padEnd(22)} lookup(${facts.lookFor}): ${answerOf(facts)}`),
    ...seen
      .filter(({ facts }) => facts.guard !== "not asked")
      .map(({ name, facts }) => `${`guard(${name})`.padEnd(26)} = ${facts.guard}`),
  ],
});

function answerOf({ hits, population, searched, refused }: Seen): string {
  if (refused !== "") return `refused -> ${refused}`;
  return `hits=${hits} population=${String(population).padEnd(4)} searched=${searched.padEnd(28)} error=none`;
}

await runAsScript(import.meta, repro);
