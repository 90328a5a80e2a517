import { defineConfig } from "vitest/config";

// Much data and long searches: minutes and gigabytes. One file after the other, because they measure.
export default defineConfig({
  test: {
    name: "soak",
    include: ["packages/*/src/**/*.soak.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    reporters: ["@casebook/verdict/vitest"],
  },
});
