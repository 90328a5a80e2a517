/** The lab of the rules in the simulated world. */
import type { Disk, DiskFile } from "@casebook/ports";
import type { ReceiptLab, RulePorts } from "@casebook/receipt-reader/known-bad";
import { createWorld } from "@casebook/sim";

/** `images`: after a power loss look at the poorest disk only, at which nothing is that was not synced, or at each that the world knows. */
export function createLab({ images }: { readonly images: "poorest" | "each" }): ReceiptLab {
  return {
    play: (act) => freshWorld().run(act),
    async crash({ image, steps, before, act, after, reset }) {
      const left = [];
      let isOver = false;
      for (let at = 0; ; at += 1) {
        reset();
        const world = freshWorld();
        isOver = await world.run(async (ports) => {
          await before?.(ports);
          const dying = dyingPorts(ports, steps);
          return Promise.race([act(dying.ports).then(() => true), dying.death.then(() => false)]);
        });
        const disks = world.crashImages();
        const disk = image === "process-killed" ? undefined : images === "poorest" ? (disks[1] ?? disks[0]) : disks[at];
        if (disk !== undefined) world.losePower(disk);
        left.push({ disk: disk?.label ?? "nothing lost", value: await world.run(after) });
        if (image === "process-killed" || images === "poorest" || at + 1 >= disks.length) return { isOver, left };
      }
    },
  };
}

const freshWorld = () => createWorld({ seed: 1, epoch: 0 });

/** A process whose disk answers no more from one step on; what it does then is never done. */
function dyingPorts(ports: RulePorts, steps: number): { readonly ports: RulePorts; readonly death: Promise<void> } {
  let taken = 0;
  let die: () => void = () => undefined;
  const death = new Promise<void>((resolve) => (die = resolve));

  function step<T>(work: () => Promise<T>): Promise<T> {
    taken += 1;
    if (taken < steps) return work();
    die();
    return new Promise(() => undefined);
  }

  const { disk } = ports;
  const file = (opened: DiskFile): DiskFile => ({
    read: (length, position) => step(() => opened.read(length, position)),
    write: (bytes, position) => step(() => opened.write(bytes, position)),
    truncate: (size) => step(() => opened.truncate(size)),
    sync: () => step(() => opened.sync()),
    stat: () => step(() => opened.stat()),
    close: () => step(() => opened.close()),
  });
  const dying: Disk = {
    open: (path, flags) => step(() => disk.open(path, flags)).then(file),
    rename: (from, to) => step(() => disk.rename(from, to)),
    unlink: (path) => step(() => disk.unlink(path)),
    mkdir: (path) => step(() => disk.mkdir(path)),
    rmdir: (path) => step(() => disk.rmdir(path)),
    readdir: (path) => step(() => disk.readdir(path)),
    stat: (path) => step(() => disk.stat(path)),
    syncDirectory: (path) => step(() => disk.syncDirectory(path)),
  };
  return { ports: { ...ports, disk: dying }, death };
}
