import { fileUpdate, fileWithoutModel, needsModel, restoreAll, validateInput } from '../agents/index.ts';
import type {
  FilingClient,
  FindWords,
  ForgetProposal,
  ProposalStore,
  UpdateAgentOptions,
} from '../agents/index.ts';
import type { WritePolicy } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import {
  describeError,
  isModelUnavailable,
  LimitError,
  formatReason,
  parseForgetReason,
  reasonFrom,
} from '../contract/index.ts';
import type { Clock, EmitEvent, Reason, UpdateInput, UpdateResult } from '../contract/index.ts';
import { ModelError } from '../models/index.ts';
import type { Ledger, UsageTotals } from '../models/index.ts';
import { nextChange, runClaim, startQueueRunner } from '../queue/index.ts';
import type {
  AcceptedSecrets,
  RetryPolicy,
  AttemptResult,
  QueuedUpdate,
  QueueRunner,
  StoredFile,
  NextUpdate,
  UpdateQueue,
  UpdateJob,
} from '../queue/index.ts';
import type { WriteRun } from '../tools/index.ts';
import { VaultError } from '../vault/index.ts';
import type { Language, Layout, VaultPath, VaultView } from '../vault/index.ts';
import { AppError } from './error.ts';
import { findPreviousResult } from './find-previous-result.ts';
import { findRepeatedUpdate } from './find-repeated-update.ts';
import { createSecretStore } from './secret-store.ts';
import { fromStoredResult, isSameInput, storedInput, toStoredResult } from './stored-update.ts';
import { withQueueError } from './with-queue-error.ts';

/** The current state of an update: its result, and its input with the sizes of the files instead of their content. */
export type Update = Omit<QueuedUpdate, 'input' | 'files' | 'contentHash' | 'result'> & {
  input: Omit<UpdateInput, 'files'> & { files: StoredFile[] };
  result: UpdateResult | null;
  /** The user's decision about a held update. */
  decision: 'approved' | 'rejected' | null;
  /** The usage of all attempts; null when no model was called. */
  spent: UsageTotals | null;
};

type AcceptOptions = {
  /** The idempotency key. */
  key?: string | undefined;
  /** Equal for inputs with the same content. */
  contentHash?: string | undefined;
  /** The secrets that the masks in the input stand for. */
  secrets?: AcceptedSecrets | undefined;
};

export type Updates = {
  /**
   * Returns once the update would survive a power loss; one that needs no model is filed by then. A repeated key
   * returns the first update.
   */
  accept(input: UpdateInput, options?: AcceptOptions): Promise<{ id: string; isNew: boolean }>;
  /** Finds an update by its id or a unique prefix of it. */
  find(id: string): Update | undefined;
  /** Whether retention has deleted this update. */
  isExpired(id: string): boolean;
  /** Finds the update that was accepted with this idempotency key. */
  findByKey(key: string): Update | undefined;
  /** Newest first. */
  list(options: { state?: Update['state'] | undefined; limit: number }): Update[];
  counts(): Record<Update['state'], number>;
  /** The size of all stored updates with their files, in bytes. */
  size(): number;
  /** The next update in the queue; null when none is waiting. */
  next(): NextUpdate | null;
  /** What a held update asks to forget, with its own text; null if it is something else or was decided. */
  findForgetRequest(id: string): ForgetProposal | null;
  cancel(id: string): Promise<boolean>;
  retry(id: string): Promise<boolean>;
  /**
   * Resolves once the update is finished or unknown, or the signal is aborted. Wakes the runner, so that the update
   * starts now if it is next.
   */
  whenOver(id: string, signal: AbortSignal): Promise<void>;
  /**
   * Processes accepted updates until it is stopped. Throws when there is no model; pauses when the model becomes
   * unavailable later.
   */
  start(onError: (error: unknown) => void): QueueRunner;
  /**
   * Processes updates until `until` is finished or, without it, until none is left. Returns earlier if the model stays
   * unavailable. Throws when there is no model.
   */
  work(until: string | undefined, signal: AbortSignal, onError: (error: unknown) => void): Promise<void>;
};

export type UpdateDependencies = {
  changes: Changes;
  clock: Clock;
  emit: EmitEvent;
  language: Language;
  layout: () => Layout;
  /** Whether anything was ever accepted or written in this vault. */
  hasQueue: () => boolean;
  openQueue: () => UpdateQueue;
  openProposalStore: () => ProposalStore;
  adopt: () => string;
  spentOn: Ledger['usageOfRun'];
  /** The model and its limits; throws when there is none. */
  resolveSettings: () => UpdateAgentOptions;
  isExcluded: (path: VaultPath) => boolean;
  createWriteRun: (policy: WritePolicy) => WriteRun;
  createUserRun: (policy: WritePolicy) => WriteRun;
  /** The vault without the files that are hidden from models. */
  view: VaultView;
  findWords: FindWords;
  client?: FilingClient;
};

/** The queue is opened on first use, so that a folder that is only read gets no database. */
export function openUpdates(parts: UpdateDependencies): Updates {
  const { clock, emit } = parts;
  const open = parts.openQueue;
  const existing = (): UpdateQueue | null => (parts.hasQueue() ? open() : null);
  const toView = (update: QueuedUpdate | undefined): Update | undefined => update && toUpdate(update, parts);
  const runners = new Set<QueueRunner>();
  const isOpen = (id: string): boolean => ['waiting', 'running'].includes(existing()?.getState(id) ?? '');
  /**
   * Starts no update without a model. `onMissing` is called when the model becomes unavailable, once for each reason.
   */
  const run = (onError: (error: unknown) => void, onMissing: (error: unknown) => void): QueueRunner => {
    let settings = parts.resolveSettings();
    let reportedReason = '';
    const runner = startQueueRunner({
      queue: open(),
      clock,
      onError,
      // The configured model may change or be removed between two attempts.
      isReady() {
        try {
          settings = parts.resolveSettings();
          reportedReason = '';
          return true;
        } catch (error) {
          const reason = describeError(error);
          if (reason !== reportedReason) onMissing(error);
          reportedReason = reason;
          return false;
        }
      },
      handler: (work, signal) => attemptUpdate(work, () => settings, parts, signal),
      onFailed: (update, reason) => emit({ type: 'update-failed', update, reason }),
    });
    runners.add(runner);
    return {
      ...runner,
      async stop() {
        runners.delete(runner);
        await runner.stop();
      },
    };
  };

  return {
    async accept(input, { key, contentHash, secrets } = {}) {
      const problem = validateInput(input);
      if (problem !== null) throw new AppError('bad-input', problem);
      // The first update turns the folder into a vault, which determines its state folder.
      parts.adopt();
      const { files, keepSecrets: _, ...rest } = input;
      const options = { files, key, contentHash, secrets };
      const accepted = await withQueueError(() => open().accept(rest, options));
      if (!accepted.isNew && !isSameInput(input, contentHash, open().find(accepted.id)))
        throw new AppError('bad-input', `idempotency key ${key} was already used for a different update`, {
          hint: 'use a new key',
        });
      if (accepted.isNew) emit({ type: 'update-accepted', update: accepted.id });
      if (!needsModel(input, parts.openProposalStore)) await fileNow(accepted.id, parts);
      return accepted;
    },
    find: (id) => toView(existing()?.find(id)),
    isExpired: (id) => existing()?.isExpired(id) ?? false,
    size: () => existing()?.size() ?? 0,
    findByKey: (key) => toView(existing()?.findByKey(key)),
    list: (options) =>
      existing()
        ?.list(options)
        .map((update) => toUpdate(update, parts)) ?? [],
    counts: () => existing()?.countByState() ?? { waiting: 0, running: 0, done: 0, parked: 0, cancelled: 0 },
    next: () => existing()?.peek() ?? null,
    findForgetRequest: (id) => findForgetRequest(existing(), id, parts),
    cancel: async (id) => existing()?.cancel(id) ?? false,
    retry: async (id) => existing()?.retry(id) ?? false,
    async whenOver(id, signal) {
      // Another process may have accepted it without notifying this one.
      for (const runner of runners) runner.wake();
      while (isOpen(id) && !signal.aborted) await nextChange(open(), pollIntervalMs, signal);
    },
    start: (onError) => run(onError, onError),
    async work(until, signal, onError) {
      const isOver = (): boolean =>
        until === undefined || open().getState(until) === undefined ? open().peek() === null : !isOpen(until);
      if (isOver()) return;
      await fileWaiting(parts);
      if (isOver()) return;
      const head = open().peek();
      if (head !== null && waitsForModel(head)) await open().retry(head.id);
      const missing = new AbortController();
      const runner = run(onError, (error) => missing.abort(error));
      const ending = AbortSignal.any([signal, missing.signal]);
      try {
        while (!isOver() && !isStalled(open().peek(), clock()) && !ending.aborted)
          await nextChange(open(), pollIntervalMs, ending);
      } finally {
        await runner.stop();
      }
      if (missing.signal.aborted && !isOver()) throw missing.signal.reason;
    },
  };
}

/** Files an update that needs no model, even if others wait or are filed before it. A failure is recorded in the queue. */
async function fileNow(id: string, parts: UpdateDependencies): Promise<void> {
  const queue = parts.openQueue();
  const claim = queue.claim(id, 'beside-others');
  if (claim === null) return;
  const options = {
    handler: (work: UpdateJob, signal: AbortSignal) =>
      attemptUpdate(work, parts.resolveSettings, parts, signal),
    onFailed: (update: string, reason: Reason) => parts.emit({ type: 'update-failed', update, reason }),
    onError: () => undefined,
    pollIntervalMs,
  };
  await runClaim(queue, claim, options, new AbortController().signal);
}

/** Files what needs no model and was left waiting, by a crash or by an earlier version. */
async function fileWaiting(parts: UpdateDependencies): Promise<void> {
  const waiting = parts.openQueue().list({ state: 'waiting', limit: maxWaitingUpdates });
  for (const { id, input } of waiting.toReversed())
    if (!needsModel(storedInput.parse(input), parts.openProposalStore)) await fileNow(id, parts);
}

/** A command waits for an unavailable model only this long; a server goes on. */
export const maxCommandWaitMs = 15_000;

/** Whether an update waits because the model is unavailable. */
export function waitsForModel({ state, reason }: Pick<Update, 'state' | 'reason'>): boolean {
  return state === 'waiting' && reason !== null && isModelUnavailable(reason);
}

/** Whether the model stays unavailable, so that a command should not wait for it any longer. */
function isStalled(next: NextUpdate | null, now: number): boolean {
  return next !== null && waitsForModel(next) && next.claimableAt - now > maxCommandWaitMs;
}

const maxWaitingUpdates = 1_000;

/** Polling finds changes by other processes; this process is notified of its own. */
const pollIntervalMs = 1_000;

function toUpdate({ files, ...queued }: QueuedUpdate, { changes, spentOn }: UpdateDependencies): Update {
  const { contentHash: _hash, ...update } = queued;
  const { secretLabel: _label, isFromClient: _client, ...input } = storedInput.parse(update.input);
  const result = update.result === null ? null : fromStoredResult(update.result);
  const held = result?.kind === 'held' ? update.id : null;
  const state =
    held === null ? undefined : (changes.find(held)?.entry.state ?? changes.findExpired(held)?.state);
  return {
    ...update,
    input: { ...input, files },
    result,
    decision: state === 'approved' || state === 'rejected' ? state : null,
    spent: spentOn(update.id),
  };
}

function findForgetRequest(
  queue: UpdateQueue | null,
  id: string,
  parts: UpdateDependencies,
): ForgetProposal | null {
  const queued = queue?.find(id);
  if (queue === null || queued === undefined) return null;
  const { result, decision, input } = toUpdate(queued, parts);
  const held = result?.kind === 'held' && decision === null ? result.reason : null;
  const found = held === null ? null : parseForgetReason(held);
  if (held === null || found === null) return null;
  const words = restoreAll(String(held.values['words']), createSecretStore(queue)).split('\n');
  return { words: [...words, input.text], ...found };
}

/** Makes one attempt. An update that is already in the journal was committed before a crash and is not repeated. */
export async function attemptUpdate(
  work: UpdateJob,
  resolveSettings: () => UpdateAgentOptions,
  parts: UpdateDependencies,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { id, attempts, reason: previousFailure } = work.update;
  const { emit } = parts;
  const reportResult = (result: UpdateResult): AttemptResult => {
    if (result.kind === 'filed')
      emit({ type: 'update-committed', update: id, summary: result.summary, paths: result.paths });
    else if (result.kind === 'held') emit({ type: 'update-held', update: id, reason: result.reason });
    else emit({ type: 'update-unchanged', update: id, summary: result.summary });
    return { kind: 'done', result: toStoredResult(result) };
  };
  const reportFailure = (reason: Reason, again: RetryPolicy): AttemptResult => ({
    kind: 'failed',
    reason,
    again,
  });
  const report = (outcome: Awaited<ReturnType<typeof fileUpdate>>): AttemptResult =>
    outcome.kind === 'finished' ? reportResult(outcome.result) : reportFailure(outcome.reason, 'never');
  const done = await findPreviousResult(id, parts);
  if (done !== null) return reportResult(done);
  if (work.hasExhaustedAttempts)
    return reportFailure(formatReason('ended-meanwhile', { count: attempts - 1 }), 'never');
  const input = storedInput.parse(work.update.input);
  const repeated = input.again === true ? null : await findRepeated(work.update, input.text, parts);
  if (repeated !== null) return reportResult(repeated);
  emit({ type: 'update-started', update: id, attempt: attempts });
  try {
    const files = await work.files();
    const update = { id, input: { ...input, files, receivedAt: work.update.acceptedAt } };
    const secretStore = createSecretStore(parts.openQueue());
    if (!needsModel(input, parts.openProposalStore)) {
      const proposalStore = parts.openProposalStore();
      const submit = (submitted: UpdateInput, key: string): Promise<string> =>
        submitUpdate(submitted, key, parts);
      const options = { ...parts, secretStore, proposalStore, submitUpdate: submit };
      return report(await fileWithoutModel(update, options));
    }
    const filing = await fileUpdate(update, {
      ...resolveSettings(),
      ...parts,
      ...work,
      secretStore,
      // A lost connection says nothing about the model.
      hasFailed:
        attempts > 1 &&
        previousFailure !== null &&
        !['broke-off', 'unreachable'].includes(previousFailure.code),
      isLast: () => work.isFinalAttempt(),
      signal,
    });
    return report(filing);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof VaultError && error.code === 'made-already') {
      const made = await findPreviousResult(id, parts);
      if (made !== null) return reportResult(made);
    }
    // The update is parked until the user has freed space and retries it.
    if (error instanceof LimitError) return reportFailure(reasonFrom(error), 'never');
    if (!(error instanceof ModelError)) throw error;
    return reportFailure(reasonFrom(error), getRetryPolicy(error));
  }
}

/** Accepts an update that follows from another one. */
async function submitUpdate(
  { files, ...input }: UpdateInput,
  key: string,
  { openQueue, emit }: UpdateDependencies,
): Promise<string> {
  const { id, isNew } = await openQueue().accept(input, { files, key });
  if (isNew) emit({ type: 'update-accepted', update: id });
  return id;
}

function findRepeated(
  update: QueuedUpdate,
  text: string,
  parts: UpdateDependencies,
): Promise<UpdateResult | null> {
  const dependencies = { ...parts, queue: parts.openQueue(), readResult: fromStoredResult };
  return findRepeatedUpdate(update, text, dependencies);
}

/**
 * Waits for a model that is unavailable, however long that takes, and retries at once after an unusable answer. A lost
 * connection counts as an attempt, because this very update may be what crashes the server.
 */
function getRetryPolicy({ code, reason }: ModelError): RetryPolicy {
  if (['refused', 'rejected', 'too-long', 'bad-address'].includes(code)) return 'never';
  if (code === 'bad-answer' || code === 'unfit') return 'immediately';
  return isModelUnavailable(reason) ? 'until-available' : 'backoff';
}
