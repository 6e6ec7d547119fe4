import { existsSync } from 'node:fs';
import type { Clock } from '../contract/index.ts';
import { isRepositoryError, mentionsObject } from './git-errors.ts';
import { openGitHistory } from './git-history.ts';
import type { GitHistory } from './git-history.ts';
import { listQuarantined, quarantineHistory } from './quarantine.ts';
import type { Lease, WriterLock } from './writer-lock.ts';

/** The git repository that stores history. Writers have to hold the history lock. */
export type HistoryRepository = {
  exists(): boolean;
  /** Null when git is not installed. */
  open(): Promise<GitHistory | null>;
  /**
   * Runs `work` on history. A damaged repository is quarantined, and the work runs again on a new one. Null without git.
   */
  withGit<Value>(lease: Lease, work: (git: GitHistory) => Promise<Value>): Promise<Value | null>;
  /** Checks the whole repository and looks for these commits, without changing anything. */
  inspect(commits: readonly string[]): Promise<HistoryReport>;
};

/** History while its lock is held; check the lease before every write. */
export type HistorySession = { git: GitHistory; lease: Lease };

/** Runs `work` on history under the history lock. Null without git. */
export type HoldHistory = <Value>(work: (session: HistorySession) => Promise<Value>) => Promise<Value | null>;

export function holdHistory(lock: WriterLock, repository: HistoryRepository): HoldHistory {
  return (work) => lock.withLease((lease) => repository.withGit(lease, (git) => work({ git, lease })));
}

export type HistoryReport = {
  /** Whether the repository exists. */
  exists: boolean;
  /** Why no commit can be added; null when commits can be added. The next change quarantines a damaged repository. */
  damage: string | null;
  /** Missing or unreadable objects, one line each. */
  problems: string[];
  /** The number of expected commits that exist nowhere. */
  missingCommits: number;
  /** The folders of repositories that were quarantined because they were damaged. */
  quarantined: string[];
};

export function createRepository(folder: string, searchPath: string, clock: Clock): HistoryRepository {
  const open = (): Promise<GitHistory | null> => openGitHistory(folder, searchPath);
  return {
    exists: () => existsSync(folder),
    open,
    async withGit(lease, work) {
      const git = await open();
      if (git === null) return null;
      try {
        return await work(git);
      } catch (error) {
        if (!isRepositoryError(error) || !(await isDamaged(git, error))) throw error;
        lease.assertHeld();
        quarantineHistory(folder, clock());
        const recreated = await open();
        return recreated === null ? null : work(recreated);
      }
    },
    async inspect(commits) {
      const quarantined = listQuarantined(folder);
      const git = existsSync(folder) ? await open() : null;
      const report = {
        exists: existsSync(folder),
        damage: null,
        problems: [],
        missingCommits: 0,
        quarantined,
      };
      if (git === null) return report;
      const damage = await git.quickCheck();
      return damage === null
        ? { ...report, problems: await git.fsck(), missingCommits: await git.countMissing(commits) }
        : { ...report, damage };
    },
  };
}

/**
 * The quick check finds most damage. The full check runs only if the error names an object, because an error with
 * another cause, such as a full disk, names none.
 */
async function isDamaged(git: GitHistory, error: unknown): Promise<boolean> {
  return (await git.quickCheck()) !== null || (mentionsObject(error) && (await git.fsck()).length > 0);
}
