/*
 * Whether upkeep stamps a text that another program changed:
 *
 * 1. The content equals the last saved state: no. A touch, a chmod or a sync service that rewrites the same bytes
 *    changes nothing.
 * 2. `tokens` is correct and `updated` differs from the last saved state: no. The writer sets stamps itself; it is
 *    another machine or another Keepsake process.
 * 3. The path is new, but the content is known from another file: no. The file was moved or copied.
 * 4. The file arrived here later than it was written: no. The machine where it was written stamps it, and two machines
 *    that both stamp would react to each other.
 * 5. The content is what Keepsake's newest change of the file wrote: no. A note whose links follow a move keeps its
 *    times.
 * 6. Otherwise yes, once the file has been unchanged for the quiet period and no program has it open for writing:
 *    stamping replaces the file, and a program that keeps writing would write to the old one. Where open writers cannot
 *    be detected, the quiet period is longer. `updated` is set to the mtime, so that two machines that see the same
 *    change write the same bytes. `changes/stamps.ts` decides which notes get stamps at all, and with which `created`.
 *
 * The last saved state is upkeep's own. Initially it is the state of all files, so that a first start stamps nothing; a
 * file that differs at a restart was changed in the meantime. Every decision, including "no", is saved with the content
 * it was made for, and so are our own writes: they never cause another write.
 */
import { inspectStampableFile, stampFiles } from '../changes/index.ts';
import type { StampableFile, Stamper, Writer } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { createYielder } from '../vault/index.ts';
import type { FileEntry, VaultPath, VaultRoot } from '../vault/index.ts';
import type { FileStateStore, FileState } from './file-state-store.ts';

/** `isOpenForWriting`: another program has the file open for writing, for an unknown time. */
type PendingStamp = {
  size: number;
  mtime: number;
  since: number;
  isWriterUndetectable?: boolean;
  isOpenForWriting?: boolean;
};

/** Whether a file has exactly the content that Keepsake's newest change of it wrote. */
export type IsLastOwnWrite = (path: VaultPath, bytes: Buffer) => Promise<boolean>;

type Parts = {
  root: VaultRoot;
  memory: FileStateStore;
  writer: Pick<Writer, 'write'>;
  stamps: Stamper;
  isLastOwnWrite: IsLastOwnWrite;
  clock: Clock;
  /** Monotonic, unlike `clock`. */
  monotonicNow: Clock;
  stampQuietMs: number;
  /** The quiet period where open writers cannot be detected. */
  undetectableStampQuietMs: number;
  /** Delay before a file that could not be written is tried again, in milliseconds. */
  stampRetryDelayMs: number;
};

/** Externally edited files that wait for their quiet period before they are stamped. */
export type PendingStamps = {
  /** Returns false if the file is already queued and has not changed since. */
  add(path: VaultPath, entry: FileEntry): boolean;
  has(path: VaultPath): boolean;
  paths(): VaultPath[];
  forget(path: VaultPath): void;
  /** Forgets all files; the next comparison finds them again. */
  clear(): void;
  /** Whether files will be stamped soon; files that a program has open do not count. */
  hasPending(): boolean;
  /** When the quiet period of the next file ends. */
  dueAt(): number;
  /**
   * Stamps a limited number of the files whose quiet period has ended and returns the files that were written. Returns
   * early when stopped.
   */
  run(isStopped: () => boolean): Promise<VaultPath[]>;
};

/** Files written in one transaction. */
const batchSize = 50;
/** Files processed before other work gets a turn. */
const maxFilesPerRun = 200;

export function createPendingStamps(parts: Parts): PendingStamps {
  const {
    root,
    memory,
    isLastOwnWrite,
    monotonicNow,
    stampQuietMs,
    undetectableStampQuietMs,
    stampRetryDelayMs,
  } = parts;
  const waiting = new Map<VaultPath, PendingStamp>();
  const dueAt = ({ since, isWriterUndetectable }: PendingStamp): number =>
    since + (isWriterUndetectable === true ? undetectableStampQuietMs : stampQuietMs);

  /** Null if there is nothing to stamp, or not yet. */
  const checkFile = async (path: VaultPath, was: PendingStamp): Promise<StampableFile | null> => {
    const pause = createYielder();
    const file = await inspectStampableFile(root, path);
    await pause();
    if (file?.isBeingWritten === true) {
      waiting.set(path, {
        size: file.size,
        mtime: file.mtime,
        since: monotonicNow(),
        isOpenForWriting: true,
      });
      return null;
    }
    if (file !== null && (file.size !== was.size || file.mtime !== was.mtime)) {
      waiting.set(path, { size: file.size, mtime: file.mtime, since: monotonicNow() });
      return null;
    }
    if (file?.isBeingWritten === null && was.since + undetectableStampQuietMs > monotonicNow()) {
      waiting.set(path, { ...was, isWriterUndetectable: true });
      return null;
    }
    waiting.delete(path);
    if (file !== null && needsStamps(file, memory.files().get(path), memory.hasRevision(file.revision)))
      if (!(await isLastOwnWrite(path, file.bytes))) {
        await pause();
        return file;
      }
    // The next scan reports files that were deleted or are no longer text.
    if (file !== null) saveState(memory, file, file);
    return null;
  };

  const stampBatch = async (batch: readonly [VaultPath, PendingStamp][]): Promise<VaultPath[]> => {
    const files = new Map<VaultPath, StampableFile & { isNew: boolean }>();
    for (const [path, was] of batch) {
      const file = await checkFile(path, was);
      if (file !== null) files.set(path, { ...file, isNew: !memory.files().has(path) });
    }
    if (files.size === 0) return [];
    const { files: stamped, busy } = await stampFiles([...files.values()], parts);
    for (const now of stamped) saveState(memory, files.get(now.path), now);
    for (const [path, was] of batch) if (busy.includes(path)) postpone(path, was, 0);
    return stamped.flatMap(({ path, isWritten }) => (isWritten ? [path] : []));
  };
  const postpone = (path: VaultPath, { size, mtime }: PendingStamp, longer: number): void =>
    void waiting.set(path, { size, mtime, since: monotonicNow() + longer });

  return {
    add(path, { size, mtime }) {
      const known = waiting.get(path);
      if (known?.size === size && known.mtime === mtime) return false;
      waiting.set(path, {
        size,
        mtime,
        since: monotonicNow(),
        isOpenForWriting: known?.isOpenForWriting === true,
      });
      return true;
    },
    has: (path) => waiting.has(path),
    paths: () => [...waiting.keys()],
    forget: (path) => void waiting.delete(path),
    clear: () => waiting.clear(),
    hasPending: () =>
      [...waiting.values()].some(
        ({ since, isOpenForWriting }) => isOpenForWriting !== true && since <= monotonicNow(),
      ),
    dueAt: () => waiting.values().reduce((first, each) => Math.min(first, dueAt(each)), Infinity),
    async run(isStopped) {
      const due = [...waiting].filter(([, each]) => dueAt(each) <= monotonicNow()).slice(0, maxFilesPerRun);
      const written: VaultPath[] = [];
      for (let from = 0; from < due.length && !isStopped(); from += batchSize) {
        const batch = due.slice(from, from + batchSize);
        try {
          written.push(...(await stampBatch(batch)));
        } catch (error) {
          for (const [path, was] of batch) postpone(path, was, stampRetryDelayMs);
          throw error;
        }
      }
      return written;
    },
  };
}

/** Applies the rules at the top of this file to a text whose quiet period has ended. */
export function needsStamps(
  file: Pick<StampableFile, 'revision' | 'updated' | 'hasCorrectTokens' | 'wasSynced'>,
  seen: Pick<FileState, 'revision' | 'updated'> | undefined,
  isKnownElsewhere: boolean,
): boolean {
  if (seen?.revision === file.revision || file.wasSynced) return false;
  if (file.hasCorrectTokens && file.updated !== null && file.updated !== seen?.updated) return false;
  return !(seen === undefined && isKnownElsewhere);
}

/** Leaves `ctime` empty: the next comparison finds the same content and fills it in. */
function saveState(
  memory: FileStateStore,
  file: StampableFile | undefined,
  { revision, updated, isWritten = false }: Pick<FileState, 'revision' | 'updated'> & { isWritten?: boolean },
): void {
  if (file === undefined) return;
  const { path, size, mtime } = file;
  // The journal records our own writes in history, together with the previous content.
  memory.put(path, { revision, updated, size, mtime, ctime: null, isRecorded: isWritten, isGone: false });
}
