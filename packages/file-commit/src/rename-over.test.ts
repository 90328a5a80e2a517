import { DiskError, type Ports } from "@casebook/ports";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { CommitError, commitFile, RENAME_PAUSES_MS } from "./index.ts";

const ATTEMPTS = RENAME_PAUSES_MS.length + 1;

/** One commit over "old", on a disk whose first `times` renames answer `code`. */
async function commitWhile(code: string, times: number, meanwhile: (ports: Ports, from: string) => Promise<void> = async () => undefined) {
  const world = createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" });
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  await world.run((ports) => commitFile(ports, "/state.json", encode("old")));
  const askedAtMs: number[] = [];
  const begunMs = world.ports.clock.now();
  const answer = await world.run(async (ports) => {
    const rename = async (from: string, to: string): Promise<void> => {
      askedAtMs.push(ports.clock.now() - begunMs);
      await meanwhile(ports, from);
      if (askedAtMs.length <= times) throw new DiskError(code, "rename", from);
      await ports.disk.rename(from, to);
    };
    return commitFile({ ...ports, disk: { ...ports.disk, rename } }, "/state.json", encode("new")).catch((failure: unknown) => failure);
  });
  const { attempts, message } = answer as Partial<CommitError>;
  const target = answer instanceof CommitError ? answer.target : undefined;
  return { attempts, message, target, askedAtMs, left: world.volume().toJSON() };
}

describe("a rename that the disk refuses", () => {
  it.each(["EPERM", "EACCES", "EBUSY", "ENOENT"])("is asked for again while it says %s, and may get its way at the last time", async (code) => {
    const { attempts, message, askedAtMs, left } = await commitWhile(code, ATTEMPTS - 1);
    expect([attempts, message]).toEqual([ATTEMPTS, undefined]);
    // Each pause is twice the one before: 1.27 s in all.
    expect(askedAtMs).toEqual([0, 10, 30, 70, 150, 310, 630, 1270]);
    expect(left).toEqual({ "/state.json": "new" });
  });

  it("fails in the open when it is refused once more, and the target is as it was", async () => {
    const { message, target, askedAtMs, left } = await commitWhile("EBUSY", ATTEMPTS);
    expect([askedAtMs.length, target]).toEqual([ATTEMPTS, "old"]);
    expect(message).toBe(
      "COMMIT_RENAME_REFUSED: the disk refused 8 times to give the new version of /state.json its name, last with EBUSY. The file is as it was. " +
        "See who holds it and who may change its directory, and write it again",
    );
    expect(left).toEqual({ "/state.json": "old" });
  });

  it("is final at once where it leads to another file system", async () => {
    const { attempts, message, target, left } = await commitWhile("EXDEV", 1);
    expect([attempts, target, message?.includes("refused once to give")]).toEqual([1, "old", true]);
    expect(left).toEqual({ "/state.json": "old" });
  });

  it.each(["ENOSPC", "EISDIR", "EROFS", "EIO"])("is not asked for again when it says %s, which is thrown on", async (code) => {
    const { message, askedAtMs, left } = await commitWhile(code, 1);
    expect([message, askedAtMs.length]).toEqual([`${code}: rename '/state.json.commit-0002.tmp'`, 1]);
    expect(left).toEqual({ "/state.json": "old" });
  });

  it("does not ask in vain for a temporary that somebody removed, and does not say which version is there", async () => {
    const { attempts, message, target, left } = await commitWhile("EBUSY", 0, (ports, from) => ports.disk.unlink(from));
    expect([attempts, target]).toEqual([1, "unknown"]);
    expect(message).toBe(
      "COMMIT_RENAME_REFUSED: the new version of /state.json was asked to take its name once, and its temporary file is gone (ENOENT). Somebody " +
        "removed it, or the rename took effect and its answer was lost. Read the file: it holds the old or the new version, whole",
    );
    expect(left).toEqual({ "/state.json": "old" });
  });

  it("says the same when the rename took effect and its answer was lost", async () => {
    const { target, left } = await commitWhile("ENOENT", 1, (ports, from) => ports.disk.rename(from, "/state.json"));
    expect(target).toBe("unknown");
    expect(left).toEqual({ "/state.json": "new" });
  });
});
