import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './run-git.ts';

/** What the refs of history say. */
export type HistoryRefs = {
  hasCommits(): Promise<boolean>;
  /** The newest commit, as far as that can be told without starting a program. */
  tip(): string | null;
  /** Whether it has had every file of the vault once. */
  isComplete(): Promise<boolean>;
  /** Says so from now on. */
  setComplete(): Promise<void>;
};

export const branch = 'refs/heads/main';
/** Names the commit with which history had every file. */
const complete = 'refs/keepsake/complete';

export function createHistoryRefs(folder: string, git: Git): HistoryRefs {
  const textOf = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  /** Looked up where git keeps it: to start a program for it takes as long as everything else when a vault is opened. */
  const refIn = (ref: string): string | null => /^([\da-f]{40,64})\n$/.exec(textOf(ref))?.[1] ?? null;
  const hasRef = async (ref: string): Promise<boolean> => {
    if (refIn(ref) !== null || textOf('packed-refs').includes(` ${ref}\n`)) return true;
    return existsSync(join(folder, ref)) && (await git(['for-each-ref', ref])).length > 0;
  };
  return {
    hasCommits: () => hasRef(branch),
    tip: () => refIn(branch),
    isComplete: () => hasRef(complete),
    async setComplete() {
      await git(['update-ref', complete, branch]);
    },
  };
}
