import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import {
  AUTHORITY_ROWS,
  type AuthorityRowId,
  playAuthorityRow,
  playReceiptRow,
  playStoreRow,
  RECEIPT_ROWS,
  type ReceiptPolicies,
  type ReceiptRowId,
  REFERENCE_POLICIES,
  type RowDamage,
  STORE_ROWS,
  type StoreRowId,
} from "@casebook/receipt-reader";

const ROWS = Object.keys(RECEIPT_ROWS) as ReceiptRowId[];
const CAREFUL = REFERENCE_POLICIES;
const TOLERANT: ReceiptPolicies = { ...REFERENCE_POLICIES, reader: "backward-tolerant" };

/** Loaded state, reason, whether it acted, callbacks, effects. */
type Played = readonly [string | null, string, boolean, number, number];

/** As published for the product whose reader is backward and tolerant. */
const PUBLISHED: Readonly<Record<ReceiptRowId, Played>> = {
  R0: ["completed", "idempotent_replay", false, 1, 1],
  R1: ["completed", "idempotent_replay", false, 1, 1],
  R2: ["pending", "synthetic_callback", true, 2, 2],
  R3: [null, "synthetic_callback", true, 2, 2],
  R4: [null, "stale_task_revision", false, 1, 1],
  R5: ["completed", "task_command_receipt_store_unavailable", false, 1, 1],
  R6: ["pending", "synthetic_callback", true, 2, 2],
  R7: ["pending", "pending_command_observed_state_advance", false, 1, 1],
  R8: ["pending", "synthetic_callback", true, 2, 1],
  A4: ["completed", "idempotency_key_conflict", false, 1, 1],
};

async function play(id: ReceiptRowId, policies: ReceiptPolicies, damage: RowDamage = "cut") {
  const world = createWorld({ seed: 1, epoch: 0 });
  const { loadedState, secondReason, secondActionTaken, callbacks, effects, ...rest } = await world.run((ports) => playReceiptRow(ports, id, { policies, damage }));
  return { played: [loadedState, secondReason, secondActionTaken, callbacks, effects] as const, ...rest };
}

/** The rows whose outcome is not as under `than`. */
async function changed(policies: ReceiptPolicies, than: ReceiptPolicies): Promise<Partial<Record<ReceiptRowId, Played>>> {
  const differing: Partial<Record<ReceiptRowId, Played>> = {};
  for (const id of ROWS) {
    const [one, two] = [await play(id, policies), await play(id, than)];
    if (JSON.stringify(one.played) !== JSON.stringify(two.played)) differing[id] = one.played;
  }
  return differing;
}

describe("the receipt rows under a backward and tolerant reader", () => {
  for (const id of ROWS) {
    it.each<RowDamage>(["cut", "zeros", "changed"])(`${id}: ${RECEIPT_ROWS[id].change}; gives what was published, with a record that is %s`, async (damage) => {
      const { played, bytesPreserved, actorFingerprintEqual } = await play(id, TOLERANT, damage);
      expect(played).toEqual(PUBLISHED[id]);
      expect([bytesPreserved, actorFingerprintEqual]).toEqual([true, id !== "A4"]);
    });
  }
});

describe("one policy changed from there", () => {
  const reconcile = "receipt_damage_needs_reconciliation";

  it("a reader that reports health keeps the second callback from R2, R3, R6 and R8, and changes no other row", async () => {
    expect(await changed(CAREFUL, TOLERANT)).toEqual({
      R2: ["pending", reconcile, false, 1, 1],
      R3: [null, reconcile, false, 1, 1],
      R6: ["pending", "receipt_version_unsupported", false, 1, 1],
      R8: ["pending", reconcile, false, 1, 1],
    });
  });

  it("a reader that reports health to a kernel that looks at the state alone changes nothing", async () => {
    expect(await changed({ ...CAREFUL, decide: "state-alone" }, TOLERANT)).toEqual({});
  });

  it("a reader that takes the first record of a key loses the completed ones: R0, R1, R5 and A4", async () => {
    // Not R2 and R6: there the first record is what the tolerant reader finds, too.
    expect(await changed({ ...TOLERANT, reader: "forward-first" }, TOLERANT)).toEqual({
      R0: ["pending", "synthetic_callback", true, 2, 2],
      R1: ["pending", "synthetic_callback", true, 2, 2],
      R5: ["pending", "task_command_receipt_store_unavailable", false, 1, 1],
      A4: ["pending", "idempotency_key_conflict", false, 1, 1],
    });
  });

  it("a reader that takes a bad line for an empty file calls again in R1, too", async () => {
    const differing = await changed({ ...TOLERANT, reader: "catch-all-empty" }, TOLERANT);
    expect(Object.keys(differing)).toEqual(["R1", "R2", "R6", "R7", "R8"]);
    expect(differing.R1).toEqual([null, "synthetic_callback", true, 2, 2]);
    expect(differing.R7).toEqual([null, "stale_task_revision", false, 1, 1]);
  });

  it("a key that is compared without its actor changes A4 only", async () => {
    expect(await changed({ ...TOLERANT, sameCommand: "key-only" }, TOLERANT)).toEqual({ A4: ["completed", "idempotent_replay", false, 1, 1] });
  });

  it("a newer version that is taken for absent changes R6 only, for a reader that reports the rest", async () => {
    expect(await changed({ ...CAREFUL, unknownVersion: "as-absent" }, CAREFUL)).toEqual({ R6: ["pending", "synthetic_callback", true, 2, 2] });
  });
});

describe("the rows of authority", () => {
  it.each<[AuthorityRowId, unknown]>([
    ["A0", { digestEqual: true, calls: 1, error: null, status: "succeeded" }],
    ["A1", { digestEqual: false, calls: 0, error: "APPROVAL_STALE", status: null }],
    ["A2", { digestEqual: true, calls: 1, error: null, status: "succeeded" }],
    ["A3", { digestEqual: true, calls: 1, error: null, status: "succeeded" }],
  ])("%s gives what was published", async (id, published) => {
    expect(AUTHORITY_ROWS[id].change).not.toBe("");
    expect(await playAuthorityRow(id)).toEqual(published);
  });
});

describe("the rows of single records", () => {
  it.each<[StoreRowId, unknown]>([
    ["S0", { missing: true, error: null, bytesPreserved: true }],
    ["S1", { missing: false, error: "RegistryWriteError", bytesPreserved: true }],
    ["S2", { missing: false, error: "RegistryWriteError", bytesPreserved: true }],
    ["O1", { missing: false, error: "APPROVAL_STORE_CORRUPT", bytesPreserved: true }],
  ])("%s gives what was published", async (id, published) => {
    expect(STORE_ROWS[id].change).not.toBe("");
    expect(await createWorld({ seed: 1, epoch: 0 }).run((ports) => playStoreRow(ports, id))).toEqual(published);
  });
});
