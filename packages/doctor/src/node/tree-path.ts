/** Between the tree's paths and the machine's: a drive letter is the first name (`/C:/Users`), a share's host too (`/\\host/share`). */
import { TreeError } from "../trees/tree-error.ts";
import { plainPath } from "../trees/tree-path.ts";

export function treePathOf(nativePath: string, platform: string): string {
  if (platform !== "win32") return plainPath(nativePath);
  const share = /^[\\/]{2}(?![?.][\\/])/.test(nativePath);
  // `\\?\C:\x` is `C:\x` without the limit on its length.
  const plain = plainPath(nativePath.replace(/^[\\/]{2}[?.][\\/]/, "").replaceAll("\\", "/"));
  return share ? `/\\\\${plain.slice(1)}` : plain;
}

/** Rejects what no such machine can have. */
export function nativePathOf(treePath: string, platform: string): string {
  if (treePath.includes("\0")) throw new TreeError("EINVAL", "open", treePath);
  const plain = plainPath(treePath);
  if (platform !== "win32") return plain;
  const [root = "", ...names] = plain.slice(1).split("/");
  // A name with a backslash or a colon would be read as several, or as another stream of a file.
  if (names.some((name) => /[\\:]/.test(name))) throw new TreeError("EINVAL", "open", treePath);
  if (!/^[A-Za-z]:$|^\\\\[^\\]/.test(root)) throw new TreeError("ENOENT", "open", treePath);
  return `${root}\\${names.join("\\")}`;
}
