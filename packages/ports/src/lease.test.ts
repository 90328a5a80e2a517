import { describe, expect, it } from "vitest";
import { claim, isHeld, type Lease, renew } from "./lease.ts";

const LEASE_MS = 90_000;
const at = 1_000_000;

function claimed(current: Lease | undefined, owner: string, nowMs: number): Lease {
  const answer = claim(current, owner, nowMs, LEASE_MS);
  if ("refused" in answer) throw new Error(`held by ${answer.by.owner}`);
  return answer.lease;
}

describe("a lease", () => {
  it("starts at epoch 1, and is held until the millisecond at which it expires", () => {
    const lease = claimed(undefined, "a", at);
    expect(lease).toEqual({ owner: "a", epoch: 1, expiresAtMs: at + LEASE_MS });
    expect(isHeld(lease, lease, at + LEASE_MS - 1)).toBe(true);
    expect(isHeld(lease, lease, at + LEASE_MS)).toBe(false);
  });

  it("goes to one of two contenders: the second is told who holds it", () => {
    const lease = claimed(undefined, "a", at);
    expect(claim(lease, "b", at, LEASE_MS)).toEqual({ refused: "held", by: lease });
    // Also when it is the same owner: who lost its answer does not know whether it acted.
    expect(claim(lease, "a", at, LEASE_MS)).toEqual({ refused: "held", by: lease });
  });

  it("gets a new epoch with each claim, also by the same owner, so that a stable name fences nothing by itself", () => {
    const first = claimed(undefined, "a", at);
    const second = claimed(first, "a", first.expiresAtMs);
    expect(second.epoch).toBe(2);
    expect(isHeld(second, first, first.expiresAtMs)).toBe(false);
    expect(renew(second, first, first.expiresAtMs, LEASE_MS)).toEqual({ refused: "superseded", by: second });
  });

  it("is renewed by its holder only, and not by a past owner", () => {
    const old = claimed(undefined, "a", at);
    const current = claimed(old, "b", old.expiresAtMs);
    expect(renew(current, old, old.expiresAtMs + 1, LEASE_MS)).toEqual({ refused: "superseded", by: current });
    expect(renew(current, current, old.expiresAtMs + 1, LEASE_MS)).toEqual({
      lease: { owner: "b", epoch: 2, expiresAtMs: old.expiresAtMs + 1 + LEASE_MS },
    });
  });

  it("is not revived by a renewal that comes at its expiry, although nobody claimed it", () => {
    const lease = claimed(undefined, "a", at);
    expect(renew(lease, lease, lease.expiresAtMs, LEASE_MS)).toEqual({ refused: "expired", by: lease });
    expect(renew(lease, lease, lease.expiresAtMs - 1, LEASE_MS)).toHaveProperty("lease");
    expect(renew(undefined, lease, at, LEASE_MS)).toEqual({ refused: "absent", by: undefined });
  });

  it("is judged by what is stored: a holder's copy with a later expiry holds nothing", () => {
    const stored = claimed(undefined, "a", at);
    const copy = { ...stored, expiresAtMs: at + 10 * LEASE_MS };
    expect(isHeld(stored, copy, stored.expiresAtMs)).toBe(false);
    expect(renew(stored, copy, stored.expiresAtMs, LEASE_MS)).toEqual({ refused: "expired", by: stored });
  });

  it("loses nothing to a clock that goes backwards: it stays held, and a renewal does not shorten it", () => {
    const lease = claimed(undefined, "a", at);
    const earlier = at - 3_600_000;
    expect(claim(lease, "b", earlier, LEASE_MS)).toEqual({ refused: "held", by: lease });
    expect(renew(lease, lease, earlier, LEASE_MS)).toEqual({ lease });
  });

  it("cannot be given out when it would have expired before it starts", () => {
    const text = (leaseMs: number): string =>
      `LEASE_INVALID: a lease of ${leaseMs} ms would have expired before it starts. Pass whole milliseconds from 1 up.`;
    for (const leaseMs of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => claim(undefined, "a", at, leaseMs)).toThrow(text(leaseMs));
    }
    const lease = claimed(undefined, "a", at);
    expect(() => renew(lease, lease, at, 0)).toThrow(text(0));
    // A stored one that expired before it could be held is held by nobody.
    expect(isHeld({ ...lease, expiresAtMs: 0 }, lease, at)).toBe(false);
    expect(claim({ ...lease, expiresAtMs: 0 }, "b", at, LEASE_MS)).toMatchObject({ lease: { epoch: 2 } });
  });
});
