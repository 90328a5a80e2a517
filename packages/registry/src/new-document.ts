/** A whole new registry file, for where there is none yet. */
import type { JsonValue } from "./judge/document.ts";
import { unescapePointerToken } from "./judge/pointer.ts";
import type { RegistryShape } from "./judge/shape.ts";
import { encodeUtf8 } from "./judge/text.ts";

/** A whole new file of this shape; undefined where the shape does not say where entries go. */
export function documentOf(
  shape: RegistryShape,
  entries: readonly (readonly [string, JsonValue])[],
): Uint8Array | undefined {
  const list = entries.map(([, entry]) => entry);
  switch (shape.kind) {
    case "file-per-task":
      return encode(list[0] ?? null);
    case "bare-array":
      return encode(list);
    case "array":
      return encode(nest(shape.pointer, list));
    case "id-keyed-map":
      return encode(nest(shape.pointer, Object.fromEntries(entries)));
    case "several-lists":
      return shape.declared === undefined ? undefined : encode({ [shape.declared]: list });
  }
}

function nest(pointer: string, inner: JsonValue): JsonValue {
  const tokens = pointer === "" ? [] : pointer.slice(1).split("/").map(unescapePointerToken);
  return tokens.reduceRight<JsonValue>((value, token) => ({ [token]: value }), inner);
}

function encode(value: JsonValue): Uint8Array {
  return encodeUtf8(`${JSON.stringify(value, null, 2)}\n`);
}
