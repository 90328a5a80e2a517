/**
 * Who submits, and who tells. Asks again until there is an answer, as a client does that does not know whether it was heard. Of a dispatcher that
 * forgets with its process it is the client's memory that counts: there it submits again and again.
 */
import { hasFaults } from "../play/playable.ts";
import type { Stage } from "./driver.ts";
import { DEFAULT_UNTIL_MS, type Letter, letter } from "./driver.ts";
import { ANSWERS, type Answer } from "./adapter.ts";
import { KERNEL_EPOCH_MS } from "@casebook/sim/kernel";

const REPLY_MS = 65_000;
const AGAIN_MS = 5_000;
const REPEAT_MS = 20_000;

export function addClient({ space, adapter, rule, observed }: Stage): void {
  const { submissions, notices = [], untilMs = DEFAULT_UNTIL_MS } = rule.play;
  const lastMs = KERNEL_EPOCH_MS + untilMs - REPEAT_MS;
  const isForgetful = hasFaults(rule.faults) && !adapter.capabilities.includes("durable");
  space.process("client", async ({ clock, network }) => {
    const ask = async (to: number, about: Letter): Promise<unknown> => {
      const reply = await network.request(`dispatcher-${to}`, about, REPLY_MS);
      return reply.outcome === "ok" ? reply.body : undefined;
    };
    await Promise.all([
      ...submissions.map(async ({ atMs, to = 1 }, at) => {
        await clock.sleep(atMs);
        do {
          const answer = answerOf(await ask(to, letter("submit", at)));
          if (answer !== undefined) observed.submitted[at]?.answers.push(answer);
          if (answer !== undefined && !isForgetful) return;
          await clock.sleep(answer === undefined ? AGAIN_MS : REPEAT_MS);
        } while (clock.now() < lastMs);
      }),
      ...notices.map(async ({ atMs, to = 1 }, at) => {
        await clock.sleep(atMs);
        let heard: boolean;
        while (!(heard = isHeard(await ask(to, letter("tell", at)))) && clock.now() < lastMs) await clock.sleep(AGAIN_MS);
        const told = observed.told[at];
        if (told !== undefined && heard) told.heardAtMs = clock.now();
      }),
    ]);
  });
}

function isHeard(body: unknown): boolean {
  return (body as { heard?: unknown } | undefined)?.heard === true;
}

function answerOf(body: unknown): Answer | undefined {
  const answer = (body as { answer?: unknown } | undefined)?.answer;
  return ANSWERS.find((one) => one === answer);
}
