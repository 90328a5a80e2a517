/** What somebody may answer or throw in place of plain data, each of its own kind. Made anew for each use. */
class Held {
  readonly #kept = "kept";
  toString(): string {
    return this.#kept;
  }
}

function fail(): never {
  throw new Error("not today");
}

export const ODD: Readonly<Record<string, () => unknown>> = {
  "nothing": () => undefined,
  "a circle": () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    return circle;
  },
  "a bigint": () => 7n,
  "a symbol": () => Symbol("one"),
  "no number": () => Number.NaN,
  "a function": () => () => "ok",
  "a class": () => Held,
  "an instance of a class": () => new Held(),
  "a map": () => new Map([["id", "TASK-1"]]),
  "a text as an object": () => new String("done"),
  "an object without a prototype": () => Object.create(null) as object,
  "a getter that throws": () => ({ get id() { return fail(); }, get health() { return fail(); }, get outcome() { return fail(); }, get state() { return fail(); }, get history() { return fail(); }, get append() { return fail(); }, get submit() { return fail(); }, get supervise() { return fail(); }, get name() { return fail(); } }),
  "a toJSON that throws": () => ({ toJSON: fail }),
  "a proxy that refuses": () => new Proxy({}, { get: (_target, key) => (key === "then" ? undefined : fail()), ownKeys: fail }),
  "a proxy that was revoked": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "a list with nothing in it": () => [undefined],
  "a list with a hole": () => Object.assign([], { length: 1 }),
  "a list without an end": () => Object.assign([{}], { *[Symbol.iterator]() { for (;;) yield {}; } }),
  "a list of a billion": () => Object.assign([], { length: 1_000_000_000 }),
};

/** Thrown, or as the reason of a promise. */
export const ODD_REASONS: Readonly<Record<string, () => unknown>> = {
  ...ODD,
  "an error whose message throws": () => Object.defineProperty(new Error("one"), "message", { get: fail }),
  "an error whose message is a symbol": () => Object.assign(new Error("one"), { message: Symbol("one") }),
  "an error without a word": () => new Error(""),
};
