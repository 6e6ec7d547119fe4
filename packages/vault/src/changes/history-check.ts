import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { isOfHistory } from './git-errors.ts';
import { listBranch } from './history-contents.ts';
import { branch } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import type { Git } from './run-git.ts';

/** What is wrong with history. */
export type HistoryCheck = {
  /** What is wrong with the repository so that no commit can be added, in one line; null when nothing is. */
  damage(): Promise<string | null>;
  /** Everything that is wrong with it, read from end to end. */
  problems(): Promise<string[]>;
};

export function createHistoryCheck(folder: string, git: Git, refs: HistoryRefs): HistoryCheck {
  return {
    async damage() {
      // What must not be looked at, or not be changed, may be whole.
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      try {
        await git(['rev-parse', '--is-bare-repository']);
        if (await refs.hasCommits()) await listBranch(git, ['-t']);
        else if (existsSync(join(folder, branch))) return `${branch} names no commit`;
        return null;
      } catch (error) {
        if (!isOfHistory(error)) throw error;
        return (error as Error).message.split('\n')[0] ?? '';
      }
    },
    async problems() {
      try {
        await git(['fsck', '--full', '--no-dangling', '--no-progress']);
        return [];
      } catch (error) {
        if (!isOfHistory(error)) throw error;
        const { stdout, message } = error as Error & { stdout?: Buffer };
        return `${message}\n${stdout?.toString() ?? ''}`.split('\n').filter((line) => line !== '');
      }
    },
  };
}
