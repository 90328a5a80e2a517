/** What is on a disk now, as a fresh memfs volume: contents, empty directories and times of change. */
import { Volume } from "memfs";
import type { DirectoryInode, Inode } from "./store.ts";

export function volumeFromRoot(root: DirectoryInode): Volume {
  const volume = new Volume();
  fill(volume, "", root);
  return volume;
}

function fill(volume: Volume, path: string, directory: DirectoryInode): void {
  for (const name of [...directory.entries.keys()].sort()) {
    const inode = directory.entries.get(name)!;
    const child = `${path}/${name}`;
    if (inode.kind === "directory") {
      volume.mkdirSync(child);
      fill(volume, child, inode);
    } else {
      volume.writeFileSync(child, inode.bytes.slice(0, inode.size));
    }
    setTime(volume, child, inode);
  }
}

function setTime(volume: Volume, path: string, inode: Inode): void {
  // memfs multiplies seconds by 1000 and cuts: half a millisecond keeps 1001 from becoming 1000.
  const seconds = (inode.modifiedAtMs + 0.5) / 1000;
  volume.utimesSync(path, seconds, seconds);
}
