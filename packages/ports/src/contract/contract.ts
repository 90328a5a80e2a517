/**
 * A contract is a list of cases that every implementation of a port must pass: plain functions that throw when it does
 * not, so that any test runner can call them.
 */
export interface ContractCase<Port> {
  /** A sentence about behaviour; the name of the test. */
  readonly name: string;
  /** Throws an Error that says what was expected and what was seen. */
  run(makePort: MakePort<Port>): Promise<void>;
}

/** Makes a fresh port: an empty disk, an empty log. Whoever makes it also throws it away afterwards. */
export type MakePort<Port> = () => Promise<Port>;

/** Compares as JSON, in which every outcome of a port can be written. */
export function expectEqual(seen: unknown, expected: unknown, what: string): void {
  const seenText = JSON.stringify(seen);
  const expectedText = JSON.stringify(expected);
  if (seenText !== expectedText) throw new Error(`${what}: expected ${expectedText}, saw ${seenText}`);
}

/** Answers the code of the rejection, "" for one without, or "resolved". */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "resolved";
  } catch (failure) {
    return failure instanceof Error && "code" in failure ? String(failure.code) : "";
  }
}
