/**
 * Programs of the kit live in process groups of their own, and are killed with all that they have started: when the kit has no more
 * use for them, when it exits, and when it is interrupted. What has left its group, and everything of a kit that is itself killed by
 * SIGKILL, is out of reach: those hear that their standard input ends. On Windows there are no groups; the program alone is killed.
 */
import type { ChildProcess } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const living = new Set<ChildProcess>();

export function keepTrackOf(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (living.size === 0) listen("on");
  living.add(child);
}

/** Once for each child: when its group is empty, its number may be somebody else's. */
export function killGroup(child: ChildProcess): void {
  if (!living.delete(child)) return;
  if (living.size === 0) listen("off");
  kill(child);
}

function kill(child: ChildProcess): void {
  if (process.platform === "win32") return void child.kill("SIGKILL");
  try {
    process.kill(-(child.pid as number), "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}

function killAll(): void {
  for (const child of living) kill(child);
  living.clear();
}

function interrupted(signal: NodeJS.Signals): void {
  killAll();
  listen("off");
  // Whoever else listens decides what becomes of the process; without us there would have been no such choice.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function listen(how: "on" | "off"): void {
  process[how]("exit", killAll);
  for (const signal of SIGNALS) process[how](signal, interrupted);
}
