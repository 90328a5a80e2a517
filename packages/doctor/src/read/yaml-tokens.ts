/**
 * A text as YAML, composed as far as the first thing that is wrong with it. The parser is fed token by token, so that depth is
 * refused before anything that recurses sees it; its own sentences are left out, because they quote the text.
 */
import { Composer, Lexer, Parser, type CST, type Document, type ErrorCode } from "yaml";

/** Levels of lists and maps, those that aliases bring included. Real registries have under ten. */
export const MAX_YAML_DEPTH = 128;

export interface YamlFault {
  readonly code: "SYNTAX" | "TRUNCATED" | "TAB_AS_INDENT" | "TAG_UNKNOWN" | "TOO_DEEP" | "MULTIPLE_DOCUMENTS" | "EMPTY" | "ALIAS" | "ALIAS_BOMB" | "KEY_NOT_TEXT" | "MERGE_KEY";
  readonly offset: number;
  /** One clause, without a stop and without anything of the text. */
  readonly say: string;
}

export interface ComposedYaml {
  /** Undefined: there is nothing in it. Where there is a fault, what was made of the text in spite of it. */
  readonly document: Document.Parsed | undefined;
  readonly fault: YamlFault | undefined;
}

export function composeYaml(text: string): ComposedYaml {
  const { tokens, fault: tokenFault } = tokensIn(text);
  const [document, second] = composed(tokens, text.length);
  if (document === undefined) return { document, fault: tokenFault ?? { code: "EMPTY", offset: 0, say: "there is nothing in it" } };
  const error = document.errors.toSorted((one, other) => one.pos[0] - other.pos[0])[0];
  const errorFault = error === undefined ? undefined : faultOf(error.code, error.pos[0], text);
  const [tag] = document.warnings;
  const tagFault: YamlFault | undefined =
    tag === undefined ? undefined : { code: "TAG_UNKNOWN", offset: tag.pos[0], say: "it has a tag that YAML itself does not define" };
  const manyFault: YamlFault | undefined =
    second === undefined ? undefined : { code: "MULTIPLE_DOCUMENTS", offset: second, say: "a second document begins here, and a file has one" };
  const faults = [errorFault, tokenFault, tagFault, manyFault].filter((fault) => fault !== undefined);
  return { document, fault: faults.toSorted((one, other) => one.offset - other.offset)[0] };
}

function tokensIn(text: string): { readonly tokens: CST.Token[]; readonly fault: YamlFault | undefined } {
  const tokens: CST.Token[] = [];
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      // One after another they would all be kept, each with its sentence.
      if (token.type === "error") return { tokens, fault: { code: "SYNTAX", offset: token.offset, say: SYNTAX } };
      tokens.push(token);
    }
    // The document and the scalar that is being read are on the stack too.
    if (parser.stack.length > MAX_YAML_DEPTH + 2) {
      const fault: YamlFault = { code: "TOO_DEEP", offset: parser.offset, say: `lists and maps are nested more than ${MAX_YAML_DEPTH} deep` };
      return { tokens, fault };
    }
  }
  for (const token of parser.end()) {
    if (token.type === "error") return { tokens, fault: { code: "SYNTAX", offset: token.offset, say: SYNTAX } };
    tokens.push(token);
  }
  return { tokens, fault: undefined };
}

/** The first document, and where a second one begins. */
function composed(tokens: readonly CST.Token[], length: number): readonly [Document.Parsed | undefined, number | undefined] {
  const composer = new Composer({ schema: "core", version: "1.2", merge: false, uniqueKeys: false, resolveKnownTags: false, prettyErrors: false, logLevel: "silent" });
  const starts = tokens.filter((token) => token.type === "document");
  const second = starts[1];
  const marker = second?.start.find(({ type }) => type === "doc-start");
  const end = second === undefined ? tokens.length : tokens.indexOf(second);
  const [document] = composer.compose(tokens.slice(0, end), false, length);
  return [document as Document.Parsed | undefined, second === undefined ? undefined : (marker?.offset ?? second.offset)];
}

/** Characters before a fault that are looked at for what may have caused it. */
const MAX_LOOKED_BACK = 200;

const SYNTAX = "this is no YAML";
const STAR = "a star begins an alias: a text that begins with one, as cron expressions do, needs quotes";

function faultOf(code: ErrorCode, at: number, text: string): YamlFault {
  const offset = Math.min(at, text.length);
  if (code === "TAB_AS_INDENT") return { code, offset, say: "a tab stands where only spaces may indent" };
  if ((code === "MISSING_CHAR" || code === "BAD_INDENT") && text.slice(offset).trim() === "") return { code: "TRUNCATED", offset, say: "it ends too early" };
  // `cron: */5 * * * *`, without quotes.
  const isAfterStar = /(^|[:,[{-][^\S\n]+)\*\S*[^\S\n]*$/.test(text.slice(Math.max(0, text.lastIndexOf("\n", offset - 1), offset - MAX_LOOKED_BACK), offset));
  if (code === "BAD_ALIAS" || (code === "UNEXPECTED_TOKEN" && isAfterStar)) return { code: "ALIAS", offset, say: STAR };
  return { code: "SYNTAX", offset, say: WORDS[code] ?? SYNTAX };
}

const WORDS: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "an alias has an anchor or a tag of its own",
  BAD_DIRECTIVE: "a directive is none that YAML has",
  BAD_DQ_ESCAPE: "a backslash in double quotes is followed by something that it cannot escape",
  BAD_INDENT: "a line is indented less or more than what it belongs to",
  BAD_SCALAR_START: "a text without quotes begins with a character that needs them",
  BLOCK_AS_IMPLICIT_KEY: "a key begins inside a value: a text with a colon in it needs quotes",
  BLOCK_IN_FLOW: "a list or map of lines stands inside brackets",
  KEY_OVER_1024_CHARS: "a key is longer than 1024 characters",
  MISSING_CHAR: "a colon, comma, quote or bracket is missing",
  MULTILINE_IMPLICIT_KEY: "a key goes over several lines",
  MULTIPLE_ANCHORS: "a value has two anchors",
  MULTIPLE_TAGS: "a value has two tags",
  UNEXPECTED_TOKEN: "something stands where nothing more was expected",
};
