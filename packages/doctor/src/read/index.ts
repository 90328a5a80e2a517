/** Readers over a tree: bounded, stable, never rejecting for what is on the disk. */
export { readJsonFile, type JsonFile } from "./json-file.ts";
export { placesIn, positionOfPointer, valueAt, type JsonPlaces } from "./json-places.ts";
export { notRead, refusedRead } from "./not-read.ts";
export { MAX_FILE_BYTES, MAX_READ_ATTEMPTS, readStable, type ReadOptions, type StableBytes } from "./read-stable.ts";
