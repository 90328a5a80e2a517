/** What stands on the watch port: the queue of a watcher, and looking again. */
export { createWatcher, type FilledWatcher } from "./create-watcher.ts";
export { EventQueue, MAX_UNREAD_EVENTS } from "./event-queue.ts";
export { type LookReason, type ReconcileOptions, watchAndReconcile } from "./watch-and-reconcile.ts";
