import { closeSync } from 'node:fs';
import type { VaultPath } from '../vault/index.ts';
import { readAll } from './apply.ts';
import { isEqual } from './change.ts';

/** A file that was replaced, still open, with what was in it. */
type Replaced = { path: VaultPath; fd: number; content: Buffer };

/** What an editor still wrote into a file that had been replaced under it. */
export type LateEdit = { path: VaultPath; before: Buffer; after: Buffer };

/** Files that were replaced lately: an editor that had one of them open may not be done. */
export type ReplacedFiles = {
  /** Takes the open file over, and closes it in time. */
  keep: (path: VaultPath) => (fd: number, content: Buffer) => void;
  /** Whether an editor wrote into one of them since. Closes all of them when none did. */
  hasLateEdits(): boolean;
  /** What was written into them; none of them is kept any longer. */
  takeLateEdits(): LateEdit[];
};

const mostReplaced = 100;

export function createReplacedFiles(): ReplacedFiles {
  const replaced: Replaced[] = [];
  return {
    keep: (path) => (fd, content) => {
      if (replaced.length === mostReplaced) closeSync(fd);
      else replaced.push({ path, fd, content });
    },
    hasLateEdits() {
      if (replaced.some(({ fd, content }) => !isEqual(readAll(fd), content))) return true;
      for (const { fd } of replaced.splice(0)) closeSync(fd);
      return false;
    },
    takeLateEdits: () =>
      replaced.splice(0).flatMap(({ path, fd, content }) => {
        const late = readAll(fd);
        closeSync(fd);
        return isEqual(late, content) ? [] : [{ path, before: content, after: late }];
      }),
  };
}
