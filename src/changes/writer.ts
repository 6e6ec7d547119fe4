import { randomUUID } from 'node:crypto';
import type { Clock } from '../contract/index.ts';
import { parentPath, rootPath, systemCode, VaultError } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { applyMerging, createApplier, reasonOf, temporaryName } from './apply-changes.ts';
import { hasFolder, modeOf, readBytes } from './apply.ts';
import { fileChange, isEqual, isFileChange } from './change.ts';
import type { Change, FileChange, FolderChange } from './change.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { createReplacedFiles } from './look-back.ts';
import type { LateEdit } from './look-back.ts';
import { mergeChange } from './merge-change.ts';
import type { FileConflict } from './merge-change.ts';
import type { Grant, WriterLock } from './writer-lock.ts';

export type Written =
  /** `warnings` are what listeners failed at; the change itself is made. */
  | { kind: 'written'; id: string; changes: Change[]; warnings: string[] }
  | { kind: 'held'; id: string; reason: string }
  | { kind: 'unconfirmed'; reason: string }
  | { kind: 'nothing' }
  | { kind: 'conflict'; files: FileConflict[] };

/** What a transaction wants; `finish` has the last word on the bytes of a file, once they are merged. */
type WantedChange = (FileChange & { finish?: (after: Buffer) => Buffer }) | FolderChange;

/** Where a transaction comes from. Two with the same id cannot both be made: that is how an update is made once. */
export type Why = {
  id?: string | undefined;
  origin: string;
  summary: string;
  /** The transaction that it takes back. */
  undoes?: string;
  /** Told after each file, for somebody who watches a long one. */
  onFile?: (done: number, total: number) => void;
};

export type Writer = {
  /** All changes together, or none. Waits for its turn; the listeners have run when it returns. */
  write(wanted: readonly WantedChange[], why: Why): Promise<Written>;
  /** Puts changes aside, durably, until a person decides; no file is touched. */
  hold(wanted: readonly Change[], why: Why): string;
  /** Completes what a crash interrupted. Every start calls it before anything is read. */
  recover(): Promise<void>;
  /** A last look at files replaced lately: what an editor still wrote into one of them is brought over. */
  lookBack(): Promise<void>;
};

/** Told of every committed change, awaited before the writer is told. */
export type CommitListener = (changes: readonly { path: VaultPath }[]) => Promise<void>;

/** An editor that opened a file has written it by then. */
const editorsPatience = 1_000;

type Parts = {
  root: VaultRoot;
  lock: WriterLock;
  journal: Journal;
  clock: Clock;
  listeners: readonly CommitListener[];
};

export function createWriter({ root, lock, journal, clock, listeners }: Parts): Writer {
  const replaced = createReplacedFiles();
  const applier = createApplier(root, journal);
  let timer: NodeJS.Timeout | undefined;

  const lookBack = async (): Promise<void> => {
    if (!replaced.hasLateEdits()) return;
    await lock.hold(async (grant) => {
      const edits = replaced.takeLateEdits();
      for (const edit of edits) bringOver(root, edit, grant);
      await tell(listeners, edits);
    });
  };
  /** Nobody waits for it, and a process that ends sooner has looked back by itself. */
  const lookBackSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void lookBack().catch(() => undefined), editorsPatience).unref();
  };
  const recoverHeld = (grant: Grant): void => {
    for (const { id } of journal.unfinished())
      applier.complete(id, journal.changesOf(id) ?? [], grant, { keep: replaced.keep });
  };

  return {
    hold(wanted, why) {
      const id = why.id ?? randomUUID();
      journal.begin({ ...entryOf(why, id, clock()), state: 'held' }, wanted);
      return id;
    },
    lookBack,
    recover: async () => {
      if (journal.unfinished().length > 0) await lock.hold(async (grant) => recoverHeld(grant));
    },
    write: (wanted, why) =>
      lock.hold(async (grant) => {
        recoverHeld(grant);
        const { changes, conflicts } = settle(root, wanted);
        if (conflicts.length > 0) return { kind: 'conflict', files: conflicts };
        if (changes.length === 0) return { kind: 'nothing' };
        const id = why.id ?? randomUUID();
        grant.check();
        const all = [...changes, ...missingFolders(root, changes)];
        beginDurably(journal, entryOf(why, id, clock()), all);
        const met = applier.apply(id, all, grant, { keep: replaced.keep, onChange: why.onFile });
        if (met.length > 0) return { kind: 'conflict', files: met };
        lookBackSoon();
        return { kind: 'written', id, changes, warnings: await tell(listeners, changes) };
      }),
  };
}

/** Where both changed the same lines, the person's stand: ours are in history. */
function bringOver(root: VaultRoot, { path, before, after }: LateEdit, grant: Grant): void {
  const temporary = temporaryName(randomUUID(), 0);
  const edit: FileChange = { kind: 'replace', path, before, after, mode: null };
  if (applyMerging(root, edit, temporary, grant) === null) return;
  const over = fileChange(path, readBytes(root, path), after);
  if (over !== null) applyMerging(root, over, temporary, grant);
}

async function tell(
  listeners: readonly CommitListener[],
  changes: Parameters<CommitListener>[0],
): Promise<string[]> {
  const warnings: string[] = [];
  for (const listener of listeners)
    await listener(changes).catch((error: unknown) => void warnings.push(reasonOf(error)));
  return warnings;
}

function entryOf({ origin, summary, undoes }: Why, id: string, at: number): JournalEntry {
  return { id, at, origin, summary, undoes: undoes ?? null, state: 'applying' };
}

/** The folders that have to be made for these files. */
function missingFolders(root: VaultRoot, changes: readonly Change[]): FolderChange[] {
  const isMissing = new Map<VaultPath, boolean>([[rootPath, false]]);
  for (const { kind, path } of changes) {
    if (kind !== 'create') continue;
    for (let folder = parentPath(path); !isMissing.has(folder); folder = parentPath(folder))
      isMissing.set(folder, !hasFolder(root, folder));
  }
  return [...isMissing].flatMap(([path, missing]) =>
    missing ? [{ kind: 'make-folder' as const, path }] : [],
  );
}

function beginDurably(journal: Journal, entry: JournalEntry, changes: readonly Change[]): void {
  try {
    journal.begin(entry, changes);
  } catch (cause) {
    if (systemCode(cause)?.startsWith('SQLITE_CONSTRAINT') === true)
      throw new VaultError('made-already', 'another process made this change already', { cause });
    throw new VaultError('io', `the journal cannot be written (${reasonOf(cause)}); nothing was changed`, {
      mend: 'is the disk full?',
      cause,
    });
  }
}

/** What is to be written once it is merged with what the files are now. */
function settle(
  root: VaultRoot,
  wanted: readonly WantedChange[],
): { changes: Change[]; conflicts: FileConflict[] } {
  const changes: Change[] = [];
  const conflicts: FileConflict[] = [];
  for (const want of wanted) {
    if (!isFileChange(want)) {
      if (want.kind === 'remove-folder' && hasFolder(root, want.path)) changes.push(want);
      continue;
    }
    const settled = settleFile(root, want);
    if ('reason' in settled) conflicts.push(settled);
    else if (settled.change !== null) changes.push(settled.change);
  }
  const gone = changes.filter((change) => change.kind === 'remove');
  return { changes: changes.map((change) => withModeOfSource(change, gone)), conflicts };
}

/** Null when the file is as wanted already. */
function settleFile(
  root: VaultRoot,
  want: FileChange & { finish?: (after: Buffer) => Buffer },
): { change: FileChange | null } | FileConflict {
  const present = readBytes(root, want.path);
  const merged = mergeChange(want, present);
  if (!merged.ok) return merged.conflict;
  const after = merged.after === null ? null : (want.finish?.(merged.after) ?? merged.after);
  if (isEqual(present, after)) return { change: null };
  // A file that stays keeps its permissions anyway; those of one that goes are needed when it comes back.
  const mode = present !== null && after === null ? modeOf(root, want.path) : want.mode;
  return { change: fileChange(want.path, present, after, mode) };
}

/** A file that was moved is as private as it was where it comes from. */
function withModeOfSource(change: Change, gone: readonly (FileChange & { kind: 'remove' })[]): Change {
  if (change.kind !== 'create' || change.mode !== null) return change;
  const source = gone.find(({ before }) => before.equals(change.after));
  return source === undefined ? change : { ...change, mode: source.mode };
}
