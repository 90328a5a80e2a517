import {
  createTask,
  readRegistry,
  REGISTRY_FAULT_POINTS,
  stampRun,
  updateTask,
  type RegistryLocation,
  type RegistryShape,
  type WriterPolicy,
  type WriteResult,
} from "@casebook/registry";
import { FILE_COMMIT_FAULT_POINTS } from "@casebook/file-commit";
import { DiskError } from "@casebook/ports";
import { createWorld, type World } from "@casebook/sim";
import { describe, expect, it } from "vitest";

const location: RegistryLocation = { path: "/tasks.json", shape: { kind: "array", pointer: "/scheduledTasks" } };
const shaped = (shape: RegistryShape): RegistryLocation => ({ path: "/tasks.json", shape });

/** Three valid entries and one invalid, with everything in it that a careless rewrite would lose or change. */
const FOUR = `{
  "version": 12345678901234567890,
  "scheduledTasks": [
    { "id": "a", "fireAt": 1, "__proto__": {"x": 1}, "cost": 1.10, "big": 9007199254740993 },
    { "id": "b", "cronExpression": "0 8 * * *", "note": "caf\\u00e9 / \\/" },
    {"fireAt":3,"id":"c","unknown":{"b":1,"a":2,"b":3}},
    { "id": "bad", "fireAt": "2026-08-27T07:30:00+01:00" }
  ],
  "__proto__": null,
  "recordedSkips": { "a": [], "a": [] }
}
`;

describe("updating one of three valid entries and one invalid", () => {
  it("changes its value in place and nothing else: four entries, unknown keys, spelling and big numbers stay", async () => {
    const { result, text } = await write(FOUR, (ports) =>
      updateTask(ports, location, "b", { cronExpression: "0 9 * * *" }),
    );
    expect(result).toEqual({ outcome: "written", path: "/tasks.json", made: "nothing" });
    expect(text).toBe(FOUR.replace("0 8 * * *", "0 9 * * *"));
  });

  it("adds a key behind the entry's others, spaced like them", async () => {
    const { text } = await write(FOUR, (ports) => updateTask(ports, location, "b", { enabled: false, zone: "UTC" }));
    expect(text).toBe(FOUR.replace('\\/" },', '\\/", "enabled": false, "zone": "UTC" },'));
    const compact = await write(FOUR, (ports) => updateTask(ports, location, "c", { enabled: false, fireAt: 4 }));
    expect(compact.text).toBe(
      FOUR.replace('{"fireAt":3,', '{"fireAt":4,').replace('"b":3}}', '"b":3},"enabled":false}'),
    );
  });

  it("changes several values at once, longer and shorter than they were", async () => {
    const before = '{"scheduledTasks":[{"enabled":true,"fireAt":1,"zone":"Asia/Kolkata","id":"a"}]}';
    const { text } = await write(before, (ports) =>
      updateTask(ports, location, "a", { zone: "UTC", enabled: false, fireAt: 1_000_000 }),
    );
    expect(text).toBe('{"scheduledTasks":[{"enabled":false,"fireAt":1000000,"zone":"UTC","id":"a"}]}');
  });

  it("can repair the invalid one, and can not make another one invalid", async () => {
    const repair = await write(FOUR, (ports) => updateTask(ports, location, "bad", { fireAt: 1_787_812_200_000 }));
    expect(repair.text).toBe(FOUR.replace('"2026-08-27T07:30:00+01:00"', "1787812200000"));
    const { result, text } = await write(FOUR, (ports) => updateTask(ports, location, "b", { fireAt: 7 }));
    expect(result).toMatchObject({ outcome: "refused", code: "TASK_INVALID" });
    expect(text).toBe(FOUR);
  });

  it("records a run as an instant in text, which the loader reads back", async () => {
    const { text, world } = await write(FOUR, (ports) => stampRun(ports, location, "a", Date.UTC(2026, 8, 2, 8)));
    expect(text).toBe(
      FOUR.replace("9007199254740993 }", '9007199254740993, "lastRunAt": "2026-09-02T08:00:00.000Z" }'),
    );
    const reading = await readRegistry(world.ports, location, "quarantine-entry");
    expect(reading.loaded[0]).toMatchObject({ id: "a", lastRunAtMs: Date.UTC(2026, 8, 2, 8) });
  });

  it.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY])("refuses to record a run at %d", async (atMs) => {
    const { result, text } = await write(FOUR, (ports) => stampRun(ports, location, "a", atMs));
    expect(result).toMatchObject({ outcome: "refused", code: "TASK_INVALID" });
    expect(text).toBe(FOUR);
  });
});

describe("creating a task", () => {
  const entry = { id: "new", fireAt: 5, prompt: 'say "hi"', ["__proto__"]: { kept: true } };
  const written = '{"id":"new","fireAt":5,"prompt":"say \\"hi\\"","__proto__":{"kept":true}}';

  it("puts it last in the list and leaves the rest byte for byte", async () => {
    const { text } = await write(FOUR, (ports) => createTask(ports, location, entry));
    expect(text).toBe(FOUR.replace('+01:00" }', `+01:00" },\n    ${written}`));
  });

  it.each<[string, string, RegistryShape, string]>([
    ["an empty list", '{"scheduledTasks":[ ]}', location.shape, `{"scheduledTasks":[${written} ]}`],
    ["a bare list", "[]\n", { kind: "bare-array" }, `[${written}]\n`],
    [
      "a map by id",
      '{"jobs": {"a": {"fireAt": 1}}}',
      { kind: "id-keyed-map", pointer: "/jobs" },
      `{"jobs": {"a": {"fireAt": 1},"new": ${written}}}`,
    ],
    [
      "the declared one of two lists",
      '{"items":[],"watched":[]}',
      { kind: "several-lists", declared: "watched" },
      `{"items":[],"watched":[${written}]}`,
    ],
    ["a file with a byte order mark", "\ufeff[]", { kind: "bare-array" }, `\ufeff[${written}]`],
  ])("works for %s", async (_, before, shape, after) => {
    const { result, text } = await write(before, (ports) => createTask(ports, shaped(shape), entry));
    expect(result).toMatchObject({ outcome: "written", made: "nothing" });
    expect(text).toBe(after);
  });

  it.each<[string, RegistryShape, unknown]>([
    ["a list under a key", location.shape, { scheduledTasks: [{ id: "new", fireAt: 5 }] }],
    [
      "a list further in",
      { kind: "array", pointer: "/a~1b/__proto__" },
      JSON.parse('{"a/b":{"__proto__":[{"id":"new","fireAt":5}]}}'),
    ],
    ["a bare list", { kind: "bare-array" }, [{ id: "new", fireAt: 5 }]],
    ["a map by id", { kind: "id-keyed-map", pointer: "" }, { new: { id: "new", fireAt: 5 } }],
    ["a declared list", { kind: "several-lists", declared: "watched" }, { watched: [{ id: "new", fireAt: 5 }] }],
  ])("makes the missing file as %s", async (_, shape, value) => {
    const { result, text } = await write(undefined, (ports) =>
      createTask(ports, shaped(shape), { id: "new", fireAt: 5 }),
    );
    expect(result).toEqual({ outcome: "written", path: "/tasks.json", made: "file" });
    expect(JSON.parse(text ?? "")).toEqual(value);
  });

  it("does not make a file whose list nobody declared", async () => {
    const { result, text } = await write(undefined, (ports) =>
      createTask(ports, shaped({ kind: "several-lists", declared: undefined }), { id: "new", fireAt: 5 }),
    );
    expect(result).toMatchObject({ outcome: "refused", code: "REGISTRY_WRITE_REFUSED" });
    expect(text).toBeUndefined();
  });

  it.each([
    ["an id that is there", { id: "b", fireAt: 1 }, "TASK_EXISTS"],
    ["the id of the entry that is set aside", { id: "bad", fireAt: 1 }, "TASK_EXISTS"],
    ["an id with a separator", { id: "../x", fireAt: 1 }, "TASK_INVALID"],
    ["no schedule", { id: "x" }, "TASK_INVALID"],
    ["a time that is no number", { id: "x", fireAt: Number.NaN }, "TASK_INVALID"],
  ])("refuses %s", async (_, wrong, code) => {
    const { result, text } = await write(FOUR, (ports) => createTask(ports, location, wrong));
    expect(result).toMatchObject({ outcome: "refused", code });
    expect(text).toBe(FOUR);
  });
});

describe("what could not be read", () => {
  it.each<[string, string]>([
    ["a file cut off in a string", FOUR.slice(0, 200)],
    ["an empty file, which is not a missing one", ""],
    ["a file of NULs", "\0".repeat(64)],
    ["a list that has become a map", '{"scheduledTasks":{}}'],
    ["a document without the list", '{"version":1}'],
    ["a list that is there twice", '{"scheduledTasks":[],"scheduledTasks":[]}'],
  ])("is not written over: %s keeps its bytes through a create, an update and a stamp", async (_, before) => {
    const acts: ((ports: World["ports"]) => Promise<WriteResult>)[] = [
      (ports) => createTask(ports, location, { id: "new", fireAt: 5 }),
      (ports) => updateTask(ports, location, "a", { enabled: false }),
      (ports) => stampRun(ports, location, "a", 0),
    ];
    for (const act of acts) {
      const { result, text, world } = await write(before, act);
      expect(result).toMatchObject({ outcome: "refused", code: "REGISTRY_WRITE_REFUSED" });
      expect(text).toBe(before);
      expect(world.log.map(({ level, event }) => `${level} ${event}`)).toEqual(["error registry.write-refused"]);
    }
  });

  it("is refused with the reason and what to do", async () => {
    const { result } = await write('{"scheduledTasks":[', (ports) =>
      createTask(ports, location, { id: "new", fireAt: 5 }),
    );
    expect(result).toEqual({
      outcome: "refused",
      code: "REGISTRY_WRITE_REFUSED",
      say:
        "REGISTRY_WRITE_REFUSED: what was not read cannot be written back. REGISTRY_TRUNCATED: the text ends where a value or the end " +
        "of the list should follow, 2 level(s) deep (line 1, column 20). No entry can be told from another, so no task is loaded. " +
        "Restore it from a copy, or repair it at the place named; write nothing through it until then.",
    });
  });

  it("can not be updated either: a missing file has no such task", async () => {
    const { result, text } = await write(undefined, (ports) => updateTask(ports, location, "a", { enabled: false }));
    expect(result).toMatchObject({ outcome: "refused", code: "TASK_NOT_FOUND" });
    expect(text).toBeUndefined();
  });

  it("is not chosen between either: of two entries with one id, none is changed", async () => {
    const twins = '{"scheduledTasks":[{"id":"a","fireAt":1},{"id":"a","fireAt":2}]}';
    const { result, text } = await write(twins, (ports) => updateTask(ports, location, "a", { enabled: false }));
    expect(result).toEqual({
      outcome: "refused",
      code: "TASK_AMBIGUOUS",
      say: 'TASK_AMBIGUOUS: "a" is the id of /scheduledTasks/0 and of /scheduledTasks/1; keep one by hand',
    });
    expect(text).toBe(twins);
  });
});

describe("two writers", () => {
  it("do not undo each other: a change between reading and writing is seen, and refused", async () => {
    const { result, text } = await write(FOUR, (ports) =>
      updateTask(
        at(ports, "registry.after-read", () => put(ports.disk, "/tasks.json", "[]")),
        location,
        "b",
        { enabled: false },
      ),
    );
    expect(result).toMatchObject({ outcome: "refused", code: "REGISTRY_CHANGED" });
    expect(text).toBe("[]");
  });

  it("do not overwrite a file that came to be in the meantime", async () => {
    const { result, text } = await write(undefined, (ports) =>
      createTask(
        at(ports, "registry.after-read", () => put(ports.disk, "/tasks.json", FOUR)),
        location,
        { id: "new", fireAt: 5 },
      ),
    );
    expect(result).toMatchObject({ outcome: "refused", code: "REGISTRY_CHANGED" });
    expect(text).toBe(FOUR);
  });

  it("still undo each other in the moment between the last look and the rename, which only a lock closes", async () => {
    const { result, text } = await write(FOUR, (ports) =>
      updateTask(
        at(ports, "registry.before-commit", () => put(ports.disk, "/tasks.json", "[]")),
        location,
        "b",
        { cronExpression: "0 9 * * *" },
      ),
    );
    expect(result.outcome).toBe("written");
    expect(text).toBe(FOUR.replace("0 8 * * *", "0 9 * * *"));
  });

  it("pass the named moments in their order", async () => {
    const reached: string[] = [];
    await write(FOUR, (ports) =>
      updateTask({ ...ports, faults: { reach: async (point) => void reached.push(point) } }, location, "b", {
        enabled: false,
      }),
    );
    expect(reached.filter((point) => !(FILE_COMMIT_FAULT_POINTS as readonly string[]).includes(point))).toEqual([...REGISTRY_FAULT_POINTS]);
    expect(reached.indexOf("registry.before-commit")).toBe(reached.indexOf("file-commit.after-write") - 1);
  });
});

describe("a disk that fails while writing", () => {
  it("is an answer, and the old file is still there", async () => {
    const { result, text } = await write(FOUR, (ports) => {
      const rename = (from: string): Promise<void> => Promise.reject(new DiskError("ENOSPC", "rename", from));
      return updateTask({ ...ports, disk: { ...ports.disk, rename } }, location, "b", { enabled: false });
    });
    expect(result).toEqual({
      outcome: "failed",
      code: "REGISTRY_WRITE_FAILED",
      say: "REGISTRY_WRITE_FAILED: the disk answered ENOSPC while writing /tasks.json. It holds the old or the new version. Read it to know which",
    });
    expect(text).toBe(FOUR);
  });

  it("says what was asked when the rename is refused to the end, and which version is there", async () => {
    const { result, text } = await write(FOUR, (ports) => {
      const rename = (from: string): Promise<void> => Promise.reject(new DiskError("EBUSY", "rename", from));
      return updateTask({ ...ports, disk: { ...ports.disk, rename } }, location, "b", { enabled: false });
    });
    expect(result).toEqual({
      outcome: "failed",
      code: "REGISTRY_WRITE_FAILED",
      say:
        "REGISTRY_WRITE_FAILED: COMMIT_RENAME_REFUSED: the disk refused 8 times to give the new version of /tasks.json its name, last with EBUSY. " +
        "The file is as it was. See who holds it and who may change its directory, and write it again",
    });
    expect(text).toBe(FOUR);
  });
});

describe("a registry with a file per task", () => {
  const perTask: RegistryLocation = { path: "/tasks", shape: { kind: "file-per-task" } };

  it("gets its directory with the first task, and says so; the second finds it", async () => {
    const world = createWorld({ seed: 1, epoch: 0 });
    const make = (id: string): Promise<WriteResult> =>
      world.run((ports) => createTask(ports, perTask, { id, fireAt: 5 }));
    expect(await make("a")).toEqual({ outcome: "written", path: "/tasks/a.json", made: "directory-and-file" });
    expect(await make("b")).toEqual({ outcome: "written", path: "/tasks/b.json", made: "file" });
    expect(await make("a")).toMatchObject({ outcome: "refused", code: "TASK_EXISTS" });
    expect((await readRegistry(world.ports, perTask, "reject-file")).loaded.map((task) => task.id)).toEqual(["a", "b"]);
  });

  it("keeps a task file that could not be read, though its name is free of readable tasks", async () => {
    const world = createWorld({ seed: 1, epoch: 0 });
    await world.ports.disk.mkdir("/tasks");
    await put(world.ports.disk, "/tasks/a.json", '{"id":"a","fire');
    expect(await createTask(world.ports, perTask, { id: "a", fireAt: 5 })).toMatchObject({
      outcome: "refused",
      code: "REGISTRY_WRITE_REFUSED",
    });
    expect(await textAt(world, "/tasks/a.json")).toBe('{"id":"a","fire');
  });

  it("keeps a task file that holds another id than its name says", async () => {
    const world = createWorld({ seed: 1, epoch: 0 });
    await world.ports.disk.mkdir("/tasks");
    await put(world.ports.disk, "/tasks/a.json", '{"id":"b","fireAt":1}');
    expect(await createTask(world.ports, perTask, { id: "a", fireAt: 5 })).toEqual({
      outcome: "refused",
      code: "TASK_EXISTS",
      say: "TASK_EXISTS: there is a file a.json already, whatever is in it",
    });
    expect(await textAt(world, "/tasks/a.json")).toBe('{"id":"b","fireAt":1}');
  });

  it("updates one file and leaves its damaged neighbour alone", async () => {
    const world = createWorld({ seed: 1, epoch: 0 });
    await world.ports.disk.mkdir("/tasks");
    await put(world.ports.disk, "/tasks/a.json", '{"fireAt":1, "keep": 1.0}');
    await put(world.ports.disk, "/tasks/b.json", "{");
    expect(await updateTask(world.ports, perTask, "a", { fireAt: 2 })).toMatchObject({
      outcome: "written",
      made: "nothing",
    });
    expect(await textAt(world, "/tasks/a.json")).toBe('{"fireAt":2, "keep": 1.0}');
    expect(await textAt(world, "/tasks/b.json")).toBe("{");
  });
});

describe("careless writers, to show what is lost", () => {
  const play = async (policy: WriterPolicy, before: string, act: "create" | "update"): Promise<unknown> => {
    const { text } = await write(before, (ports) =>
      act === "create"
        ? createTask(ports, location, { id: "new", fireAt: 5 }, policy)
        : updateTask(ports, location, "a", { fireAt: 9 }, policy),
    );
    return JSON.parse(text ?? "null");
  };

  it("one that writes back what it loaded loses the entry that was set aside and every key it did not know", async () => {
    expect(await play("write-back-loaded", FOUR, "update")).toEqual({
      scheduledTasks: [
        { id: "a", enabled: true, fireAt: 9 },
        { id: "b", enabled: true, cronExpression: "0 8 * * *" },
        { id: "c", enabled: true, fireAt: 3 },
      ],
    });
  });

  it("one that takes an unreadable file for an empty one wipes it with the next create", async () => {
    expect(await play("treat-unreadable-as-empty", FOUR.slice(0, -4), "create")).toEqual({
      scheduledTasks: [{ id: "new", fireAt: 5 }],
    });
  });
});

async function write(before: string | undefined, act: (ports: World["ports"]) => Promise<WriteResult>) {
  const world = createWorld({ seed: 1, epoch: 0 });
  if (before !== undefined) await put(world.ports.disk, "/tasks.json", before);
  const result = await world.run(act);
  const names = Object.keys(world.volume().toJSON());
  // No temporary file stays behind, whatever the outcome.
  expect(names.filter((name) => name !== "/tasks.json" && name !== "/")).toEqual([]);
  return { result, world, text: names.includes("/tasks.json") ? await textAt(world, "/tasks.json") : undefined };
}

/** Ports on which `act` happens at a named moment. */
function at(ports: World["ports"], point: string, act: () => Promise<void>): World["ports"] {
  return { ...ports, faults: { reach: (reached) => (reached === point ? act() : ports.faults.reach(reached)) } };
}

async function put(disk: World["ports"]["disk"], path: string, text: string): Promise<void> {
  const file = await disk.open(path, "w");
  await file.write(new TextEncoder().encode(text));
  await file.close();
}

async function textAt({ ports: { disk } }: World, path: string): Promise<string> {
  const file = await disk.open(path, "r");
  const bytes = await file.read(100_000, 0);
  await file.close();
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
