/** What agents and supervisor tell each other. Read defensively: a message may come twice, late, or from another run. */
import { type Counter, COUNTERS } from "./judge/index.ts";

export type ToSupervisor =
  | { readonly kind: "next"; readonly run: string; readonly owner: string; readonly name: string }
  | { readonly kind: "done" | "failed"; readonly run: string; readonly owner: string; readonly name: string; readonly item: string }
  | { readonly kind: "exhausted"; readonly run: string; readonly owner: string; readonly name: string; readonly counter: Counter }
  | { readonly kind: "leaving"; readonly run: string; readonly owner: string; readonly name: string };

export type ToAgent =
  | { readonly kind: "work"; readonly item: string }
  | { readonly kind: "none" }
  | { readonly kind: "noted" }
  /** The only one that is no answer. */
  | { readonly kind: "cancel"; readonly run: string };

export function readToSupervisor(body: unknown): ToSupervisor | undefined {
  if (!hasTexts(body, ["kind", "run", "owner", "name"])) return undefined;
  switch (body["kind"]) {
    case "next":
    case "leaving":
      return body as unknown as ToSupervisor;
    case "done":
    case "failed":
      return typeof body["item"] === "string" ? (body as unknown as ToSupervisor) : undefined;
    case "exhausted":
      return COUNTERS.includes(body["counter"] as Counter) ? (body as unknown as ToSupervisor) : undefined;
    default:
      return undefined;
  }
}

export function readToAgent(body: unknown): ToAgent | undefined {
  if (!hasTexts(body, ["kind"])) return undefined;
  const { kind, item, run } = body;
  if (kind === "none" || kind === "noted") return { kind };
  if (kind === "work") return typeof item === "string" ? { kind, item } : undefined;
  return kind === "cancel" && typeof run === "string" ? { kind, run } : undefined;
}

function hasTexts(body: unknown, fields: readonly string[]): body is Record<string, unknown> {
  return typeof body === "object" && body !== null && fields.every((field) => typeof (body as Record<string, unknown>)[field] === "string");
}
