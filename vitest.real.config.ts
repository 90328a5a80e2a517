import { defineConfig } from "vitest/config";

// What needs a real machine: processes, users, pipes, large files.
export default defineConfig({
  test: {
    name: "real",
    include: ["packages/*/src/**/*.real.ts", "incidents/**/*.real.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    reporters: ["@casebook/verdict/vitest"],
  },
});
