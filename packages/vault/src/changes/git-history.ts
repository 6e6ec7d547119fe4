import { existsSync } from 'node:fs';
import { importCommits } from './git-import.ts';
import type { HistoryCommit } from './git-import.ts';
import { removeStaleLocks } from './git-locks.ts';
import { createHistoryCheck } from './history-check.ts';
import type { HistoryCheck } from './history-check.ts';
import { createHistoryCommits } from './history-commits.ts';
import type { HistoryCommits } from './history-commits.ts';
import { createHistoryContents } from './history-contents.ts';
import type { HistoryContents } from './history-contents.ts';
import { branch, createHistoryRefs } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import { runGit } from './run-git.ts';
import type { Git } from './run-git.ts';
import { historiesAside } from './set-aside.ts';

/**
 * A repository of our own beside the vault, never in it. Only plumbing that takes bytes and gives bytes: the person's
 * configuration, ignore rules, attributes, filters, hooks and signing have no say.
 */
export type GitHistory = HistoryRefs &
  HistoryContents &
  HistoryCommits &
  HistoryCheck & {
    /** Adds commits in order; all of them are there when it returns, with these hashes. */
    add(commits: readonly HistoryCommit[]): Promise<string[]>;
  };

/** Null when there is no git on this machine. */
export async function openGitHistory(folder: string, searchPath: string): Promise<GitHistory | null> {
  const git: Git = (args, input = []) => runGit({ folder, searchPath }, args, input);
  /** What was set aside is read as far as it can be, and never built on. */
  const withAside: Git = (args, input = []) =>
    runGit({ folder, searchPath, alternates: historiesAside(folder) }, args, input);
  try {
    if (!existsSync(folder))
      await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', folder]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const refs = createHistoryRefs(folder, git);
  return {
    ...refs,
    ...createHistoryContents(git, withAside, refs),
    ...createHistoryCommits(git, withAside, refs),
    ...createHistoryCheck(folder, git, refs),
    async add(commits) {
      removeStaleLocks(folder);
      return importCommits(git, commits, { branch, from: (await refs.hasCommits()) ? `${branch}^0` : null });
    },
  };
}
