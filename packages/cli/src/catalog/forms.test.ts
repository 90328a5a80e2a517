/** The issue forms: what GitHub demands of their shape, and the choices in them, which are the data's. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { guardsAbout } from "../commands/explain.ts";
import { headings } from "../house/markdown.ts";
import { ROOT } from "../root.ts";
import { readCatalog } from "./catalog.ts";
import { choices, FORM_CHOICES, renderForm } from "./forms.ts";
import { EVIDENCE, LAYERS, OUTCOMES } from "./schema.ts";

const FOLDER = ".github/ISSUE_TEMPLATE";
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const forms = readdirSync(join(ROOT, FOLDER)).filter((name) => name !== "config.yml").toSorted();

interface Field {
  readonly type: string;
  readonly id?: string;
  readonly attributes: { readonly label?: string; readonly value?: string; readonly options?: readonly unknown[] };
  readonly validations?: { readonly required: boolean };
}
interface Form {
  readonly name: string;
  readonly description: string;
  readonly title: string;
  readonly body: readonly Field[];
}
const formOf = (name: string) => parse(read(`${FOLDER}/${name}`)) as Form;
const optionsOf = (name: string, id: string) => formOf(name).body.find((field) => field.id === id)?.attributes.options;

it("there is a form for a reproduction, a new case and a correction", () => {
  expect(forms).toEqual(["correction.yml", "new-case.yml", "reproduction.yml"]);
  expect(Object.keys(FORM_CHOICES).toSorted()).toEqual(forms.map((name) => `${FOLDER}/${name}`));
});

describe.each(forms)("the form %s", (name) => {
  const { body, ...head } = formOf(name);
  const asking = body.filter(({ type }) => type !== "markdown");

  it("has a name, a description and a title, and knows no other key", () => {
    expect(Object.entries(head).filter(([key, value]) => !["name", "description", "title"].includes(key) || typeof value !== "string" || value.trim() === "")).toEqual([]);
    expect(Object.keys(head)).toHaveLength(3);
  });

  it("has fields of known types, each with a label, and with an id and a label of its own", () => {
    expect(body.filter(({ type }) => !["markdown", "input", "textarea", "dropdown", "checkboxes"].includes(type))).toEqual([]);
    const ids = asking.map(({ id }) => id);
    const labels = asking.map(({ attributes }) => attributes.label);
    expect(ids.filter((id) => id === undefined || !/^[\w-]+$/.test(id))).toEqual([]);
    expect([new Set(ids).size, new Set(labels).size]).toEqual([asking.length, asking.length]);
    expect(labels.filter((label) => typeof label !== "string" || label === "")).toEqual([]);
    expect(body.filter(({ type, attributes }) => type === "markdown" && typeof attributes.value !== "string")).toEqual([]);
  });

  it("offers in every dropdown texts, each once, and none that GitHub keeps for itself", () => {
    for (const { attributes } of body.filter(({ type }) => type === "dropdown")) {
      const options = attributes.options ?? [];
      expect(options.length).toBeGreaterThan(1);
      expect(options.filter((option) => typeof option !== "string" || /^none$/i.test(option))).toEqual([]);
      expect(new Set(options).size).toBe(options.length);
    }
  });

  it("asks for something, and lets nobody send it empty", () => {
    expect(asking.filter(({ validations }) => validations?.required === true).length).toBeGreaterThan(2);
  });
});

describe("the choices in the forms", () => {
  it("are the cases, outcomes, layers, evidence and guards that there are", async () => {
    const cases = (await readCatalog(ROOT)).cases.map(({ number, title }) => `${number} ${title}`);
    const renew = "stale choices: run `npx pnpm@10.34.9 cases:write`";
    expect(optionsOf("reproduction.yml", "case"), renew).toEqual(cases);
    expect(optionsOf("correction.yml", "case"), renew).toEqual(cases);
    expect(optionsOf("reproduction.yml", "outcome"), renew).toEqual(OUTCOMES);
    expect(optionsOf("new-case.yml", "layer"), renew).toEqual(LAYERS);
    expect(optionsOf("new-case.yml", "evidence"), renew).toEqual(EVIDENCE);
    expect(optionsOf("new-case.yml", "guard"), renew).toEqual(guardsAbout().map(({ id }) => id));
  });

  it("follow the data also where a title is no bare YAML text", async () => {
    const path = `${FOLDER}/correction.yml`;
    const title = 'No: "yes" #1';
    const all = choices({ cases: [{ ...(await readCatalog(ROOT)).cases[0], number: "019", title } as never] }, []);
    const form = parse(renderForm(read(path), FORM_CHOICES[path], all)) as Form;
    expect(form.body.find(({ id }) => id === "case")?.attributes.options).toEqual([`019 ${title}`]);
  });
});

describe("the pull request template", () => {
  it("is five boxes, none of them ticked, and no heading", () => {
    const page = read(".github/pull_request_template.md");
    expect(page.split("\n").filter((line) => line.startsWith("- [")).map((line) => line.slice(0, 6))).toEqual(Array.from({ length: 5 }, () => "- [ ] "));
    expect(headings(page)).toEqual([]);
  });
});
