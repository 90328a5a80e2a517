/**
 * A lease: who may act, under which epoch, until when. The one small thing that dispatcher and supervisor share.
 * Pure: where the current lease is kept, and that it is read and replaced in one step, is the affair of whoever keeps it.
 * Leaves out why somebody holds it, and whether the holder is alive: a lease is evidence of occupancy, not of life.
 */

export interface Lease {
  /** Who holds it. A name, and no fence: the same owner may hold it twice in a row. */
  readonly owner: string;
  /** From 1, one more with each claim, also by the same owner. This is the fence: every write names it. */
  readonly epoch: number;
  /** The first millisecond since 1970 at which it is not held any more. */
  readonly expiresAtMs: number;
}

/**
 * Takes the lease where nobody holds it: none was ever given, or the last one has expired by `nowMs`.
 * The epoch goes on from the last one, so that a past holder can be told from this one. `leaseMs` is at least 1,
 * or LEASE_INVALID is thrown: such a lease would have expired before it starts.
 */
export function claim(
  current: Lease | undefined,
  owner: string,
  nowMs: number,
  leaseMs: number,
): { readonly lease: Lease } | { readonly refused: "held"; readonly by: Lease } {
  checkDuration(leaseMs);
  if (current !== undefined && nowMs < current.expiresAtMs) return { refused: "held", by: current };
  return { lease: { owner, epoch: (current?.epoch ?? 0) + 1, expiresAtMs: nowMs + leaseMs } };
}

/**
 * Extends a lease that is still `held`'s: same owner, same epoch, not expired. An expired one is not revived, although nobody
 * may have claimed it since: the holder was promised that it acts for nobody after its end, and claims again. A renewal never
 * shortens a lease, so that a clock that was set back takes nothing away.
 */
export function renew(
  current: Lease | undefined,
  held: Lease,
  nowMs: number,
  leaseMs: number,
): { readonly lease: Lease } | { readonly refused: "expired" | "superseded" | "absent"; readonly by: Lease | undefined } {
  checkDuration(leaseMs);
  if (current === undefined) return { refused: "absent", by: undefined };
  if (!isSame(current, held)) return { refused: "superseded", by: current };
  if (nowMs >= current.expiresAtMs) return { refused: "expired", by: current };
  return { lease: { ...current, expiresAtMs: Math.max(current.expiresAtMs, nowMs + leaseMs) } };
}

/** Whether `held` is the current lease, and not expired. By what is stored: a holder's own copy of the expiry says nothing. */
export function isHeld(current: Lease | undefined, held: Lease, nowMs: number): boolean {
  return current !== undefined && isSame(current, held) && nowMs < current.expiresAtMs;
}

function isSame(one: Lease, other: Lease): boolean {
  return one.owner === other.owner && one.epoch === other.epoch;
}

function checkDuration(leaseMs: number): void {
  if (Number.isInteger(leaseMs) && leaseMs >= 1) return;
  const text =
    `LEASE_INVALID: a lease of ${leaseMs} ms would have expired before it starts. ` +
    "Pass whole milliseconds from 1 up.";
  throw Object.assign(new RangeError(text), { code: "LEASE_INVALID" });
}
