/** The artefact store of a world, behind a service. Keeps whole bodies, because a test may want to know whose stands. */
import type { ArtefactHead, Artefacts } from "@casebook/ports";
import type { Execution } from "./execution.ts";
import type { ProcessState } from "./process-state.ts";
import { callService, type ServiceState } from "./service.ts";

export class ArtefactsState {
  readonly service: ServiceState;
  readonly bodies = new Map<string, string>();
  /** How often each address was written. */
  readonly puts = new Map<string, number>();

  constructor(service: ServiceState) {
    this.service = service;
  }

  head(uri: string): ArtefactHead | undefined {
    const body = this.bodies.get(uri);
    return body === undefined ? undefined : { uri, size: sizeAsUtf8(body) };
  }
}

export function artefactsPort(execution: Execution, process: ProcessState, life: number, state: ArtefactsState): Artefacts {
  return {
    put(uri, body) {
      return callService(execution, process, life, state.service, {
        call: "put",
        object: uri,
        access: "write",
        work: () => {
          state.bodies.set(uri, body);
          state.puts.set(uri, (state.puts.get(uri) ?? 0) + 1);
        },
      });
    },
    head(uri) {
      return callService(execution, process, life, state.service, {
        call: "head",
        object: uri,
        access: "read",
        work: () => state.head(uri),
        describe: (head: ArtefactHead | undefined) => (head === undefined ? "none" : `${head.size} bytes`),
      });
    },
  };
}

function sizeAsUtf8(body: string): number {
  let size = 0;
  for (const character of body) {
    const point = character.codePointAt(0) as number;
    size += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return size;
}
