/**
 * Rejections that nobody handles, for as long as code under test plays. Node ends the process for one; here it is noted, and
 * whoever listened before does not hear of it.
 */
export function catchRejections(hear: (reason: unknown) => void): () => void {
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", hear);
  return () => {
    process.removeListener("unhandledRejection", hear);
    for (const other of others) process.on("unhandledRejection", other);
  };
}
