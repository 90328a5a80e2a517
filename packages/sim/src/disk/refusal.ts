/** Inside the disk a refusal is a code; it gets its operation and path where it leaves. */
import { DiskError } from "@casebook/ports";

export class Refusal {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}

export function named<T>(name: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (refusal) {
    throw refusal instanceof Refusal ? new DiskError(refusal.code, name, path) : refusal;
  }
}
