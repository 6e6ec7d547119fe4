export type Limits = {
  /** Bytes of a body in JSON. */
  json: number;
  /** Bytes of a form with files. */
  upload: number;
  /** Bytes of JSON where there is no form instead: of the owner's own processes, and of MCP. */
  message: number;
  /** Bytes of a file that is put. */
  file: number;
  /** Bytes of all bodies held at the same time, and of those of one caller. */
  bodies: number;
  callerBodies: number;
  /** Requests of one caller at the same time, until their answers are sent; so many of them are worked on at once. */
  concurrent: number;
  atOnce: number;
  /** Bytes of answers that a caller has asked for and not read. */
  unsent: number;
  /** Questions to the search agent at the same time, of all who are not the person or of the person, and of one caller. */
  questions: number;
  callerQuestions: number;
  /** Requests of one caller at once, and then in each second. */
  burst: number;
  perSecond: number;
  /** Event streams of all callers. */
  streams: number;
  /** Milliseconds between two looks at whether those who listen still may. */
  lookEvery: number;
  /** Events kept for whoever comes back, and how many bytes of them. */
  events: number;
  eventBytes: number;
  /** Milliseconds between two signs of life on a stream. */
  heartbeat: number;
};

export const usualLimits: Limits = {
  json: 2_000_000,
  upload: 60_000_000,
  message: 30_000_000,
  file: 20_000_000,
  bodies: 300_000_000,
  callerBodies: 100_000_000,
  concurrent: 256,
  atOnce: 16,
  unsent: 100_000_000,
  questions: 64,
  callerQuestions: 16,
  burst: 5_000,
  perSecond: 2_000,
  streams: 1_000,
  lookEvery: 1_000,
  events: 1_000,
  eventBytes: 4_000_000,
  heartbeat: 15_000,
};
