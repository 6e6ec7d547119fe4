import { fstatSync } from 'node:fs';
import type { Clock } from '../contract/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { lookInto, readAll } from './apply.ts';
import { isEqual } from './change.ts';
import { isBeingWritten } from './file-primitives.ts';
import type { TrackedFile, TrackedFiles } from './tracked-files.ts';

/** What was written into a replaced file since, if anything was, and whether no more is to be expected. */
type Inspection = { late: { before: Buffer; after: Buffer } | null; isLast: boolean };

type Inspector = {
  /** Null for one that is gone, and that this process does not have open. */
  inspect(file: TrackedFile): Inspection | null;
  /** For one that is not tracked any more. */
  forget(temporary: string): void;
};

/** How long a replaced file is kept open, in milliseconds, where nobody can tell whether it is being written. */
const patience = 10 * 60_000;

export function createInspector(root: VaultRoot, tracked: TrackedFiles, elapsed: Clock): Inspector {
  /** What files were like, by their temporary name, when they were last read and nothing was new. */
  const read = new Map<string, string>();
  /** Whoever may write is asked first: what comes after the answer "nobody" is nobody's. */
  const inspectOpen = (fd: number, { path, temporary }: TrackedFile): Inspection => {
    const kept = tracked.opened(temporary);
    const isWritten = isBeingWritten(fd, root, path);
    const isOver = kept?.hasName === false && elapsed() > kept.since + patience;
    const isLast = isWritten === false || (isWritten === null && isOver);
    const { size, mtimeMs, ctimeMs } = fstatSync(fd);
    const present = `${size} ${mtimeMs} ${ctimeMs}`;
    // The last look is a whole one: through a memory map, a file can change and its times stay.
    if (!isLast && read.get(temporary) === present) return { late: null, isLast };
    const after = readAll(fd);
    const before = tracked.contentOf(temporary);
    if (before !== undefined && !isEqual(after, before)) return { late: { before, after }, isLast };
    read.set(temporary, present);
    return { late: null, isLast };
  };
  return {
    inspect(file) {
      const fd = tracked.opened(file.temporary)?.fd;
      if (fd !== undefined) return inspectOpen(fd, file);
      return lookInto(root, file.path, file.temporary, (named) => inspectOpen(named, file));
    },
    forget: (temporary) => void read.delete(temporary),
  };
}
