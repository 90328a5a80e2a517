/**
 * Where the project lives, for texts that lead there. The one place to say it is `repository` in this package's package.json;
 * a clone that says nothing there asks its own `origin`. Undefined while nobody knows: then a text says `repositoryName()`.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { HOME } from "./home/here.ts";

export function repositoryOf(): string | undefined {
  const { repository } = JSON.parse(readFileSync(join(HOME.packageFolder, "package.json"), "utf8")) as { repository?: unknown };
  // A packed copy stands in somebody else's tree, whose origin is not ours.
  return repositoryIn(repository) ?? (HOME.clone === undefined ? undefined : originOf(HOME.clone.root));
}

/** The address, or what to call it without one. */
export function repositoryName(address: string | undefined): string {
  return address ?? "the repository you found casebook in";
}

/** `repository` of a package.json, as text or as `{ url }`, as an https address. */
export function repositoryIn(repository: unknown): string | undefined {
  if (typeof repository === "string") return httpsAddress(repository);
  const url = typeof repository === "object" && repository !== null && "url" in repository ? repository.url : undefined;
  return typeof url === "string" ? httpsAddress(url) : undefined;
}

const SHORT_HOSTS: Readonly<Record<string, string>> = { github: "github.com", gitlab: "gitlab.com", bitbucket: "bitbucket.org" };

/** Every form that git and npm know for a host and a path there, without credentials and `.git`; undefined for any other, such as a folder. */
export function httpsAddress(given: string): string | undefined {
  const text = given.trim();
  const [, shortHost = "github", shortPath] = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(text) ?? [];
  if (shortPath !== undefined && !shortPath.startsWith(".")) return cleanAddress(SHORT_HOSTS[shortHost] ?? "", shortPath);
  const [, sshHost, sshPath] = /^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/.exec(text) ?? [];
  if (sshHost !== undefined && sshPath !== undefined) return cleanAddress(sshHost, sshPath);
  if (!/^(?:git\+)?(?:https|ssh):|^git:/.test(text) || !URL.canParse(text.replace(/^git\+/, ""))) return undefined;
  const url = new URL(text.replace(/^git\+/, ""));
  // The port of an https server belongs to its address; that of another one leads to no page.
  return cleanAddress(url.protocol === "https:" ? url.host : url.hostname, url.pathname);
}

function cleanAddress(host: string, path: string): string | undefined {
  const clean = path.replace(/[#?].*$/, "").replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  return host === "" || clean === "" ? undefined : `https://${host}/${clean}`;
}

/** The `origin` of the clone at `root`, read from git's own file: no git is started. */
export function originOf(root: string): string | undefined {
  const config = gitConfigOf(root);
  if (config === undefined) return undefined;
  let inOrigin = false;
  for (const line of config.split(/\r?\n/)) {
    if (/^\s*\[/.test(line)) inOrigin = /^\s*\[remote\s+"origin"\]/i.test(line);
    const [, url] = (inOrigin && /^\s*url\s*=\s*"?([^"\s]+)"?\s*$/i.exec(line)) || [];
    if (url !== undefined) return httpsAddress(url);
  }
  return undefined;
}

/** In a worktree or a submodule `.git` is a file that says where the folder is; a worktree's folder says where the common one is. */
function gitConfigOf(root: string): string | undefined {
  try {
    let folder = join(root, ".git");
    if (statSync(folder).isFile()) {
      const [, to] = /^gitdir: (.+?)\s*$/m.exec(readFileSync(folder, "utf8")) ?? [];
      if (to === undefined) return undefined;
      folder = isAbsolute(to) ? to : resolve(root, to);
      const common = join(folder, "commondir");
      if (existsSync(common)) folder = resolve(folder, readFileSync(common, "utf8").trim());
    }
    return readFileSync(join(folder, "config"), "utf8");
  } catch {
    return undefined; // no clone, or none that can be read: then nobody knows
  }
}
