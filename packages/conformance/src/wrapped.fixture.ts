/** The same adapter behind a wrapper that only passes on, and the verdicts of a report by rule. */
import { type ConformanceReport, type DispatcherAdapter } from "./index.ts";

export function wrapped(adapter: DispatcherAdapter): DispatcherAdapter {
  return {
    ...adapter,
    async create(ports) {
      const inner = await adapter.create(ports);
      return {
        submit: async (task) => inner.submit(task),
        tick: async () => inner.tick?.(),
        ...(inner.tell === undefined ? {} : { tell: async (notice) => inner.tell?.(notice) }),
        observe: async () => inner.observe(),
        ...(inner.probe === undefined ? {} : { probe: async () => (await inner.probe?.()) ?? {} }),
      };
    },
  };
}

export function verdictsOf({ rules }: ConformanceReport): Record<string, string> {
  return Object.fromEntries(rules.map(({ number, verdict, failures = [] }) => [number, [verdict, ...failures.map(({ check }) => check).toSorted()].join(" ")]));
}
