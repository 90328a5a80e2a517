/**
 * Who submits. Asks again until there is an answer, as a client does that does not know whether it was heard. Of a dispatcher that
 * forgets with its process it is the client's memory that counts: there it submits again and again.
 */
import { hasFaults } from "../play/playable.ts";
import type { Stage } from "./driver.ts";
import { DEFAULT_UNTIL_MS, letter } from "./driver.ts";
import { ANSWERS, type Answer } from "./adapter.ts";
import { KERNEL_EPOCH_MS } from "@casebook/sim/kernel";

const REPLY_MS = 65_000;
const AGAIN_MS = 5_000;
const REPEAT_MS = 20_000;

export function addClient({ space, adapter, rule, observed }: Stage): void {
  const { submissions, untilMs = DEFAULT_UNTIL_MS } = rule.play;
  const lastMs = KERNEL_EPOCH_MS + untilMs - REPEAT_MS;
  const isForgetful = hasFaults(rule.faults) && !adapter.capabilities.includes("durable");
  space.process("client", async ({ clock, network }) => {
    await Promise.all(
      submissions.map(async ({ atMs, to = 1 }, at) => {
        await clock.sleep(atMs);
        do {
          const reply = await network.request(`dispatcher-${to}`, letter(at), REPLY_MS);
          const answer = reply.outcome === "ok" ? answerOf(reply.body) : undefined;
          if (answer !== undefined) observed.submitted[at]?.answers.push(answer);
          if (answer !== undefined && !isForgetful) return;
          await clock.sleep(answer === undefined ? AGAIN_MS : REPEAT_MS);
        } while (clock.now() < lastMs);
      }),
    );
  });
}

function answerOf(body: unknown): Answer | undefined {
  const { answer } = body as { answer?: unknown };
  return ANSWERS.find((one) => one === answer);
}
