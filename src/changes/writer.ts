import { randomUUID } from 'node:crypto';
import { closeSync } from 'node:fs';
import type { Clock } from '../contract/index.ts';
import {
  decodeText,
  findStatus,
  isChangelog,
  kindOf,
  nameOf,
  parentPath,
  replaceStatus,
  rootPath,
  systemCode,
  VaultError,
  withStampsOf,
} from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import {
  applyChange,
  clearUp,
  hasFolder,
  isEqual,
  modeOf,
  readAll,
  readBytes,
  removeFolder,
} from './apply.ts';
import type { FileChange, Journal, JournalEntry } from './journal.ts';
import { mergeLines } from './merge.ts';
import type { Conflict } from './merge.ts';
import type { Grant, WriterLock } from './writer-lock.ts';

/** A file that cannot become what was wanted, because of what it is now. */
type FileConflict = { path: VaultPath; reason: string; conflicts: Conflict[] };

export type Written =
  /** `warnings` are what listeners failed at; the change itself is made. */
  | { kind: 'written'; id: string; changes: FileChange[]; warnings: string[] }
  | { kind: 'held'; id: string; reason: string }
  | { kind: 'unconfirmed'; reason: string }
  | { kind: 'nothing' }
  | { kind: 'conflict'; files: FileConflict[] };

/** What a transaction wants of one file; `finish` has the last word on its bytes, once they are merged. */
type WantedChange = FileChange & { finish: (after: Buffer) => Buffer };

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
  hold(wanted: readonly FileChange[], why: Why): string;
  /** Completes what a crash interrupted. Every start calls it before anything is read. */
  recover(): Promise<void>;
  /** A last look at files replaced lately: what an editor still wrote into one of them is brought over. */
  lookBack(): Promise<void>;
};

/** Told of every committed change, awaited before the writer is told. */
export type CommitListener = (changes: readonly FileChange[]) => Promise<void>;

/** A file that was replaced, still open, with what was in it. */
type Replaced = { path: VaultPath; fd: number; content: Buffer };

const mostReplaced = 100;
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
  const replaced: Replaced[] = [];
  let timer: NodeJS.Timeout | undefined;
  const keep = (path: VaultPath) => (fd: number, content: Buffer) => {
    if (replaced.length === mostReplaced) closeSync(fd);
    else replaced.push({ path, fd, content });
  };
  const bringOver = (grant: Grant): FileChange[] =>
    replaced.splice(0).flatMap(({ path, fd, content }) => {
      const late = readAll(fd);
      closeSync(fd);
      if (isEqual(late, content)) return [];
      const change = { path, before: content, after: late };
      const temporary = temporaryName(randomUUID(), 0);
      // Where both changed the same lines, the person's stand: ours are in history.
      if (applyMerging(root, change, temporary, grant) !== null)
        applyMerging(root, { ...change, before: readBytes(root, path) }, temporary, grant);
      return [change];
    });

  const lookBack = async (): Promise<void> => {
    if (replaced.every(({ fd, content }) => isEqual(readAll(fd), content)))
      for (const { fd } of replaced.splice(0)) closeSync(fd);
    else await lock.hold(async (grant) => void (await tell(listeners, bringOver(grant))));
  };
  /** Nobody waits for it, and a process that ends sooner has looked back by itself. */
  const lookBackSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void lookBack().catch(() => undefined), editorsPatience).unref();
  };

  /** Undoes as much of a transaction as was done, as far as files are still as we left them. */
  const takeBack = (id: string, done: readonly FileChange[], grant: Grant): void => {
    for (const [position, change] of done.entries()) {
      const temporary = temporaryName(id, position);
      clearUp(root, change, temporary);
      applyMerging(root, { ...change, before: change.after, after: change.before }, temporary, grant);
    }
    for (const folder of journal.foldersOf(id).toSorted((a, b) => b.length - a.length))
      removeFolder(root, folder);
    journal.mark(id, 'reverted');
  };

  /** All or nothing: a conflict, or a disk that fails in the middle, takes back what was done so far. */
  const apply = (
    id: string,
    changes: readonly FileChange[],
    grant: Grant,
    onFile: Why['onFile'] = () => undefined,
  ): FileConflict[] => {
    for (const [position, change] of changes.entries()) {
      try {
        const conflict = applyMerging(root, change, temporaryName(id, position), grant, keep(change.path));
        if (conflict !== null) {
          takeBack(id, changes.slice(0, position), grant);
          return [conflict];
        }
        onFile(position + 1, changes.length);
      } catch (cause) {
        if (cause instanceof VaultError && cause.code === 'lost-lock') throw cause;
        throw failedApply(cause, change, () => takeBack(id, changes.slice(0, position + 1), grant));
      }
    }
    // Without the mark, if it is lost, the next start finds out for itself that the files are as wanted.
    journal.markLater(id, 'applied');
    return [];
  };

  const recoverHeld = (grant: Grant): void => {
    for (const { id } of journal.unfinished()) {
      const changes = journal.changesOf(id) ?? [];
      for (const [position, change] of changes.entries()) clearUp(root, change, temporaryName(id, position));
      // With no file left as it was, there is nothing to complete: it was applied and only the mark was lost, or other
      // hands have been over all of it since.
      const files = changes.filter((change) => !isFolderRemoval(change));
      if (files.some(({ path, before }) => isEqual(readBytes(root, path), before))) apply(id, changes, grant);
      else journal.mark(id, files.some((change) => isContained(root, change)) ? 'applied' : 'reverted');
    }
  };

  return {
    hold(wanted, why) {
      const id = why.id ?? randomUUID();
      const changes = wanted.map(({ path, before, after, mode }) => ({
        path,
        before,
        after,
        mode: mode ?? null,
      }));
      journal.begin({ ...entryOf(why, id, clock()), state: 'held' }, changes);
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
        beginDurably(journal, entryOf(why, id, clock()), changes, missingFolders(root, changes));
        const met = apply(id, changes, grant, why.onFile);
        if (met.length > 0) return { kind: 'conflict', files: met };
        lookBackSoon();
        return { kind: 'written', id, changes, warnings: await tell(listeners, changes) };
      }),
  };
}

async function tell(listeners: readonly CommitListener[], changes: readonly FileChange[]): Promise<string[]> {
  const warnings: string[] = [];
  for (const listener of listeners)
    await listener(changes).catch((error: unknown) => void warnings.push(reasonOf(error)));
  return warnings;
}

function entryOf({ origin, summary, undoes }: Why, id: string, at: number): JournalEntry {
  return { id, at, origin, summary, undoes: undoes ?? null, state: 'applying' };
}

/** The folders that have to be made for these files. */
function missingFolders(root: VaultRoot, changes: readonly FileChange[]): VaultPath[] {
  const isMissing = new Map<VaultPath, boolean>([[rootPath, false]]);
  for (const { path, before, after } of changes) {
    if (before !== null || after === null) continue;
    for (let folder = parentPath(path); !isMissing.has(folder); folder = parentPath(folder))
      isMissing.set(folder, !hasFolder(root, folder));
  }
  return [...isMissing].flatMap(([folder, missing]) => (missing ? [folder] : []));
}

function beginDurably(
  journal: Journal,
  entry: JournalEntry,
  changes: readonly FileChange[],
  folders: readonly VaultPath[],
): void {
  try {
    journal.begin(entry, changes, folders);
  } catch (cause) {
    if (systemCode(cause)?.startsWith('SQLITE_CONSTRAINT') === true)
      throw new VaultError('made-already', 'another process made this change already', { cause });
    throw new VaultError(
      'io',
      `the journal cannot be written (${reasonOf(cause)}); nothing was changed. Is the disk full?`,
      { cause },
    );
  }
}

/** The error to throw when applying failed: after everything was taken back, or when not even that worked. */
function failedApply(cause: unknown, { path }: FileChange, takeBack: () => void): VaultError {
  const problem = `${path} cannot be written (${reasonOf(cause)})`;
  try {
    takeBack();
    return new VaultError('io', `${problem}; nothing was changed`, { cause });
  } catch {
    return new VaultError(
      'unfinished',
      `${problem}; the change is completed as soon as Keepsake can write again`,
      { cause },
    );
  }
}

function reasonOf(error: unknown): string {
  return systemCode(error) ?? (error instanceof Error ? error.message : String(error));
}

/** What is to be written once it is merged with what the files are now. */
function settle(
  root: VaultRoot,
  wanted: readonly WantedChange[],
): { changes: FileChange[]; conflicts: FileConflict[] } {
  const changes: FileChange[] = [];
  const conflicts: FileConflict[] = [];
  for (const want of wanted) {
    const present = isFolderRemoval(want) ? null : readBytes(root, want.path);
    const merged = mergeBytes(want, present);
    if (!merged.ok) conflicts.push(merged.conflict);
    else {
      const after = merged.after === null ? null : want.finish(merged.after);
      // A file that stays keeps its permissions anyway; those of one that goes are needed when it comes back.
      const mode = present !== null && after === null ? modeOf(root, want.path) : (want.mode ?? null);
      if (isFolderRemoval(want) ? hasFolder(root, want.path) : !isEqual(present, after))
        changes.push({ path: want.path, before: present, after, mode });
    }
  }
  const gone = changes.filter(({ before, after }) => before !== null && after === null);
  return { changes: changes.map((change) => withModeOfSource(change, gone)), conflicts };
}

/** A file that was moved is as private as it was where it comes from. */
function withModeOfSource(change: FileChange, gone: readonly FileChange[]): FileChange {
  if (change.before !== null || change.after === null || change.mode != null) return change;
  const source = gone.find(({ before }) => isEqual(before, change.after));
  return source === undefined ? change : { ...change, mode: source.mode ?? null };
}

/** Applies a change, over what somebody else just wrote when the two can be merged. */
function applyMerging(
  root: VaultRoot,
  change: FileChange,
  temporary: string,
  grant: Grant,
  keep?: (fd: number, content: Buffer) => void,
): FileConflict | null {
  if (isFolderRemoval(change)) {
    removeFolder(root, change.path);
    return null;
  }
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const applied = applyChange(root, change, temporary, () => grant.check(), keep);
    if (applied.kind === 'done') return null;
    const merged = mergeBytes(change, applied.present);
    const isOvertaken = applied.kind === 'overtaken';
    // Our content is on disk by now, so that is what the next attempt starts from.
    const before = isOvertaken ? change.after : applied.present;
    if (!merged.ok) {
      if (isOvertaken)
        applyChange(root, { ...change, before, after: applied.present }, temporary, () => grant.check());
      return merged.conflict;
    }
    change = { ...change, before, after: merged.after };
  }
  return {
    path: change.path,
    reason: 'it is being written all the time; try again when that has stopped',
    conflicts: [],
  };
}

/** Whether a file has the change in it, whatever else was changed since. */
function isContained(root: VaultRoot, change: FileChange): boolean {
  const present = readBytes(root, change.path);
  const merged = mergeBytes(change, present);
  return merged.ok && isEqual(merged.after, present);
}

type MergedBytes = { ok: true; after: Buffer | null } | { ok: false; conflict: FileConflict };

function mergeBytes({ path, before, after }: FileChange, present: Buffer | null): MergedBytes {
  if (isEqual(present, before) || isEqual(present, after)) return { ok: true, after };
  const refuse = (reason: string, conflicts: Conflict[] = []): MergedBytes => ({
    ok: false,
    conflict: { path, reason, conflicts },
  });
  if (present === null) return refuse('it was deleted meanwhile');
  if (before === null) return refuse('a file with this name exists already');
  if (after === null) return refuse('it was changed meanwhile and is not deleted');
  const texts = [before, after, present].map(decodeText);
  if (!texts.every((text) => text.kind === 'text'))
    return refuse('it was changed meanwhile and is not text that could be merged');
  const [base = '', wanted = '', now = ''] = texts.map(({ text }) => text);
  // Stamps and the status differ on every side and are set anew, so they must not be what the merge fails on.
  const status = findStatus(now) ?? findStatus(base);
  const alike = (text: string): string =>
    kindOf(nameOf(path)) === 'markdown'
      ? withStampsOf(now, status === null ? text : replaceStatus(text, status))
      : text;
  const merged = mergeLines(alike(base), alike(wanted), now, isChangelog(path));
  return merged.ok
    ? { ok: true, after: Buffer.from(merged.text) }
    : refuse('the same lines were changed meanwhile', merged.conflicts);
}

/** A change without content on either side stands for a folder that goes once it is empty. */
function isFolderRemoval({ before, after }: FileChange): boolean {
  return before === null && after === null;
}

/** Hidden, so that no reader takes it for a note; named by its place in the journal, so that it can be found again. */
function temporaryName(id: string, position: number): string {
  return `.keepsake-${id}-${position}.tmp`;
}
