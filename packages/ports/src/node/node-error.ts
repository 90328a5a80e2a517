/** From what Node throws to the error of the port: same code, the port's path and never the machine's. */
import { DiskError, errorCode } from "../index.ts";

export async function named<T>(operation: string, path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    const code = errorCode(failure);
    throw code === "" ? failure : new DiskError(code, operation, path);
  }
}

/** For what is refused before the system is asked. */
export function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}
