/** The idempotency key of one task's one slot. */
export function slotKey(taskId: string, slotMs: number): string {
  return `${taskId}@${new Date(slotMs).toISOString()}`;
}
