/**
 * Each JSON file of a fixture with one key renamed, one value of another type, or one list moved. Made from the fixtures and the
 * presets, so that a new layout and a new field are held to the same.
 */
import { json, withFile, type Fixture } from "../presets/fixtures/index.ts";
import type { FixtureEntry } from "../trees/index.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Change {
  readonly kind: "renamed" | "retyped" | "moved";
  readonly path: string;
  /** Where it stood, from the top of the document or of the line. */
  readonly pointer: string;
  readonly name: string;
  readonly fixture: Fixture;
}

/** One document: a JSON file, or one line of a JSONL file. */
interface Document {
  readonly path: string;
  readonly value: Json;
  readonly rewrite: (value: Json) => Fixture;
}

export function changesOf(fixture: Fixture): Change[] {
  return documentsOf(fixture).flatMap((document) => [...renamings(document), ...retypings(document), ...movings(document)]);
}

function documentsOf(fixture: Fixture): Document[] {
  return Object.entries(fixture.files).flatMap(([path, entry]) => {
    const text = textOf(entry);
    const write = (changed: string): Fixture => withFile(fixture, path, { ...(entry as { content: string }), content: changed }, fixture.title);
    if (path.endsWith(".json")) return [{ path, value: JSON.parse(text) as Json, rewrite: (value: Json) => write(json(value)) }];
    if (!path.endsWith(".jsonl")) return [];
    const lines = text.trimEnd().split("\n");
    return lines.map((line, at) => {
      const rewrite = (value: Json): Fixture => write(`${[...lines.slice(0, at), JSON.stringify(value), ...lines.slice(at + 1)].join("\n")}\n`);
      return { path, value: JSON.parse(line) as Json, rewrite };
    });
  });
}

function textOf(entry: FixtureEntry): string {
  const content = typeof entry === "object" && "content" in entry ? entry.content : entry;
  return typeof content === "string" ? content : "";
}

type Container = { [key: string]: Json };

function changed(value: Json, path: readonly string[], change: (holder: Container, key: string) => void): Json {
  const copy = copyOf(value);
  const holder = path.slice(0, -1).reduce<Json>((at, key) => (at as Container)[key] as Json, copy);
  change(holder as Container, path.at(-1) as string);
  return copy;
}

function pathsIn(value: Json, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [[...path, key], ...pathsIn(member, [...path, key])]);
}

function valueAtPath(value: Json, path: readonly string[]): Json {
  return path.reduce<Json>((at, key) => (at as Container)[key] as Json, value);
}

function renamings({ path, value, rewrite }: Document): Change[] {
  return pathsIn(value)
    // Null says nothing about the field that it stands in, and an index is no name.
    .filter((at) => !/^\d+$/.test(at.at(-1) as string) && valueAtPath(value, at) !== null)
    .map((at) => {
      const renamed = changed(value, at, (holder, key) => {
        const members = Object.entries(holder);
        for (const [name] of members) delete holder[name];
        for (const [name, member] of members) holder[name === key ? `${key}_v2` : name] = member;
      });
      const pointer = `/${at.join("/")}`;
      return { kind: "renamed", path, pointer, name: `${pointer} renamed`, fixture: rewrite(renamed) };
    });
}

/** Two are enough: what is neither text nor a list is another type than one of them. */
const OTHER_TYPES: readonly Json[] = ["not what it was", ["x"]];

function retypings({ path, value, rewrite }: Document): Change[] {
  return pathsIn(value).flatMap((at) => {
    const was = valueAtPath(value, at);
    // Null says nothing about the type that it stands for.
    if (was === null) return [];
    return OTHER_TYPES.filter((other) => kindOf(other) !== kindOf(was)).map((other): Change => {
      const pointer = `/${at.join("/")}`;
      return { kind: "retyped", path, pointer, name: `${pointer} as ${kindOf(other)}`, fixture: rewrite(changed(value, at, (holder, key) => void (holder[key] = other))) };
    });
  });
}

function kindOf(value: Json): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

function movings({ path, value, rewrite }: Document): Change[] {
  const moved = (pointer: string, name: string, to: Json): Change => ({ kind: "moved", path, pointer, name: `${pointer || "the document"} ${name}`, fixture: rewrite(to) });
  const lists = pathsIn(value).filter((at) => Array.isArray(valueAtPath(value, at)));
  const inner = lists.flatMap((at) => {
    const pointer = `/${at.join("/")}`;
    const list = valueAtPath(value, at) as Json[];
    return [
      moved(pointer, "as a map", changed(value, at, (holder, key) => void (holder[key] = asMap(list)))),
      moved(pointer, "one deeper", changed(value, at, (holder, key) => void (holder[key] = { [key]: list }))),
      moved(pointer, "beside an empty one", changed(value, at, (holder, key) => void Object.assign(holder, { [key]: [], archive: list }))),
      moved(pointer, "under another key", changed(value, at, (holder, key) => void (delete holder[key], (holder["archive"] = list)))),
      ...(at.length === 1 ? [moved(pointer, "alone", list)] : []),
    ];
  });
  // Of a trace a whole other document is a trace of something else.
  if (!Array.isArray(value)) return /jobs|tasks/.test(path) ? [...inner, moved("", "in a document", { data: value })] : inner;
  return [...inner, moved("", "as a map", asMap(value)), moved("", "in an object", { tasks: value }), moved("", "one deeper", [value])];
}

function asMap(list: readonly Json[]): Json {
  return Object.fromEntries(list.map((member, index) => [idOf(member) ?? `key-${index}`, member]));
}

function idOf(value: Json): string | undefined {
  const id = typeof value === "object" && value !== null && !Array.isArray(value) ? value["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function copyOf(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
