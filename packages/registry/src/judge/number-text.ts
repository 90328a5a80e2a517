/** Whether memory holds the number that a text says. Decided from the text: once parsed, what was lost is not there to see. */

/** `literal` is a JSON number of any length. A fraction such as 0.1 is exact if it is written the way it is printed. */
export function isExactNumber(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  // The decimal text of a large integer is rounded to what tells it from its neighbours; that of a BigInt is not.
  return decimalOf(literal) === decimalOf(Number.isInteger(value) ? BigInt(value).toString() : String(value));
}

/** One spelling for every number: its digits without zeros at either end, and the power of ten of the last one. */
function decimalOf(literal: string): string {
  const negative = literal.startsWith("-");
  const exponentAt = literal.search(/[eE]/);
  const mantissa = literal.slice(negative ? 1 : 0, exponentAt === -1 ? undefined : exponentAt);
  const exponent = exponentAt === -1 ? 0 : Number(literal.slice(exponentAt + 1));
  const point = mantissa.indexOf(".");
  const digits = mantissa.replace(".", "");
  let first = 0;
  while (digits[first] === "0") first += 1;
  if (first === digits.length) return "0";
  let last = digits.length - 1;
  while (digits[last] === "0") last -= 1;
  const power = exponent + (point === -1 ? digits.length : point) - 1 - last;
  return `${negative ? "-" : ""}${digits.slice(first, last + 1)}e${power}`;
}
