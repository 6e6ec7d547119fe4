import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRepositoryError } from './git-errors.ts';
import { listTree } from './history-contents.ts';
import { branch } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import type { RunGit } from './run-git.ts';

/** Checks of the history repository. */
export type HistoryCheck = {
  /** A quick check: returns one line that says why no commit can be added; null when commits can be added. */
  quickCheck(): Promise<string | null>;
  /** A full check: all problems that `git fsck` finds. */
  fsck(): Promise<string[]>;
};

export function createHistoryCheck(folder: string, git: RunGit, refs: HistoryRefs): HistoryCheck {
  return {
    async quickCheck() {
      // A repository without access permissions may be intact, so that error is not reported as damage.
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      try {
        await git(['rev-parse', '--is-bare-repository']);
        if (await refs.hasCommits()) await listTree(git, ['-t']);
        else if (existsSync(join(folder, branch))) return `${branch} points to no commit`;
        return null;
      } catch (error) {
        if (!isRepositoryError(error)) throw error;
        return (error as Error).message.split('\n')[0] ?? '';
      }
    },
    async fsck() {
      try {
        await git(['fsck', '--full', '--no-dangling', '--no-progress']);
        return [];
      } catch (error) {
        if (!isRepositoryError(error)) throw error;
        const { stdout, message } = error as Error & { stdout?: Buffer };
        return `${message}\n${stdout?.toString() ?? ''}`.split('\n').filter((line) => line !== '');
      }
    },
  };
}
