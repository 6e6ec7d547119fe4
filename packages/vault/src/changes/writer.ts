import { randomUUID } from 'node:crypto';
import { AdvisedError, inTurn } from '../contract/index.ts';
import type { Clock, Reason, VaultSize } from '../contract/index.ts';
import { traced } from '../trace/index.ts';
import { parentPath, revisionOf, rootPath, showPath, systemCode, VaultError } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { stepsOf } from './append-step.ts';
import type { WantedFile } from './append-step.ts';
import { createApplier, reasonOf } from './apply-changes.ts';
import { hasFolder, modeOf, readBytes } from './apply.ts';
import { fileChange, growthBy, isEqual, isFileChange } from './change.ts';
import type { Change, FileChange, FolderChange } from './change.ts';
import type { Comparer } from './comparer.ts';
import type { LateEdit, ReplacedFiles } from './look-back.ts';
import type { FileConflict, MergedChange } from './merge-change.ts';
import type { ConflictRule } from './merge.ts';
import { onOneLine } from './on-one-line.ts';
import type { RemovalAccounting, Taken, Taking } from './removal-accounting.ts';
import type { TransactionStates } from './transaction-states.ts';
import type { Begun, TransactionStore } from './transaction-store.ts';
import type { Grant, WriterLock } from './writer-lock.ts';

export type Written =
  /** `warnings` are what listeners failed at; the change itself is made. */
  | { kind: 'written'; id: string; changes: Change[]; warnings: string[] }
  | { kind: 'held'; id: string; reason: Reason }
  | { kind: 'unconfirmed'; reason: Reason }
  | { kind: 'nothing' }
  | { kind: 'conflict'; files: FileConflict[] };

/** What a transaction wants. */
type WantedChange = WantedFile | FolderChange;

/** Where a transaction comes from. Two with the same id cannot both be made: that is how an update is made once. */
export type Why = {
  id?: string | undefined;
  origin: string;
  summary: string;
  /** The transaction that it takes back. */
  undoes?: string | undefined;
  /** Whether only the person's own words have led to it; nobody's unless that is known. */
  isPersons?: boolean;
  /** The held transaction that it makes. */
  approves?: string;
  /** What the call of a tool asks for, if it is one. */
  call?: string | undefined;
  /** What to do where somebody else has changed the same lines since; nothing is written unless it is said. */
  onConflict?: ConflictRule | undefined;
  /** Told after each file, for somebody who watches a long one. */
  onFile?: (done: number, total: number) => void;
  /** Who makes it and what it takes away, when it is not the person who makes it. */
  taking?: Taking | undefined;
};

/** What a connection has done within the last hour. */
type Lately = Taken & { isOwn: (path: VaultPath, bytes: Buffer) => boolean };

export type Writer = {
  /** All changes together, or none. Waits for its turn; the listeners have run when it returns. */
  write(wanted: readonly WantedChange[], why: Why): Promise<Written>;
  /** Puts changes aside, durably, until a person decides; no file is touched. */
  hold(wanted: readonly Change[], why: Why, because?: Reason): Promise<string>;
  lately(connection: string): Lately;
  /** Completes what a crash interrupted. Every start calls it before anything is read. */
  recover(): Promise<void>;
  /** A look at files that were replaced: what somebody still wrote into one of them is brought over. */
  lookBack(): Promise<void>;
};

/** Told of every committed change, awaited before the writer is told. */
export type CommitListener = (changes: readonly { path: VaultPath }[]) => Promise<void>;

/** How often files that were replaced are looked at, in milliseconds, for as long as somebody may write into them. */
const lookEvery = 1_000;
/** A look that takes long, because much is written, is followed by a pause that is as many times longer. */
const pauseAfter = 20;
const longestPause = 30_000;

const hour = 3_600_000;

type Parts = {
  root: VaultRoot;
  lock: WriterLock;
  journal: TransactionStore & TransactionStates & RemovalAccounting;
  replaced: ReplacedFiles;
  clock: Clock;
  listeners: readonly CommitListener[];
  comparer: Comparer;
  /** Left out, a vault may grow as much as its disk takes. */
  admit?: Admit | undefined;
};

/** Throws when a vault may not grow so much. Asked before anything of a change is written. */
export type Admit = (growth: VaultSize) => Promise<void>;

export function createWriter(parts: Parts): Writer {
  const { root, lock, journal, replaced, clock, listeners, comparer, admit = async () => undefined } = parts;
  const applier = createApplier(root, journal, replaced.keep);
  /** What is open must not be closed while it is being brought over. */
  const takeTurn = inTurn();
  let timer: NodeJS.Timeout | undefined;

  /** All changes together, or none, over what a crash interrupted. */
  const make = async (wanted: readonly WantedChange[], why: Why, grant: Grant): Promise<Written> => {
    recoverHeld(grant);
    const { changes, conflicts } = await settle(root, wanted, comparer, why.onConflict, grant);
    if (conflicts.length > 0) return { kind: 'conflict', files: conflicts };
    if (changes.length === 0) return { kind: 'nothing' };
    await admit(growthBy(changes));
    const id = why.id ?? randomUUID();
    grant.check();
    const all = [...changes, ...missingFolders(root, changes)];
    await beginDurably(journal, entryOf(why, id, clock()), all, why.taking);
    const files = new Map(wanted.filter(isFileChange).map((want) => [want.path, want]));
    const met = applier.apply(id, all, grant, { wanted: files, onChange: why.onFile });
    if (met.length > 0) return { kind: 'conflict', files: met };
    return { kind: 'written', id, changes, warnings: await tell(listeners, changes) };
  };

  const settleReplaced = async (): Promise<void> => {
    if (!replaced.hasLateEdits()) return;
    await lock.hold((grant) =>
      replaced.settle((edit) => bringOver(edit, (wanted, why) => make(wanted, why, grant))),
    );
    replaced.hasLateEdits();
  };
  const lookBack = (): Promise<void> =>
    takeTurn(async () => {
      const began = performance.now();
      try {
        await settleReplaced();
      } finally {
        lookBackSoon(Math.min(pauseAfter * (performance.now() - began), longestPause));
      }
    });
  /** Nobody waits for it, and a process that ends sooner has looked back by itself. */
  const lookBackSoon = (pause = 0): void => {
    clearTimeout(timer);
    if (mayHaveMore(replaced))
      timer = setTimeout(() => void lookBack().catch(() => undefined), Math.max(lookEvery, pause)).unref();
  };
  const recoverHeld = (grant: Grant): void => {
    const unfinished = journal.unfinished();
    for (const { id } of unfinished) {
      applier.complete(id, journal.changesOf(id) ?? [], grant);
      // Who is ended among several must not find the first unmarked, and its file as the last has left it.
      if (unfinished.length > 1) journal.flush('durably');
    }
  };
  /** A power loss can bring back a file that the last change had removed from beside its own: nobody waits for that to be synced. */
  const clearLatest = async (): Promise<void> => {
    const latest = journal.latest();
    if (latest === undefined || !applier.isLeft(latest.id, journal.pathsOf(latest.id))) return;
    await lock.hold(async (grant) => applier.clear(latest.id, journal.changesOf(latest.id) ?? [], grant));
  };

  return {
    async hold(wanted, why, heldBecause) {
      const id = why.id ?? randomUUID();
      await journal.begin({ ...entryOf(why, id, clock()), state: 'held', heldBecause }, wanted);
      return id;
    },
    lately(connection) {
      // What a clock that was ahead has dated far into the future is no matter of this hour.
      const span = { from: clock() - hour, to: clock() + hour };
      const isOwn: Lately['isOwn'] = (path, bytes) =>
        journal.isOwn(connection, span, path, revisionOf(bytes));
      return { ...journal.takenBy(connection, span), isOwn };
    },
    lookBack,
    recover: async () => {
      // What fails at it must not keep anybody from opening the vault: the next start tries again.
      await clearLatest().catch(() => undefined);
      if (journal.unfinished().length > 0) await lock.hold(async (grant) => recoverHeld(grant));
      // The same here: it is tried again every moment.
      if (!replaced.isEmpty()) await lookBack().catch(() => undefined);
    },
    write: async (wanted, why) => {
      try {
        return await traced({ work: 'commit', count: wanted.length }, () =>
          lock.hold((grant) => make(wanted, why, grant)),
        );
      } finally {
        lookBackSoon();
      }
    },
  };
}

/** False also when the database is closed: then nobody looks any more. */
function mayHaveMore(replaced: ReplacedFiles): boolean {
  try {
    return !replaced.isEmpty();
  } catch {
    return false;
  }
}

/**
 * Where both changed the same lines, both stand. What is no text is as it was written last, and history has the other. False
 * when somebody saved in this very moment: it is to be tried again.
 */
async function bringOver({ path, before, after }: LateEdit, write: Writer['write']): Promise<boolean> {
  const edit: FileChange = { kind: 'replace', path, before, after, mode: null };
  const why = {
    origin: 'look-back',
    summary: `what was written into ${showPath(path)} when it was replaced`,
  };
  let written = await write([edit], { ...why, onConflict: 'both' });
  const isNoText =
    written.kind === 'conflict' && written.files.every(({ conflicts }) => conflicts.length === 0);
  if (isNoText) written = await write([edit], { ...why, onConflict: 'replace' });
  return written.kind === 'written' || written.kind === 'nothing';
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

function entryOf(why: Why, id: string, at: number): Begun {
  const { origin, summary, undoes, approves, call, isPersons = false } = why;
  const said = { origin: onOneLine(origin), summary: onOneLine(summary) };
  return { id, at, ...said, undoes, approves, call, isPersons, state: 'applying' };
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

async function beginDurably(
  journal: TransactionStore,
  entry: Begun,
  changes: readonly Change[],
  taking: Taking | undefined,
): Promise<void> {
  try {
    await journal.begin(entry, changes, taking);
  } catch (cause) {
    if (cause instanceof AdvisedError) throw cause;
    if (systemCode(cause)?.startsWith('SQLITE_CONSTRAINT') === true)
      throw new VaultError('made-already', 'another process made this change already', { cause });
    throw new VaultError('io', `the journal cannot be written (${reasonOf(cause)}); nothing was changed`, {
      mend: 'is the disk full?',
      cause,
    });
  }
}

/** What is to be written once it is merged with what the files are now. */
async function settle(
  root: VaultRoot,
  wanted: readonly WantedChange[],
  comparer: Comparer,
  rule: ConflictRule | undefined,
  grant: Grant,
): Promise<{ changes: Change[]; conflicts: FileConflict[] }> {
  const changes: Change[] = [];
  const conflicts: FileConflict[] = [];
  for (const want of wanted) {
    if (!isFileChange(want)) {
      if (want.kind === 'remove-folder' && hasFolder(root, want.path)) changes.push(want);
      continue;
    }
    const settled = await settleFile(root, want, comparer, rule);
    grant.check(); // also the sign that this process is alive, which many long files outlast
    if ('reason' in settled) conflicts.push(settled);
    else if (settled.change !== null) changes.push(settled.change);
  }
  const gone = changes.filter((change) => change.kind === 'remove');
  const sources = new Map(wanted.map((want) => [want.path, 'from' in want ? want.from : undefined]));
  const withModes = changes.map((change) => withModeOfSource(change, gone, sources.get(change.path)));
  return { changes: withModes, conflicts };
}

/** Null when the file is as wanted already. */
async function settleFile(
  root: VaultRoot,
  want: WantedFile,
  comparer: Comparer,
  rule: ConflictRule | undefined,
): Promise<{ change: FileChange | null } | FileConflict> {
  const present = readBytes(root, want.path);
  let merged: MergedChange = { ok: true, after: present };
  for (const step of stepsOf(want, present)) {
    merged = await comparer.merge(step, merged.after, rule);
    if (!merged.ok) return merged.conflict;
  }
  if (isEqual(present, merged.after)) return { change: null };
  const after = merged.after === null ? null : (want.finish?.(merged.after, present) ?? merged.after);
  if (isEqual(present, after)) return { change: null };
  // A file that stays keeps its permissions anyway; those of one that goes are needed when it comes back.
  const mode = present !== null && after === null ? modeOf(root, want.path) : want.mode;
  return { change: fileChange(want.path, present, after, mode) };
}

/** A file that was moved is as private as it was where it comes from. */
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
