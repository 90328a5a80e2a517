import { defineConfig } from "vitest/config";

// No file isolation: tests are handed their world and touch no globals, and isolation costs 0.3 s a file.
export default defineConfig({
  test: {
    isolate: false,
    pool: "forks",
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "packages", include: ["packages/*/src/**/*.test.ts"] } },
    ],
  },
});
