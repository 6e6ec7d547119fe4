/** When upkeep does what, in milliseconds unless it says otherwise. */
export type Timing = {
  /** How long a file must be the same before it is stamped. */
  quiet: number;
  /** The same where nobody can tell whether a program has it open for writing. */
  quietUnseen: number;
  scanEvery: number;
  /** After how many hints at once everything is compared instead. */
  burst: number;
  /** How long after such a burst. */
  afterBurst: number;
  /** How long after any hint everything is compared: where something changes, something may have gone unnoticed. */
  afterHint: number;
  /** How long nothing must have changed before `tree.md` is written. */
  treeQuiet: number;
  /** How long it waits at most for files to be stamped. */
  treePatience: number;
  /** How long nothing must have been edited outside before history gets it; what comes until then is one change. */
  recordQuiet: number;
  /** After which time history gets it in any case, and how often it is tried again. */
  recordEvery: number;
  /** How long a file that could not be stamped is left in peace. */
  retry: number;
  /** How long a model that failed is left in peace the first time; each further time twice as long. */
  modelPause: number;
  longestModelPause: number;
  /** How often vectors of sections that are gone are dropped. What comes back meanwhile needs no new ones. */
  dropGoneEvery: number;
};

export const defaultTiming: Timing = {
  quiet: 5_000,
  quietUnseen: 60_000,
  scanEvery: 60_000,
  burst: 100,
  afterBurst: 2_000,
  afterHint: 15_000,
  treeQuiet: 2_000,
  treePatience: 30_000,
  recordQuiet: 20_000,
  recordEvery: 5 * 60_000,
  retry: 10 * 60_000,
  modelPause: 5_000,
  longestModelPause: 10 * 60_000,
  dropGoneEvery: 60 * 60_000,
};
