/** The windows of a run as named moments, in the order in which a run comes by. Each is free in production. */
export const POINTS = {
  afterAdmitted: "supervisor.after-admitted",
  afterChildRecord: "supervisor.after-child-record",
  afterClaim: "supervisor.after-claim",
  inTool: "supervisor.in-tool",
  beforeRenewal: "supervisor.before-renewal",
  afterReassign: "supervisor.after-reassign",
  afterArtefact: "supervisor.after-artefact",
  afterTransition: "supervisor.after-transition",
  afterLastObligation: "supervisor.after-last-obligation",
  beforeCompletion: "supervisor.before-completion",
  beforeCancel: "supervisor.before-cancel",
  afterPropagate: "supervisor.after-propagate",
  afterClassify: "supervisor.after-classify",
  afterRecord: "supervisor.after-record",
} as const;

export type Point = (typeof POINTS)[keyof typeof POINTS];
