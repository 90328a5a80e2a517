import { defineConfig } from "vitest/config";

// What needs a real machine: processes, users, pipes, large files, tarballs.
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 400_000,
    reporters: ["@casebook/verdict/vitest"],
    projects: [
      {
        extends: true,
        test: { name: "real", include: ["packages/*/src/**/*.real.ts", "incidents/**/*.real.ts"], exclude: ["**/node_modules/**", "packages/cli/src/packed/**"] },
      },
      {
        // Built, packed and installed once for all of them.
        extends: true,
        test: { name: "packed", include: ["packages/cli/src/packed/*.real.ts"], globalSetup: ["packages/cli/src/packed/packed-copy.fixture.ts"] },
      },
    ],
  },
});
