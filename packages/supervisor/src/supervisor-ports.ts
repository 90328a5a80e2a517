/** The doors that a supervisor and its agents use. */
import type { Artefacts, Ledger, Messages, Ports, Spawner } from "@casebook/ports";

/** Answers what an item comes to. May be slow, or never answer; nothing takes a call back. */
export interface Tool {
  call(item: string): Promise<string>;
}

export interface SupervisorPorts extends Pick<Ports, "clock" | "ids" | "log" | "faults"> {
  readonly ledger: Ledger;
  readonly artefacts: Artefacts;
  readonly messages: Messages;
  readonly spawner: Spawner;
  /** What an agent has to work with. Without one it works as long as its item says, and then has a result. */
  readonly tool?: Tool | undefined;
  readonly self: { readonly process: string; /** 1 for the first. */ readonly life: number };
}
