/** The port for messages between processes by name. Leaves out who may send to whom, and order between two links. */

export type MessageDelivery =
  | { readonly kind: "message"; readonly from: string; readonly body: unknown; answer(body: unknown): Promise<void> }
  /** The other process ended or died, or the connection was reset. Says nothing about a machine that was lost: nobody says that. */
  | { readonly kind: "closed"; readonly from: string };

/** `unknown`: it may have been done, may be done later, or never. */
export type MessageReply =
  | { readonly outcome: "ok"; readonly body: unknown }
  | { readonly outcome: "failed"; readonly why: "refused" }
  | { readonly outcome: "unknown"; readonly why: "timed-out" | "closed" };

export interface Messages {
  /** Answers when the message is on its way, which says nothing about its arrival. */
  send(to: string, body: unknown): Promise<void>;
  /** The next delivery, in the order of arrival. */
  receive(): Promise<MessageDelivery>;
  /** Sends and waits for the answer, no longer than `timeoutMs`. */
  request(to: string, body: unknown, timeoutMs: number): Promise<MessageReply>;
}

/** The port that begins processes by name. Rejects with SPAWN_FAILED where it cannot. */
export interface Spawner {
  spawn(process: string): Promise<"started" | "running">;
}
