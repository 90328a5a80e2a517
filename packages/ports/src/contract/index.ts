/** One suite per port, for the simulated and the real one, and for anybody who writes another. */
export { artefactsContract } from "./artefacts.ts";
export { clockContract } from "./clock.ts";
export type { ContractCase, MakePort } from "./contract.ts";
export { diskContract } from "./disk.ts";
export { diskModes } from "./disk-modes.ts";
export { diskSequences, type SequenceOptions } from "./disk-sequences.ts";
export { sessionsContract } from "./sessions.ts";
export { ledgerContract } from "./ledger.ts";
export { faultsContract, idsContract, logContract, type ReadableLog } from "./small-ports.ts";
export { watchContract, type WatchedDisk } from "./watch.ts";
