/**
 * Makes control characters visible. A test name or an error may hold anything, and a terminal obeys
 * what it is sent; XML forbids most of it, even escaped. Line feeds and tabs stay.
 */
export function visibleText(text: string): string {
  return (
    text
      .replaceAll("\r\n", "\n")
      // C0 and C1 controls, then the marks that reorder a line (they make one text look like another),
      // and what XML 1.0 cannot hold.
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, escapeUnit)
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, escapeUnit)
  );
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
