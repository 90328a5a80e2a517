/** Instants as text. Only what names one instant of the real calendar: no date without offset, no 30 February. */
import * as z from "zod";

/** The range of `Date`, in milliseconds either side of 1970. */
export const MAX_INSTANT_MS = 8_640_000_000_000_000;

export function isInstantMs(value: number): boolean {
  return Number.isSafeInteger(value) && Math.abs(value) <= MAX_INSTANT_MS;
}

const instantText = z.iso.datetime({ offset: true });

export function isInstantText(text: string): boolean {
  return instantText.safeParse(text).success;
}

/**
 * Epoch milliseconds of an ISO-8601 text with `Z` or an offset; undefined for anything else.
 * What a text says below the millisecond is cut off.
 */
export function instantOf(text: string): number | undefined {
  return isInstantText(text) ? Date.parse(text) : undefined;
}

/** As `instantOf`, but undefined too where milliseconds cannot hold all that the text says. */
export function exactInstantOf(text: string): number | undefined {
  return /\.\d{3}\d*[1-9]/.test(text) ? undefined : instantOf(text);
}
