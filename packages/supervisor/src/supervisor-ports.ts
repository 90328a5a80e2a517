/** The doors that a supervisor and its agents use. */
import type { Artefacts, Ledger, Messages, Ports, Spawner } from "@casebook/ports";

export interface SupervisorPorts extends Pick<Ports, "clock" | "ids" | "log" | "faults"> {
  readonly ledger: Ledger;
  readonly artefacts: Artefacts;
  readonly messages: Messages;
  readonly spawner: Spawner;
  readonly self: { readonly process: string; /** 1 for the first. */ readonly life: number };
}
