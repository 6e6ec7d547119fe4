import { fstatSync } from 'node:fs';
import type { Clock } from '../contract/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { withOpenFile, readFd } from './apply-file-change.ts';
import { contentEquals } from './change.ts';
import { isBeingWritten } from './atomic-files.ts';
import type { TrackedFile, TrackedFiles } from './tracked-files.ts';

/** The late write to a replaced file, if any, and whether no more can follow. */
type Inspection = { late: { before: Buffer; after: Buffer } | null; isFinal: boolean };

type Inspector = {
  /** Null for a file that no longer exists and that this process does not have open. */
  inspect(file: TrackedFile): Inspection | null;
  /** Discards the state of a file that is no longer tracked. */
  forget(temporary: string): void;
};

/** How long a replaced file is kept open, in milliseconds, where writers cannot be detected. */
const undetectableWriterTimeoutMs = 10 * 60_000;

export function createInspector(root: VaultRoot, tracked: TrackedFiles, monotonicNow: Clock): Inspector {
  /** Size and times of each file, by temporary name, at the last read that found nothing new. */
  const read = new Map<string, string>();
  /** Checks for writers before reading: if there are none, nothing can be written after the read. */
  const inspectOpen = (fd: number, { path, temporary }: TrackedFile): Inspection => {
    const opened = tracked.opened(temporary);
    const isWritten = isBeingWritten(fd, root, path);
    const isTimedOut =
      opened?.hasName === false && monotonicNow() > opened.since + undetectableWriterTimeoutMs;
    const isFinal = isWritten === false || (isWritten === null && isTimedOut);
    const { size, mtimeMs, ctimeMs } = fstatSync(fd);
    const present = `${size} ${mtimeMs} ${ctimeMs}`;
    // The final inspection reads the whole file: a write through a memory map may leave its times unchanged.
    if (!isFinal && read.get(temporary) === present) return { late: null, isFinal };
    const after = readFd(fd);
    const before = tracked.contentOf(temporary);
    if (before !== undefined && !contentEquals(after, before)) return { late: { before, after }, isFinal };
    read.set(temporary, present);
    return { late: null, isFinal };
  };
  return {
    inspect(file) {
      const fd = tracked.opened(file.temporary)?.fd;
      if (fd !== undefined) return inspectOpen(fd, file);
      return withOpenFile(root, file.path, file.temporary, (named) => inspectOpen(named, file));
    },
    forget: (temporary) => void read.delete(temporary),
  };
}
