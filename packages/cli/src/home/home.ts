/**
 * Where this casebook stands: in a clone, with the sources of every case, or in a packed copy, which carries the repros as
 * bundled JavaScript, their pages, and the catalog as it was validated when it was packed.
 */
import type { Facts, Repro } from "@casebook/repro";
import type { Answer } from "../answer.ts";
import type { Case, Catalog } from "../catalog/catalog.ts";

export interface Home {
  /** The folder of this package, where its package.json is. */
  readonly packageFolder: string;
  /** What only a clone has; undefined in a packed copy. */
  readonly clone: Clone | undefined;
  readCatalog(): Promise<Catalog>;
  loadRepro(item: Case): Promise<Repro<unknown, Facts>>;
  /** What its `repro` exports under the name `systems`; undefined when it exports nothing of that name. */
  loadSystems(item: Case): Promise<unknown>;
  /** The page of a case, Markdown. */
  readPage(item: Case): string;
  /** The file that is run when the case is played. */
  readCode(item: Case): { readonly name: string; readonly bytes: Uint8Array };
}

export interface Clone {
  readonly root: string;
  /** Commands that work on sources, loaded when they are called. A packed copy does not carry their code. */
  readonly commands: {
    newIncident(slug: string, options: { readonly number: string | undefined; readonly json: boolean }): Promise<Answer>;
    test(ids: readonly string[], options: { readonly against: string; readonly json: boolean }): Promise<Answer>;
    testSuite(name: string, ids: readonly string[], options: { readonly against: string; readonly json: boolean }): Promise<Answer>;
  };
}
