import { fileUpdate, inputProblem } from '../agents/index.ts';
import type { UpdateSettings } from '../agents/index.ts';
import type { Policy } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import {
  describeError,
  fromStoredReason,
  LimitError,
  reasonFor,
  reasonFrom,
  sentUpdate,
  toStoredReason,
  updateResult,
} from '../contract/index.ts';
import type { Clock, Emit, Reason, UpdateInput, UpdateResult } from '../contract/index.ts';
import { ModelError } from '../models/index.ts';
import type { Ledger, Spent } from '../models/index.ts';
import { nextChange, runQueue } from '../queue/index.ts';
import type {
  Again,
  Attempt,
  QueuedUpdate,
  QueueRunner,
  StoredFile,
  Turn,
  UpdateQueue,
  Work,
} from '../queue/index.ts';
import type { WriteRun } from '../tools/index.ts';
import { itemAskedIn, systemCode, VaultError } from '../vault/index.ts';
import type { Language, VaultPath } from '../vault/index.ts';
import { AppError } from './error.ts';

/** An update as it stands: its input, of files only how large they are, and what became of it. */
export type Update = Omit<QueuedUpdate, 'input' | 'files' | 'result'> & {
  input: Omit<UpdateInput, 'files'> & { files: StoredFile[] };
  result: UpdateResult | null;
  /** What the person decided about one that was held. */
  decision: 'approved' | 'rejected' | null;
  /** What models have used for it, in all attempts; null when nothing. */
  spent: Spent | null;
};

export type Updates = {
  /** Returns once it would survive a power loss. The same key again gives the same update. */
  accept(input: UpdateInput, key?: string): Promise<{ id: string; isNew: boolean }>;
  /** By its id, or by the beginning of it when no other begins so. */
  find(id: string): Update | undefined;
  /** Newest first. */
  list(options: { state?: Update['state'] | undefined; limit: number }): Update[];
  counts(): Record<Update['state'], number>;
  /** Whose turn it is; null when nothing waits. */
  next(): Turn | null;
  cancel(id: string): Promise<boolean>;
  retry(id: string): Promise<boolean>;
  /** Resolves once the update is over or unknown, or the signal is aborted; begins it now if it is its turn. */
  whenOver(id: string, signal: AbortSignal): Promise<void>;
  /** Works on whatever is accepted, until it is stopped; throws when there is no model. While there is none any more, it waits. */
  start(onError: (error: unknown) => void): QueueRunner;
  /** Works until this update is over, or without one until nothing is left to do now; throws when there is no model for it. */
  work(until: string | undefined, signal: AbortSignal, onError: (error: unknown) => void): Promise<void>;
};

type Parts = {
  changes: Changes;
  clock: Clock;
  emit: Emit;
  language: Language;
  /** Whether anything was ever accepted or written here. */
  hasQueue: () => boolean;
  openQueue: () => UpdateQueue;
  adopt: () => string;
  spentOn: Ledger['spentOn'];
  /** The model and its bounds; throws when there is none. */
  setting: () => UpdateSettings;
  isExcluded: (path: VaultPath) => boolean;
  writeRun: (policy: Policy) => WriteRun;
};

/** The queue is opened when it is first needed, like everything that is written. */
export function openUpdates(parts: Parts): Updates {
  const { clock, emit } = parts;
  const open = parts.openQueue;
  const existing = (): UpdateQueue | null => (parts.hasQueue() ? open() : null);
  const runners = new Set<QueueRunner>();
  const isOpen = (id: string): boolean => ['waiting', 'running'].includes(existing()?.stateOf(id) ?? '');
  /** Without a model nothing is begun. `onMissing` is told why there is none any more, once for each reason. */
  const run = (onError: (error: unknown) => void, onMissing: (error: unknown) => void): QueueRunner => {
    let setting = parts.setting();
    let told = '';
    const runner = runQueue({
      queue: open(),
      clock,
      onError,
      // Another model may be chosen between two attempts, or none.
      isReady() {
        try {
          setting = parts.setting();
          told = '';
          return true;
        } catch (error) {
          const reason = describeError(error);
          if (reason !== told) onMissing(error);
          told = reason;
          return false;
        }
      },
      handle: (work, signal) => handle(work, setting, parts, signal),
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
    async accept(input, key) {
      const problem = inputProblem(input);
      if (problem !== null) throw new AppError('bad-input', problem);
      // The first update makes a folder a vault, and with that decides where its state lies.
      parts.adopt();
      const { files, ...rest } = input;
      const accepted = await keep(() => open().accept(rest, { files, key }));
      if (!accepted.isNew && !isSame(input, open().find(accepted.id)))
        throw new AppError(
          'bad-input',
          `the key ${key} was used for another update; this one is not accepted`,
          {
            mend: 'choose a new key for each update',
          },
        );
      if (accepted.isNew) emit({ type: 'update-accepted', update: accepted.id });
      return accepted;
    },
    find(id) {
      const update = existing()?.find(id);
      return update && updateFrom(update, parts);
    },
    list: (options) =>
      existing()
        ?.list(options)
        .map((update) => updateFrom(update, parts)) ?? [],
    counts: () => existing()?.counts() ?? { waiting: 0, running: 0, done: 0, parked: 0, cancelled: 0 },
    next: () => existing()?.next() ?? null,
    cancel: async (id) => existing()?.cancel(id) ?? false,
    retry: async (id) => existing()?.retry(id) ?? false,
    async whenOver(id, signal) {
      // It may have been accepted by another process, of which this one has not heard.
      for (const runner of runners) runner.wake();
      while (isOpen(id) && !signal.aborted) await nextChange(open(), pollIntervalMs, signal);
    },
    start: (onError) => run(onError, onError),
    async work(until, signal, onError) {
      const isOver = (): boolean =>
        until === undefined || open().stateOf(until) === undefined ? open().next() === null : !isOpen(until);
      if (isOver()) return;
      const missing = new AbortController();
      const runner = run(onError, (error) => missing.abort(error));
      const ending = AbortSignal.any([signal, missing.signal]);
      try {
        while (!isOver() && !ending.aborted) await nextChange(open(), pollIntervalMs, ending);
      } finally {
        await runner.stop();
      }
      if (missing.signal.aborted && !isOver()) throw missing.signal.reason;
    },
  };
}

/** For what other processes do: changes in this one are notified. */
const pollIntervalMs = 1_000;

/** Whether an update with the key of an earlier one is that one. */
function isSame({ text, inboxRef, files }: UpdateInput, queued: QueuedUpdate | undefined): boolean {
  if (queued === undefined) return false;
  const earlier = storedInput.parse(queued.input);
  const then = queued.files.map(({ name, bytes }) => ({ name, size: bytes }));
  const now = files.map(({ name, bytes }) => ({ name, size: bytes.length }));
  const isAlike = earlier.text === text && earlier.inboxRef === inboxRef;
  return isAlike && JSON.stringify(comparable(then)) === JSON.stringify(comparable(now));
}

/** What was made of documents may be another text the second time; then the documents are compared. */
function comparable(files: { name: string; size: number }[]): [string, number | null][] {
  const hasDocuments = files.some(({ name }) => !name.endsWith('.md'));
  return files.map(({ name, size }) => [name, hasDocuments && name.endsWith('.md') ? null : size]);
}

/** What cannot be kept is not accepted, and whoever handed it over has to know what to do. */
async function keep<Kept>(work: () => Promise<Kept>): Promise<Kept> {
  try {
    return await work();
  } catch (cause) {
    if (systemCode(cause)?.startsWith('SQLITE_') !== true) throw cause;
    throw new AppError(
      'bad-state',
      `the update cannot be kept (${describeError(cause)}); it was not accepted`,
      {
        mend: 'make room on the disk of the state folder, or see what is wrong with keepsake doctor, then send it again',
        cause,
      },
    );
  }
}

/** The queue stores files apart from the rest. */
const storedInput = sentUpdate.omit({ files: true });

/** The sentence of a reason is not stored with it. */
function toStoredResult(result: UpdateResult): unknown {
  return result.kind === 'held' ? { ...result, reason: toStoredReason(result.reason) } : result;
}

function fromStoredResult(stored: unknown): UpdateResult {
  const isHeld = typeof stored === 'object' && stored !== null && 'reason' in stored;
  return updateResult.parse(isHeld ? { ...stored, reason: fromStoredReason(stored.reason) } : stored);
}

function updateFrom({ files, ...update }: QueuedUpdate, { changes, spentOn }: Parts): Update {
  const result = update.result === null ? null : fromStoredResult(update.result);
  const state = result?.kind === 'held' ? changes.find(update.id)?.entry.state : undefined;
  return {
    ...update,
    input: { ...storedInput.parse(update.input), files },
    result,
    decision: state === 'approved' || state === 'rejected' ? state : null,
    spent: spentOn(update.id),
  };
}

/** One attempt. An update that is in the journal already was made before a crash, and is not made again. */
async function handle(
  work: Work,
  setting: UpdateSettings,
  parts: Parts,
  signal: AbortSignal,
): Promise<Attempt> {
  const { id, attempts } = work.update;
  const { emit } = parts;
  const tell = (result: UpdateResult): Attempt => {
    if (result.kind === 'filed')
      emit({ type: 'update-committed', update: id, summary: result.summary, paths: result.paths });
    else if (result.kind === 'held') emit({ type: 'update-held', update: id, reason: result.reason });
    else emit({ type: 'update-unchanged', update: id, summary: result.summary });
    return { kind: 'done', result: toStoredResult(result) };
  };
  const fail = (reason: Reason, again: Again): Attempt => ({ kind: 'failed', reason, again });
  const done = await alreadyDone(id, parts.changes);
  if (done !== null) return tell(done);
  if (work.isExhausted) return fail(reasonFor('ended-meanwhile', { count: attempts - 1 }), 'never');
  emit({ type: 'update-started', update: id, attempt: attempts });
  try {
    const { input: stored, acceptedAt } = work.update;
    const files = await work.files();
    const update = { id, input: { ...storedInput.parse(stored), files, receivedAt: acceptedAt } };
    const filing = await fileUpdate(update, { ...setting, ...parts, ...work, signal });
    return filing.kind === 'over' ? tell(filing.result) : fail(filing.reason, 'never');
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof VaultError && error.code === 'made-already') {
      const made = await alreadyDone(id, parts.changes);
      if (made !== null) return tell(made);
    }
    // As it was: somebody makes room, and has it tried again.
    if (error instanceof LimitError) return fail(reasonFrom(error), 'never');
    if (!(error instanceof ModelError)) throw error;
    return fail(reasonFrom(error), againAfter(error));
  }
}

/** Waiting is for a model that cannot be asked now; one that answered the wrong thing can be asked again at once. */
function againAfter({ code }: ModelError): Again {
  if (['refused', 'rejected', 'too-long', 'bad-address'].includes(code)) return 'never';
  return code === 'bad-answer' || code === 'unfit' ? 'at-once' : 'later';
}

async function alreadyDone(id: string, changes: Changes): Promise<UpdateResult | null> {
  if (changes.find(id)?.entry.state === 'applying') await changes.writer.recover();
  const found = changes.find(id);
  // What a call made under this id is not what became of the update.
  if (found?.entry.id !== id || found.call !== null || found.entry.state === 'reverted') return null;
  const { summary, state } = found.entry;
  const { paths } = found;
  // Damaged history does not make it undone: then it is only not known what was asked.
  const changed = await found.changes().catch((error: unknown) => {
    if (error instanceof VaultError && error.code === 'damaged-history') return [];
    throw error;
  });
  const asked = changed.flatMap(({ kind, path }) => (kind === 'remove' ? [] : (itemAskedIn(path) ?? [])));
  return state === 'applied'
    ? { kind: 'filed', summary, paths, asked: asked[0] ?? null }
    : { kind: 'held', summary, paths, reason: reasonFor('undecided', {}) };
}
