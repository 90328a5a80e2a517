export * from "./finding.ts";
export * from "./registry-parity.ts";
