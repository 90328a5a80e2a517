export * from "./finding.ts";
export * from "./registry-lookup-shape.ts";
export * from "./registry-parity.ts";
