/** A reader of the XML that a picture is made of, strict and small: answers the element names, or throws where it is not well-formed. */

/** What XML 1.0 allows as a character. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

export function elementsIn(text: string): string[] {
  const illegal = ILLEGAL.exec(text);
  if (illegal !== null) throw new Error(`character ${illegal[0].codePointAt(0)} at ${illegal.index}`);
  const open: string[] = [];
  const seen: string[] = [];
  let rest = text.trimEnd();
  while (rest !== "") {
    const [tag = "", closes = "", name = "", attributes = "", isEmpty = ""] = /^<(\/?)([a-z]+)((?: [A-Za-z0-9-]+="[^"<]*")*)(\/?)>/.exec(rest) ?? [];
    if (tag === "") {
      const [between = ""] = /^[^<]*/.exec(rest) ?? [];
      checkEntities(between);
      if (between === "" || open.length === 0) throw new Error(`neither a tag nor text: ${rest.slice(0, 40)}`);
      rest = rest.slice(between.length);
      continue;
    }
    checkEntities(attributes);
    if (closes !== "") {
      if (open.pop() !== name) throw new Error(`</${name}> closes another`);
    } else {
      seen.push(name);
      if (isEmpty === "") open.push(name);
    }
    rest = rest.slice(tag.length);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is open at the end`);
  return seen;
}

function checkEntities(text: string): void {
  const stray = /&(?!(?:amp|lt|gt|quot);)/.exec(text);
  if (stray !== null) throw new Error(`a bare & in ${text}`);
}
