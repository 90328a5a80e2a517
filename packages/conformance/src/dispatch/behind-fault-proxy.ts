/**
 * An adapter behind a proxy that says a named moment before and after each of its calls. Nothing is armed there by the rules: whoever
 * holds his own dispatcher to more arms what he likes. The verdicts are those of the adapter itself, which our tests hold it to.
 */
import type { AdapterPorts, DispatcherAdapter, DispatcherUnderTest } from "./adapter.ts";

/** `adapter.before-submit`, `adapter.after-submit`, and so on for tick, tell and observe. */
export function behindFaultProxy(adapter: DispatcherAdapter): DispatcherAdapter {
  return { ...adapter, create: async (ports) => proxied(await adapter.create(ports), ports) };
}

function proxied(dispatcher: DispatcherUnderTest, { faults }: AdapterPorts): DispatcherUnderTest {
  const through = async <T>(name: string, work: () => Promise<T> | T): Promise<T> => {
    await faults.reach(`adapter.before-${name}`);
    const answer = await work();
    await faults.reach(`adapter.after-${name}`);
    return answer;
  };
  const { tick, tell, probe } = dispatcher;
  return {
    submit: (task) => through("submit", () => dispatcher.submit(task)),
    observe: () => through("observe", () => dispatcher.observe()),
    ...(tick === undefined ? {} : { tick: () => through("tick", () => tick.call(dispatcher)) }),
    ...(tell === undefined ? {} : { tell: (notice) => through("tell", () => tell.call(dispatcher, notice)) }),
    ...(probe === undefined ? {} : { probe: () => probe.call(dispatcher) }),
  };
}
