import { existsSync } from 'node:fs';
import { createHistoryCut } from './cut-history.ts';
import type { HistoryCut } from './cut-history.ts';
import { importCommits } from './git-import.ts';
import type { HistoryCommit } from './git-import.ts';
import { createHistoryCheck } from './history-check.ts';
import type { HistoryCheck } from './history-check.ts';
import { createHistoryCommits } from './history-commits.ts';
import type { HistoryCommits } from './history-commits.ts';
import { createHistoryContents } from './history-contents.ts';
import type { HistoryContents } from './history-contents.ts';
import { branch, createHistoryRefs } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import { createPastFiles } from './past-files.ts';
import type { PastFiles } from './past-files.ts';
import { compactHistory, packHistory } from './pack-history.ts';
import { runGit } from './run-git.ts';
import type { RunGit } from './run-git.ts';
import { listQuarantined } from './quarantine.ts';
import { removeStaleLocks } from './unfinished-git-files.ts';

/**
 * A bare repository beside the vault, never inside it. It is used only through plumbing commands that read and write bytes,
 * so the user's configuration, ignore rules, attributes, filters, hooks and signing have no effect.
 */
export type GitHistory = HistoryRefs &
  HistoryContents &
  HistoryCommits &
  PastFiles &
  HistoryCheck &
  HistoryCut & {
    /** Adds commits in order and returns their hashes; all commits are stored when it returns. */
    add(commits: readonly HistoryCommit[]): Promise<string[]>;
    /** Packs the repository if that makes it faster. */
    pack(): Promise<void>;
    /** Packs all of the repository if that makes it much smaller. */
    compact(): Promise<void>;
  };

/** Null when git is not installed. */
export async function openGitHistory(folder: string, searchPath: string): Promise<GitHistory | null> {
  const git: RunGit = (args, input = []) => runGit({ folder, searchPath }, args, input);
  /** Also reads damaged repositories that were quarantined, as far as possible; nothing is added to them. */
  const withQuarantined: RunGit = (args, input = []) =>
    runGit({ folder, searchPath, alternates: listQuarantined(folder) }, args, input);
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
    ...createHistoryContents(git, withQuarantined, refs),
    ...createHistoryCommits(git, withQuarantined, refs),
    ...createPastFiles(folder, withQuarantined, refs),
    ...createHistoryCheck(folder, git, refs),
    ...createHistoryCut(folder, git, refs),
    async add(commits) {
      removeStaleLocks(folder);
      return importCommits(git, commits, { branch, from: (await refs.hasCommits()) ? `${branch}^0` : null });
    },
    pack: () => packHistory(folder, git),
    compact: () => compactHistory(folder, git),
  };
}
