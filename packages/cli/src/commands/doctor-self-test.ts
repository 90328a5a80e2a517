import type { Answer } from "../answer.ts";
export async function selfTest(): Promise<Answer> { throw new Error("self"); }
