export * from "./commit-file.ts";
