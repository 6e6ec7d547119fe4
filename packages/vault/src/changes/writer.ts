import { randomUUID } from 'node:crypto';
import { KeepsakeError, createLimiter } from '../contract/index.ts';
import type { Clock, Reason, VaultSize } from '../contract/index.ts';
import { withSpan } from '../trace/index.ts';
import {
  createYielder,
  parentPath,
  computeRevision,
  rootPath,
  formatPath,
  errorCode,
  VaultError,
} from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { stepsOf } from './append-step.ts';
import type { RequestedFileChange } from './append-step.ts';
import { createApplier, describeCause } from './apply-changes.ts';
import { folderExists, readMode, readBytes } from './apply-file-change.ts';
import { createJournalEntry } from './change-metadata.ts';
import type { ChangeMetadata, RequestedChange } from './change-metadata.ts';
import { createFileChange, computeSizeDelta, contentEquals, isFileChange } from './change.ts';
import type { Change, FileChange, FolderChange } from './change.ts';
import type { Comparer } from './comparer.ts';
import type { LateWrite, ReplacedFiles } from './late-writes.ts';
import type { FileConflict, MergeChangeResult } from './merge-change.ts';
import type { ConflictStrategy } from './merge-lines.ts';
import type { RemovalAccounting, RemovalTotals, Removal } from './removal-accounting.ts';
import type { TransactionStates } from './transaction-states.ts';
import type { NewJournalEntry, TransactionStore } from './transaction-store.ts';
import type { Lease, WriterLock } from './writer-lock.ts';

export type WriteResult =
  /** `warnings` are the errors of listeners; the change itself was applied. */
  | { kind: 'written'; id: string; changes: Change[]; warnings: string[] }
  | { kind: 'held'; id: string; reason: Reason }
  | { kind: 'needs-confirmation'; reason: Reason }
  | { kind: 'unchanged' }
  | { kind: 'conflict'; files: FileConflict[] };

/** The removals of a connection within the last hour. */
type RecentActivity = RemovalTotals & { wroteWholeFile: (path: VaultPath, bytes: Buffer) => boolean };

export type Writer = {
  /** Applies all changes or none. Waits for the writer lock and returns after all commit listeners have run. */
  write(requested: readonly RequestedChange[], metadata: ChangeMetadata): Promise<WriteResult>;
  /** Durably stores changes for approval, without touching a file. Returns the id. */
  holdForApproval(
    requested: readonly RequestedChange[],
    metadata: ChangeMetadata,
    reason?: Reason,
  ): Promise<string>;
  recentActivity(connection: string): RecentActivity;
  /** Finishes transactions that a crash interrupted. Every start calls it before anything is read. */
  recover(): Promise<void>;
  /** Merges late writes to replaced files into the vault. */
  collectLateWrites(): Promise<void>;
};

/** Called with every committed change, before the write returns. */
export type CommitListener = (changes: readonly { path: VaultPath }[]) => Promise<void>;

/** How often replaced files are inspected, in milliseconds, as long as another program may write to them. */
const lateWritePollIntervalMs = 1_000;
/** After a slow inspection the next one waits this many times its duration. */
const pollBackoffFactor = 20;
const maxPollDelayMs = 30_000;

const hourMs = 3_600_000;

type Dependencies = {
  root: VaultRoot;
  lock: WriterLock;
  journal: TransactionStore & TransactionStates & RemovalAccounting;
  replaced: ReplacedFiles;
  clock: Clock;
  listeners: readonly CommitListener[];
  comparer: Comparer;
  /** Without it, the size of the vault is not limited. */
  checkQuota?: CheckQuota | undefined;
};

/** Throws when the vault may not grow by this much. Called before anything is written. */
export type CheckQuota = (growth: VaultSize) => Promise<void>;

export function createWriter(dependencies: Dependencies): Writer {
  const {
    root,
    lock,
    journal,
    replaced,
    clock,
    listeners,
    comparer,
    checkQuota = async () => undefined,
  } = dependencies;
  const applier = createApplier(root, journal, replaced.retain);

  /** Applies all changes or none, after finishing interrupted transactions. */
  const applyChanges: ApplyChanges = async (requested, metadata, lease) => {
    recoverWithLease(lease);
    const pause = createYielder();
    const { changes, conflicts } = await resolveChanges(
      root,
      requested,
      comparer,
      metadata.onConflict,
      lease,
    );
    if (conflicts.length > 0) return { kind: 'conflict', files: conflicts };
    if (changes.length === 0) return { kind: 'unchanged' };
    await pause();
    await checkQuota(computeSizeDelta(changes));
    const id = metadata.id ?? randomUUID();
    lease.assertHeld();
    metadata.assertAllowed?.();
    const all = [...changes, ...missingFolders(root, changes)];
    const entry = createJournalEntry(metadata, id, clock(), requested);
    await writeToJournal(journal, entry, all, metadata.removal);
    await pause();
    const files = new Map(requested.filter(isFileChange).map((request) => [request.path, request]));
    const applyConflicts = applier.apply(id, all, lease, { requested: files, onChange: metadata.onFile });
    if (applyConflicts.length > 0) return { kind: 'conflict', files: applyConflicts };
    return { kind: 'written', id, changes, warnings: await notifyListeners(listeners, changes) };
  };

  const { collectLateWrites, scheduleLateWritePoll } = createLateWriteCollector(lock, replaced, applyChanges);
  const recoverWithLease = (lease: Lease): void => {
    const incomplete = journal.listIncomplete();
    for (const { id } of incomplete) {
      applier.finish(id, journal.changesOf(id) ?? [], lease);
      // After another crash, the file of an earlier transaction may already contain what a later one wrote, so its
      // state could not be derived from the file.
      if (incomplete.length > 1) journal.flush('durably');
    }
  };
  /** After a power loss, temporary files of the last change can reappear, because their removal is not synced. */
  const removeLatestLeftovers = async (): Promise<void> => {
    const latest = journal.latest();
    if (latest === undefined || !applier.hasLeftovers(latest.id, journal.pathsOf(latest.id))) return;
    await lock.withLease(async (lease) =>
      applier.removeLeftovers(latest.id, journal.changesOf(latest.id) ?? [], lease),
    );
  };

  return {
    async holdForApproval(requested, metadata, heldBecause) {
      const id = metadata.id ?? randomUUID();
      metadata.assertAllowed?.();
      await journal.append(
        { ...createJournalEntry(metadata, id, clock(), requested), state: 'held', heldBecause },
        requested,
      );
      return id;
    },
    recentActivity(connection) {
      // Entries that a wrong clock dated far into the future are not counted.
      const span = { from: clock() - hourMs, to: clock() + hourMs };
      const wroteWholeFile: RecentActivity['wroteWholeFile'] = (path, bytes) =>
        journal.wroteWholeFile(connection, span, path, computeRevision(bytes));
      return { ...journal.removedBy(connection, span), wroteWholeFile };
    },
    collectLateWrites,
    recover: async () => {
      // A failure must not prevent opening the vault; the next start tries again.
      await removeLatestLeftovers().catch(() => undefined);
      if (journal.listIncomplete().length > 0) await lock.withLease(async (lease) => recoverWithLease(lease));
      // The same applies here: the poll tries again shortly.
      if (!replaced.isEmpty()) await collectLateWrites().catch(() => undefined);
    },
    write: async (requested, metadata) => {
      try {
        return await withSpan({ name: 'commit', count: requested.length }, () =>
          lock.withLease((lease) => applyChanges(requested, metadata, lease)),
        );
      } finally {
        scheduleLateWritePoll();
      }
    },
  };
}

type ApplyChanges = (
  requested: readonly RequestedChange[],
  metadata: ChangeMetadata,
  lease: Lease,
) => Promise<WriteResult>;

function createLateWriteCollector(lock: WriterLock, replaced: ReplacedFiles, applyChanges: ApplyChanges) {
  /** Serializes the collection: an open file must not be closed while it is being merged. */
  const runExclusive = createLimiter();
  let timer: NodeJS.Timeout | undefined;
  const mergeLateWrites = async (): Promise<void> => {
    if (!replaced.hasLateWrites()) return;
    await lock.withLease((lease) =>
      replaced.collectLateWrites((edit) =>
        mergeLateWrite(edit, (requested, metadata) => applyChanges(requested, metadata, lease)),
      ),
    );
    replaced.hasLateWrites();
  };
  const collectLateWrites = (): Promise<void> =>
    runExclusive(async () => {
      const began = performance.now();
      try {
        await mergeLateWrites();
      } finally {
        scheduleLateWritePoll(Math.min(pollBackoffFactor * (performance.now() - began), maxPollDelayMs));
      }
    });
  /**
   * Runs in the background and does not keep the process alive, because closing the vault also collects late writes.
   */
  const scheduleLateWritePoll = (pause = 0): void => {
    clearTimeout(timer);
    if (hasReplacedFiles(replaced))
      timer = setTimeout(
        () => void collectLateWrites().catch(() => undefined),
        Math.max(lateWritePollIntervalMs, pause),
      ).unref();
  };
  return { collectLateWrites, scheduleLateWritePoll };
}

/** Also false when the database is closed, which ends the polling. */
function hasReplacedFiles(replaced: ReplacedFiles): boolean {
  try {
    return !replaced.isEmpty();
  } catch {
    return false;
  }
}

/**
 * Merges a late write, keeping both versions of lines that both sides changed. Content that is not text is replaced by the
 * late write; history has the other version. Returns false when another program saved at the same time and the caller has
 * to try again.
 */
async function mergeLateWrite({ path, before, after }: LateWrite, write: Writer['write']): Promise<boolean> {
  const edit: FileChange = { kind: 'replace', path, before, after, mode: null };
  const metadata = {
    origin: 'look-back',
    summary: `late write to ${formatPath(path)} after it was replaced`,
  };
  let written = await write([edit], { ...metadata, onConflict: 'both' });
  const isNoText =
    written.kind === 'conflict' && written.files.every(({ conflicts }) => conflicts.length === 0);
  if (isNoText) written = await write([edit], { ...metadata, onConflict: 'replace' });
  return written.kind === 'written' || written.kind === 'unchanged';
}

async function notifyListeners(
  listeners: readonly CommitListener[],
  changes: Parameters<CommitListener>[0],
): Promise<string[]> {
  const warnings: string[] = [];
  for (const listener of listeners)
    await listener(changes).catch((error: unknown) => void warnings.push(describeCause(error)));
  return warnings;
}

/** The folders that have to be created for these files. */
function missingFolders(root: VaultRoot, changes: readonly Change[]): FolderChange[] {
  const isMissing = new Map<VaultPath, boolean>([[rootPath, false]]);
  for (const { kind, path } of changes) {
    if (kind !== 'create') continue;
    for (let folder = parentPath(path); !isMissing.has(folder); folder = parentPath(folder))
      isMissing.set(folder, !folderExists(root, folder));
  }
  return [...isMissing].flatMap(([path, missing]) =>
    missing ? [{ kind: 'make-folder' as const, path }] : [],
  );
}

async function writeToJournal(
  journal: TransactionStore,
  entry: NewJournalEntry,
  changes: readonly Change[],
  removal: Removal | undefined,
): Promise<void> {
  try {
    await journal.append(entry, changes, removal);
  } catch (cause) {
    if (cause instanceof KeepsakeError) throw cause;
    if (errorCode(cause)?.startsWith('SQLITE_CONSTRAINT') === true)
      throw new VaultError('made-already', 'another process has already made this change', { cause });
    throw new VaultError(
      'io',
      `the journal cannot be written (${describeCause(cause)}); nothing was changed`,
      {
        hint: 'check whether the disk is full',
        cause,
      },
    );
  }
}

/** Merges the requested changes with the files on disk. */
async function resolveChanges(
  root: VaultRoot,
  requested: readonly RequestedChange[],
  comparer: Comparer,
  rule: ConflictStrategy | undefined,
  lease: Lease,
): Promise<{ changes: Change[]; conflicts: FileConflict[] }> {
  const changes: Change[] = [];
  const conflicts: FileConflict[] = [];
  for (const request of requested) {
    if (!isFileChange(request)) {
      if (request.kind === 'remove-folder' && folderExists(root, request.path)) changes.push(request);
      continue;
    }
    const resolved = await resolveChange(root, request, comparer, rule);
    lease.assertHeld(); // renews the lease, which many long files could outlast
    if ('reason' in resolved) conflicts.push(resolved);
    else if (resolved.change !== null) changes.push(resolved.change);
  }
  const gone = changes.filter((change) => change.kind === 'remove');
  const sources = new Map(
    requested.map((request) => [request.path, 'from' in request ? request.from : undefined]),
  );
  const withModes = changes.map((change) => withModeOfSource(change, gone, sources.get(change.path)));
  return { changes: withModes, conflicts };
}

/** The change is null when the file already has the requested content. */
async function resolveChange(
  root: VaultRoot,
  request: RequestedFileChange,
  comparer: Comparer,
  rule: ConflictStrategy | undefined,
): Promise<{ change: FileChange | null } | FileConflict> {
  const current = readBytes(root, request.path);
  let merged: MergeChangeResult = { ok: true, after: current };
  for (const step of stepsOf(request, current)) {
    merged = await comparer.merge(step, merged.after, rule);
    if (!merged.ok) return merged.conflict;
  }
  if (contentEquals(current, merged.after)) return { change: null };
  const after = merged.after === null ? null : (request.finalize?.(merged.after, current) ?? merged.after);
  if (contentEquals(current, after)) return { change: null };
  // A remaining file keeps its permissions anyway; those of a removed file are needed to restore it.
  const mode = current !== null && after === null ? readMode(root, request.path) : request.mode;
  return { change: createFileChange(request.path, current, after, mode) };
}

/** A moved file keeps the permissions that it had at its old path. */
function withModeOfSource(
  change: Change,
  gone: readonly (FileChange & { kind: 'remove' })[],
  from: VaultPath | undefined,
): Change {
  if (change.kind !== 'create' || change.mode !== null) return change;
  const source =
    gone.find(({ path }) => path === from) ?? gone.find(({ before }) => before.equals(change.after));
  return source === undefined ? change : { ...change, mode: source.mode };
}
