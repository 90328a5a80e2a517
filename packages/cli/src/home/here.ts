/** Where this casebook stands. `pnpm build` puts `packed.ts` in the place of `clone.ts`: nothing is guessed at run time. */
export { HOME } from "./clone.ts";
