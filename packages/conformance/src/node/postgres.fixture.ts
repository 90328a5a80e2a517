/** A PostgreSQL of the test's own, on loopback, in a folder that goes away with it. As root it runs as the user of the Debian package. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Postgres {
  readonly url: string;
  stop(): void;
}

/** Or why there is none. */
export async function startPostgres(): Promise<Postgres | { readonly missing: string }> {
  const bin = binaries();
  if (bin === undefined) return { missing: "no initdb and pg_ctl of PostgreSQL were found. Install the package postgresql" };
  const folder = mkdtempSync(join(tmpdir(), "conformance-postgres-"));
  const run = (program: string, ...words: string[]): { readonly status: number | null; readonly said: string } => {
    const command = [join(bin, program), ...words];
    const [first = "", ...rest] = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--", ...command] : command;
    const { status, stdout, stderr, error } = spawnSync(first, rest, { cwd: tmpdir(), encoding: "utf8", timeout: 60_000, stdio: ["ignore", "pipe", "pipe"] });
    return { status, said: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}` };
  };
  if (process.getuid?.() === 0) {
    const owner = spawnSync("id", ["-u", "postgres"], { encoding: "utf8" });
    if (owner.status !== 0) return { missing: "PostgreSQL does not run as root, and there is no user postgres. Install the package postgresql" };
    chownSync(folder, Number(owner.stdout), 0);
    chmodSync(folder, 0o700);
  }
  const data = join(folder, "data");
  const port = await freePort();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const made = run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync");
  const started = made.status === 0 ? run("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), "-o", `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`, "start") : made;
  if (started.status !== 0) {
    remove();
    throw new Error(`PostgreSQL did not start: ${started.said}`);
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop");
      remove();
    },
  };
}

function binaries(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((one, other) => Number(other) - Number(one)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), "/usr/local/bin", "/usr/bin"];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl")));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
