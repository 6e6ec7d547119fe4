/*
 * When upkeep sets the stamps of a text that was changed outside:
 *
 * 1. Its content is what was last seen: no. Touching, chmod or a sync service that rewrites the same bytes change nothing.
 * 2. Its `tokens` are right and its `updated` differs from what was last seen: no. Whoever wrote it stamps by himself:
 *    another machine, or another process of ours.
 * 3. It was never seen, but its content was, elsewhere: no. It was moved or copied.
 * 4. It was put here later than it was written: no. Where it was written its stamps are set, and two that set them would answer
 *    each other.
 * 5. It is what our newest change of it left: no. A note whose links follow a move has the times that it had.
 * 6. Otherwise yes, once it has been the same for the quiet period and nobody has it open for writing: to set stamps
 *    replaces the file, and a program that goes on writing would write into the old one. Where that cannot be told, the
 *    quiet period is longer. `updated` is its mtime, so that two machines that see the same change write the same
 *    bytes. Which notes get stamps at all, and with which `created`, is said in `changes/stamps.ts`.
 *
 * "Last seen" is upkeep's own memory. It starts with everything as it is, so that a first start stamps nothing; what a
 * restart finds changed is what was changed meanwhile. Each answer, also "no", is remembered with the content it was
 * given for, and so is what we wrote: nothing of our own makes us write again.
 */
import { lookAtStamps, stampFiles } from '../changes/index.ts';
import type { StampableFile, Stamps, Writer } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { FileEntry, VaultPath, VaultRoot } from '../vault/index.ts';
import type { Memory, Seen } from './memory.ts';

/** `isOpen` when a program was seen to have it open for writing: nobody knows until when. */
type Waiting = { size: number; mtime: number; since: number; isUnseen?: boolean; isOpen?: boolean };

/** Whether a file is what our newest change of it left. */
export type IsAsLeft = (path: VaultPath, bytes: Buffer) => Promise<boolean>;

type Parts = {
  root: VaultRoot;
  memory: Memory;
  writer: Pick<Writer, 'write'>;
  stamps: Stamps;
  isAsLeft: IsAsLeft;
  clock: Clock;
  /** Never set back, unlike the clock. */
  elapsed: Clock;
  quiet: number;
  /** The same where nobody can tell whether a file is open for writing. */
  quietUnseen: number;
  /** How long a file that could not be written is left in peace. */
  retry: number;
};

/** Files that were changed outside and wait to be quiet. */
export type StampEdits = {
  /** Whether it is another one than was noticed last. */
  notice(path: VaultPath, entry: FileEntry): boolean;
  has(path: VaultPath): boolean;
  paths(): VaultPath[];
  forget(path: VaultPath): void;
  /** Forgets all of them; the next comparison finds them again. */
  clear(): void;
  /** Whether stamps are to be set soon; not while a program has the note open. */
  isWaiting(): boolean;
  /** When the next one will have been quiet for long enough. */
  dueAt(): number;
  /** Deals with those that have, not too many at once; gives the files that were written. Stops early when asked to. */
  run(isStopped: () => boolean): Promise<VaultPath[]>;
};

/** Written in one transaction. */
const batchSize = 50;
/** Dealt with before somebody else has a turn. */
const mostAtOnce = 200;

export function createStampEdits(parts: Parts): StampEdits {
  const { root, memory, isAsLeft, elapsed, quiet, quietUnseen, retry } = parts;
  const waiting = new Map<VaultPath, Waiting>();
  const dueAt = ({ since, isUnseen }: Waiting): number => since + (isUnseen === true ? quietUnseen : quiet);

  /** Null when there is nothing to stamp, or not yet. */
  const examine = async (path: VaultPath, was: Waiting): Promise<StampableFile | null> => {
    const file = await lookAtStamps(root, path);
    if (file?.isBeingWritten === true) {
      waiting.set(path, { size: file.size, mtime: file.mtime, since: elapsed(), isOpen: true });
      return null;
    }
    if (file !== null && (file.size !== was.size || file.mtime !== was.mtime)) {
      waiting.set(path, { size: file.size, mtime: file.mtime, since: elapsed() });
      return null;
    }
    if (file?.isBeingWritten === null && was.since + quietUnseen > elapsed()) {
      waiting.set(path, { ...was, isUnseen: true });
      return null;
    }
    waiting.delete(path);
    if (file !== null && needsStamps(file, memory.files().get(path), memory.knows(file.revision)))
      if (!(await isAsLeft(path, file.bytes))) return file;
    // What is gone, or no text, is for the next scan to tell.
    if (file !== null) remember(memory, file, file);
    return null;
  };

  const stampTogether = async (batch: readonly [VaultPath, Waiting][]): Promise<VaultPath[]> => {
    const files = new Map<VaultPath, StampableFile & { isNew: boolean }>();
    for (const [path, was] of batch) {
      const file = await examine(path, was);
      if (file !== null) files.set(path, { ...file, isNew: !memory.files().has(path) });
    }
    if (files.size === 0) return [];
    const { settled, disturbed } = await stampFiles([...files.values()], parts);
    for (const now of settled) remember(memory, files.get(now.path), now);
    for (const [path, was] of batch) if (disturbed.includes(path)) waitLonger(path, was, 0);
    return settled.flatMap(({ path, isWritten }) => (isWritten ? [path] : []));
  };
  const waitLonger = (path: VaultPath, { size, mtime }: Waiting, longer: number): void =>
    void waiting.set(path, { size, mtime, since: elapsed() + longer });

  return {
    notice(path, { size, mtime }) {
      const known = waiting.get(path);
      if (known?.size === size && known.mtime === mtime) return false;
      waiting.set(path, { size, mtime, since: elapsed(), isOpen: known?.isOpen === true });
      return true;
    },
    has: (path) => waiting.has(path),
    paths: () => [...waiting.keys()],
    forget: (path) => void waiting.delete(path),
    clear: () => waiting.clear(),
    isWaiting: () => [...waiting.values()].some(({ since, isOpen }) => isOpen !== true && since <= elapsed()),
    dueAt: () => waiting.values().reduce((first, each) => Math.min(first, dueAt(each)), Infinity),
    async run(isStopped) {
      const due = [...waiting].filter(([, each]) => dueAt(each) <= elapsed()).slice(0, mostAtOnce);
      const written: VaultPath[] = [];
      for (let from = 0; from < due.length && !isStopped(); from += batchSize) {
        const batch = due.slice(from, from + batchSize);
        try {
          written.push(...(await stampTogether(batch)));
        } catch (error) {
          for (const [path, was] of batch) waitLonger(path, was, retry);
          throw error;
        }
      }
      return written;
    },
  };
}

/** The rule above, for a text that is quiet. */
export function needsStamps(
  file: Pick<StampableFile, 'revision' | 'updated' | 'hasRightTokens' | 'isBrought'>,
  seen: Pick<Seen, 'revision' | 'updated'> | undefined,
  isKnownElsewhere: boolean,
): boolean {
  if (seen?.revision === file.revision || file.isBrought) return false;
  if (file.hasRightTokens && file.updated !== null && file.updated !== seen?.updated) return false;
  return !(seen === undefined && isKnownElsewhere);
}

/** Its times are left open: the next look at them finds the same content and fills them in. */
function remember(
  memory: Memory,
  file: StampableFile | undefined,
  { revision, updated, isWritten = false }: Pick<Seen, 'revision' | 'updated'> & { isWritten?: boolean },
): void {
  if (file === undefined) return;
  const { path, size, mtime } = file;
  // The journal brings what we wrote into history, with what was there before.
  memory.put(path, { revision, updated, size, mtime, ctime: null, isRecorded: isWritten, isGone: false });
}
