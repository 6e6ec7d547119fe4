import type { Reason, UpdateFile } from '../contract/index.ts';
import type { StoredFile } from './file-store.ts';

/** `parked`: failed too often, and waits until it is retried by hand. `cancelled`: cancelled by a user. */
export type UpdateState = 'waiting' | 'running' | 'done' | 'parked' | 'cancelled';

export type QueuedUpdate = {
  id: string;
  /** The request; opaque to the queue. */
  input: unknown;
  /** Names and sizes of the submitted files; `readFiles` returns their content. */
  files: StoredFile[];
  /** Null if it was accepted without one. */
  contentHash: string | null;
  state: UpdateState;
  acceptedAt: number;
  /** Number of attempts started so far, without those that failed because the model was unavailable. */
  attempts: number;
  /** Why the last attempt failed; null if no attempt has failed. */
  reason: Reason | null;
  /** Time of the next attempt in epoch milliseconds; null unless the update waits after a failure. */
  nextAttemptAt: number | null;
  /** The handler's result; null until the update is done. */
  result: unknown;
};

/**
 * When to retry a failed update: after a delay, immediately (a delay would not help), never (another attempt cannot
 * succeed), or until something it needs is available (the failure does not count as an attempt).
 */
export type RetryPolicy = 'backoff' | 'immediately' | 'never' | 'until-available';

/** The update at the head of the queue. */
export type NextUpdate = Pick<QueuedUpdate, 'id' | 'state' | 'attempts' | 'reason'> & {
  /** Number of attempts before the update is parked. */
  maxAttempts: number;
  /** When the update can be claimed, in epoch milliseconds: now, at its next attempt, or when the current lease expires. */
  claimableAt: number;
};

/**
 * A leased claim on one update; it expires unless it is renewed. `hasExhaustedAttempts`: all attempts are used and the
 * last one crashed without a result, so the update may be done, or may be what crashes the worker. `isFinalAttempt`: a
 * failure of this attempt parks the update.
 */
export type Claim = {
  update: QueuedUpdate;
  fence: number;
  hasExhaustedAttempts: boolean;
  isFinalAttempt: boolean;
  /** Whether the claim counts as an attempt. */
  isAttempt: boolean;
  /** The state to which `release` returns the update. */
  releasedState: 'waiting' | 'parked';
};

/** Whether an update is processed while no other is, or needs nothing from those that were accepted before it. */
export type ClaimOrder = 'alone' | 'beside-others';

export type AcceptedIdentity = { id: string; at: number };

/** The secrets that masks with this label stand for in the input of an update. `secrets` is opaque to the queue. */
export type AcceptedSecrets = { label: string; isKept: boolean; secrets: unknown };

export type AcceptOptions = {
  files?: readonly UpdateFile[] | undefined;
  /** Idempotency key: a repeated key returns the existing update. */
  key?: string | undefined;
  /** Set when another node has already accepted the update. */
  as?: AcceptedIdentity | undefined;
  /** Equal for inputs with the same content. */
  contentHash?: string | undefined;
  secrets?: AcceptedSecrets | undefined;
};

/**
 * A durable queue of requests that are processed one at a time, in the order in which they were accepted. Every
 * implementation must pass the same contract tests.
 */
export type UpdateQueue = {
  /** Resolves once the input and the files are durable. */
  accept(input: unknown, options?: AcceptOptions): Promise<{ id: string; isNew: boolean }>;
  /** Finds an update by its id or by an unambiguous prefix of it. */
  find(id: string): QueuedUpdate | undefined;
  /** Finds the update that was accepted with this idempotency key. */
  findByKey(key: string): QueuedUpdate | undefined;
  /** The finished updates with the same content as this one that were accepted before it, newest first. */
  findRepeated(id: string): QueuedUpdate[];
  /** Undefined if there are none with this label, or they were forgotten. */
  findSecrets(label: string): AcceptedSecrets | undefined;
  /** Records that the user wants to keep them. */
  keepSecrets(label: string): void;
  forgetSecrets(label: string): void;
  /** Returns the content of an update's files; throws once the update is done, because its files are then removed. */
  readFiles(update: QueuedUpdate): Promise<UpdateFile[]>;
  /** Removes stored files that no update needs: those of finished updates and of processes that were killed while accepting. */
  removeUnusedFiles(): Promise<void>;
  /**
   * Calls the listener after each state change made through this object, not for changes made by other processes. The
   * listener must not throw. Returns a function that removes it.
   */
  onChange(listener: () => void): () => void;
  /** Cheaper than `find`: reads only the state. */
  getState(id: string): UpdateState | undefined;
  countByState(): Record<UpdateState, number>;
  /** Newest first. */
  list(options: { state?: UpdateState | undefined; limit: number }): QueuedUpdate[];
  /** The ids of all updates that are neither done nor cancelled. */
  unfinishedIds(): string[];
  /**
   * Deletes done and cancelled updates that were accepted before a time, all or none, except those in `kept`. Unfinished
   * updates and secrets that wait for a decision stay. Returns the number of deleted ones.
   */
  expire(before: number, isKept: (update: { id: string; result: unknown }) => boolean): number;
  /** Whether `expire` deleted the update with this id or with this unambiguous prefix of it. */
  isExpired(id: string): boolean;
  /** The size of all stored updates with their files, in bytes. */
  size(): number;
  /** Durable when it resolves. Resolves to false if the update is running or finished. */
  cancel(id: string): Promise<boolean>;
  /**
   * Requeues a parked or cancelled update at its original position, or ends the delay of a waiting one, durably; false
   * if it is none of these.
   */
  retry(id: string): Promise<boolean>;
  /**
   * Claims the oldest open update, unless it is backing off or leased. An update whose lease has expired goes to the
   * next caller. With an id, claims that update, also if it is parked or backing off, unless any update is leased; the
   * claim does not count as an attempt. `beside-others` claims that update only if it is due, whatever is leased, and
   * counts as an attempt.
   */
  claim(id?: string, order?: ClaimOrder): Claim | null;
  /** The head of the queue, without its input; null if no update is open. */
  peek(): NextUpdate | null;
  /** The progress that was last saved for the update; null if none was. */
  loadProgress(id: string): Uint8Array | null;
  /** This method and the four below do nothing and return false once the claim is lost. */
  renew(claim: Claim): boolean;
  /** Durable, and kept until the update is done or cancelled. Resets the attempt count. */
  saveProgress(claim: Claim, progress: Uint8Array): boolean;
  complete(claim: Claim, result: unknown): boolean;
  /** Counts as an attempt unless it is retried `until-available`; the update is then retried or parked. */
  fail(claim: Claim, reason: Reason, again?: RetryPolicy): boolean;
  /** Returns the update to the queue without counting the attempt, for a worker that is asked to stop. */
  release(claim: Claim): boolean;
};
