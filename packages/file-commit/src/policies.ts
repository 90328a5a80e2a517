/** What a writer of a file can do at each step. The reference is the right one; every other word is a way to lose the file. */
export interface CommitPolicies {
  /** `in-place`: over the file that is there, with no other beside it. */
  readonly writes: "beside-then-rename" | "in-place";
  /** `fixed`: the same for every writer and every commit. */
  readonly temporaryName: "unique" | "fixed";
  /** When the disk took fewer bytes than it was given. */
  readonly shortWrite: "write-on" | "ignore";
  readonly fileSync: "before-rename" | "never";
  /** When the disk says that it could not sync the file. */
  readonly failedFileSync: "give-up" | "rename-anyway";
  /** `delete-target-then-rename`: makes room for the name first. */
  readonly refusedRename: "retry-bounded" | "retry-without-end" | "give-up" | "delete-target-then-rename";
  readonly directorySync: "after-rename" | "never";
  readonly finalFailure: "throw" | "swallow";
  /** Of a commit that fails while its writer lives. */
  readonly ownTemporary: "remove" | "leave";
  /** Of writers that died. */
  readonly staleTemporaries: "remove" | "leave";
}

export const REFERENCE_POLICIES: CommitPolicies = {
  writes: "beside-then-rename",
  temporaryName: "unique",
  shortWrite: "write-on",
  fileSync: "before-rename",
  failedFileSync: "give-up",
  refusedRename: "retry-bounded",
  directorySync: "after-rename",
  finalFailure: "throw",
  ownTemporary: "remove",
  staleTemporaries: "remove",
};
