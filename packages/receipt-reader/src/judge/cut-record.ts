/**
 * Whether a text is the beginning of a record and nothing else: cut, and not changed before. Only then is what it mentions what it was
 * about. Knows records as they are written, which hold texts and whole numbers; a beginning of anything deeper is not taken for one.
 */

/** Longer ones are no receipts, and an expression over a long text costs memory. */
const MAX_CHARACTERS = 64 * 1024;

/** No sign below a space stands in JSON as it is: zeros are a hole, and no cut. */
const TEXT = String.raw`"(?:[^"\\\u0000-\u001f]|\\.)*`;
const VALUE = String.raw`(?:${TEXT}"|-?\d+)`;
/** Whole members, and the beginning of one more. */
const BEGINNING = new RegExp(String.raw`^\{(?:${TEXT}":${VALUE},)*(?:${TEXT}(?:"(?::(?:${TEXT}"?|-?\d*)?)?)?)?$`);

export function isCutRecord(text: string): boolean {
  if (text.length > MAX_CHARACTERS) return false;
  // What the cut left of one character; anywhere else it is something that was changed.
  const whole = text.replace(/\uFFFD{1,3}$/, "");
  return !whole.includes("\uFFFD") && BEGINNING.test(whole);
}
