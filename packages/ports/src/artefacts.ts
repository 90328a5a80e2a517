/**
 * The port of the artefact store: what a piece of work left behind, under an address. Models a store of objects; leaves out listing,
 * deleting and partial reads. A put may be carried out although its answer never comes.
 */
export interface Artefacts {
  /** Answers when the whole of it is there. A second put to the same address replaces the first. */
  put(uri: string, body: string): Promise<void>;
  /** What is there, without its content; undefined: nothing. */
  head(uri: string): Promise<ArtefactHead | undefined>;
}

export interface ArtefactHead {
  readonly uri: string;
  /** Bytes as UTF-8. */
  readonly size: number;
}
