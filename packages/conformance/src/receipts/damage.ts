/** What an outside hand does to a log whose format it does not know: to the biggest file, or of several to the last by name. */
import type { Disk } from "@casebook/ports";
import type { Damage } from "./rule.ts";

export async function damageBiggest(disk: Disk, damage: Damage): Promise<void> {
  const [biggest] = (await filesBelow(disk, "/")).toSorted((one, other) => other.size - one.size || (one.path < other.path ? 1 : -1));
  if (biggest === undefined) return;
  const { path, size } = biggest;
  const file = await disk.open(path, "r+");
  switch (damage) {
    case "cut":
      // Through the last record of three, whatever its format.
      await file.truncate(Math.max(0, size - Math.max(2, Math.floor(size / 6))));
      break;
    case "cut-one-byte":
      await file.truncate(Math.max(0, size - 1));
      break;
    case "zeros":
      await file.write(new Uint8Array(size), 0);
      break;
    case "zeros-at-the-end":
      await file.write(new Uint8Array(4), size);
      break;
    case "flip": {
      const at = Math.max(0, size - Math.max(2, Math.floor(size / 6)));
      const [byte = 0] = await file.read(1, at);
      await file.write(new Uint8Array([byte ^ 1]), at);
      break;
    }
  }
  await file.sync();
  await file.close();
}

async function filesBelow(disk: Disk, folder: string): Promise<{ path: string; size: number }[]> {
  const found: { path: string; size: number }[] = [];
  for (const { name, kind } of await disk.readdir(folder)) {
    const path = `${folder === "/" ? "" : folder}/${name}`;
    if (kind === "directory") found.push(...(await filesBelow(disk, path)));
    else found.push({ path, size: (await disk.stat(path)).size });
  }
  return found;
}
