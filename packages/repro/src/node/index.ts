export * from "./run-as-script.ts";
