/**
 * Events of the process that are nobody else's business while code under test plays: a rejection that nobody handles, for which Node
 * ends the process, and the stop of a step that never ends. Whoever listened before does not hear of them.
 */
export function takeOver(event: "unhandledRejection" | "uncaughtException", hear: (reason: unknown) => void): () => void {
  const emitter: NodeJS.EventEmitter = process;
  const others = emitter.listeners(event);
  emitter.removeAllListeners(event);
  emitter.on(event, hear);
  return () => {
    emitter.removeListener(event, hear);
    for (const other of others) emitter.on(event, other as (...given: unknown[]) => void);
  };
}

/**
 * Ticks that are queued from now on run only while `isOpen` says so: a chain of them that never ends goes on even when the
 * step that it belongs to was stopped.
 */
export function holdTicks(isOpen: () => boolean): () => void {
  const original = process.nextTick;
  process.nextTick = function nextTick(callback: (...given: unknown[]) => void, ...given: unknown[]): void {
    original(() => {
      if (isOpen()) callback(...given);
    });
  } as typeof process.nextTick;
  return () => void (process.nextTick = original);
}
