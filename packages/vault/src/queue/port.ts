import type { Reason, UpdateFile } from '../contract/index.ts';
import type { StoredFile } from './file-store.ts';

/**
 * `waiting` for its turn, `running` now, then `done`; `parked` after too many failures, until somebody retries it;
 * `cancelled` by a person.
 */
export type UpdateState = 'waiting' | 'running' | 'done' | 'parked' | 'cancelled';

export type QueuedUpdate = {
  id: string;
  /** What to do; the queue does not look into it. */
  input: unknown;
  /** What came with it; `readFiles` has the content. */
  files: StoredFile[];
  state: UpdateState;
  acceptedAt: number;
  /** How often it was begun. */
  attempts: number;
  /** Why the last attempt failed; null when none has. */
  reason: Reason | null;
  /** When it is tried again, in milliseconds; null unless it waits after a failure. */
  nextAttemptAt: number | null;
  /** What came of it; null before it is done. */
  result: unknown;
};

/** When a failed update is tried again: `never` when that is of no use, `at-once` when waiting is of none. */
export type Again = 'later' | 'at-once' | 'never';

/** The update that everything else waits for. */
export type Turn = Pick<QueuedUpdate, 'id' | 'state' | 'attempts' | 'reason'> & {
  /** How often it is tried before it is parked. */
  mostAttempts: number;
  /** When `claim` may have it, in milliseconds: now, at its next attempt, or when a worker has given no sign for too long. */
  at: number;
};

/**
 * The right to work on one update. It ends with its lease unless it is renewed. It `isExhausted` when its attempts are used
 * up and the last one never told how it ended: it may be done, or be what ends whoever works on it. It `isLast` when a
 * failure of it would park the update.
 */
export type Claim = { update: QueuedUpdate; fence: number; isExhausted: boolean; isLast: boolean };

export type AcceptedAs = { id: string; at: number };

type AcceptOptions = {
  files?: readonly UpdateFile[] | undefined;
  /** The same key again gives the same update. */
  key?: string | undefined;
  /** When it was accepted elsewhere before. */
  as?: AcceptedAs | undefined;
};

/**
 * Durable requests, worked on one at a time and in the order they were accepted. Every driver passes the same contract
 * suite.
 */
export type UpdateQueue = {
  /** Returns once input and files would survive a power loss. */
  accept(input: unknown, options?: AcceptOptions): Promise<{ id: string; isNew: boolean }>;
  /** By its id, or by the beginning of it when no other begins so. */
  find(id: string): QueuedUpdate | undefined;
  /** The content of the files of an update; throws once it is done, because they are removed then. */
  readFiles(update: QueuedUpdate): Promise<UpdateFile[]>;
  /** Removes stored files that no update needs: of updates that are done, and of processes that were killed while accepting. */
  removeUnusedFiles(): Promise<void>;
  /**
   * Called after each change of the state of an update that was made through this object: not for those of other processes.
   * The listener must not throw. Returns a function that ends it.
   */
  onChange(listener: () => void): () => void;
  /** The state alone. */
  stateOf(id: string): UpdateState | undefined;
  counts(): Record<UpdateState, number>;
  /** Newest first. */
  list(options: { state?: UpdateState | undefined; limit: number }): QueuedUpdate[];
  /** As durable. False when it is running or over. */
  cancel(id: string): Promise<boolean>;
  /** Puts a parked or cancelled update back in its place, as durably; false when it is neither. */
  retry(id: string): Promise<boolean>;
  /**
   * The oldest update, unless it waits for its next attempt or somebody works on it. One whose worker gave no sign for
   * the length of a lease is given to the next who asks.
   */
  claim(): Claim | null;
  /** Whose turn it is, without its input; null when nothing waits. */
  next(): Turn | null;
  /** How far the update had come when its progress was last saved; null when it never was. */
  progress(id: string): Uint8Array | null;
  /** These five do nothing and give false once the claim has passed to somebody else. */
  renew(claim: Claim): boolean;
  /** Survives a power loss, until the update is done or cancelled. Attempts before do not count any more. */
  saveProgress(claim: Claim, progress: Uint8Array): boolean;
  complete(claim: Claim, result: unknown): boolean;
  /** Counts as an attempt: tried again, or parked. */
  fail(claim: Claim, reason: Reason, again?: Again): boolean;
  /** Gives it back as if it had never been claimed: the worker is asked to stop. */
  release(claim: Claim): boolean;
};
