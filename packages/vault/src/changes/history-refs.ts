import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunGit } from './run-git.ts';

/** Reads and writes the refs of the history repository. */
export type HistoryRefs = {
  hasCommits(): Promise<boolean>;
  /** The newest commit, if it can be read without starting git. */
  tip(): string | null;
  /** Whether every file of the vault has been recorded in history at least once. */
  hasFullBaseline(): Promise<boolean>;
  /** Marks the baseline as complete, by default with the newest commit: every file has been recorded at least once. */
  markBaselineComplete(commit?: string): Promise<void>;
};

export const branch = 'refs/heads/main';
/** Points to the commit with which the baseline became complete. */
const baselineRef = 'refs/keepsake/complete';

export function createHistoryRefs(folder: string, git: RunGit): HistoryRefs {
  const textOf = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  /** Reads the ref file directly: starting git would double the time needed to open a vault. */
  const refIn = (ref: string): string | null => /^([\da-f]{40,64})\n$/.exec(textOf(ref))?.[1] ?? null;
  const hasRef = async (ref: string): Promise<boolean> => {
    if (refIn(ref) !== null || textOf('packed-refs').includes(` ${ref}\n`)) return true;
    return existsSync(join(folder, ref)) && (await git(['for-each-ref', ref])).length > 0;
  };
  return {
    hasCommits: () => hasRef(branch),
    tip: () => refIn(branch),
    hasFullBaseline: () => hasRef(baselineRef),
    async markBaselineComplete(commit = branch) {
      await git(['update-ref', baselineRef, commit]);
    },
  };
}
