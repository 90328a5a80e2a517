/** Paths of a tree: absolute, `/` between names, nothing resolved and nothing normalised but repeated and trailing slashes. */

export function joinPath(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

/** The folder a path stands in; `/` for itself. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Names from the root down; none for the root. */
export function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** One spelling: a leading slash, none at the end, none twice. */
export function plainPath(path: string): string {
  return `/${segmentsOf(path).join("/")}`;
}
