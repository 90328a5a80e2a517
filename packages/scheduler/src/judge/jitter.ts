/** A delay that spreads tasks which are due at one instant. Models a fixed delay per task and slot, not chance: asking again gives the same. */
import { slotKey } from "./slot-key.ts";

/**
 * Milliseconds, from 0 to `maxJitterMs`, by which the fire of this slot is delayed. Never early, and always less than the
 * way to the next slot (`nextSlotMs`, undefined when there is none), so that slots keep their order.
 */
export function jitterMs(taskId: string, slotMs: number, nextSlotMs: number | undefined, maxJitterMs: number): number {
  const room = nextSlotMs === undefined ? maxJitterMs : Math.min(maxJitterMs, nextSlotMs - slotMs - 1);
  if (!(room > 0)) return 0;
  return Math.floor((hash(slotKey(taskId, slotMs)) / 2 ** 32) * (Math.floor(room) + 1));
}

/** FNV-1a over UTF-16 units with a final mix, 32 bits: ids that differ in their last digit land far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
