import { defineConfig } from "vitest/config";

// No file isolation: tests are handed their world and touch no globals, and isolation costs 0.3 s a file.
export default defineConfig({
  test: {
    isolate: false,
    pool: "forks",
    maxWorkers: 2,
    // Only against a hang: nothing is judged by how long it took.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["@casebook/verdict/vitest"],
    projects: [
      { extends: true, test: { name: "packages", include: ["packages/*/src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "incidents",
          include: ["incidents/*/*.test.ts", "template/*.test.ts"],
          provide: { against: "fixed", protection: "must-hold" },
        },
      },
      {
        // The same guard tests wired to the broken systems: here every `protects` has to fail.
        extends: true,
        test: {
          name: "incidents-broken",
          include: ["incidents/*/guard.test.ts", "template/guard.test.ts"],
          provide: { against: "broken", protection: "must-fail" },
        },
      },
    ],
  },
});
