import { existsSync } from 'node:fs';
import type { Clock } from '../contract/index.ts';
import { isOfHistory, namesObject } from './git-errors.ts';
import { openGitHistory } from './git-history.ts';
import type { GitHistory } from './git-history.ts';
import { historiesAside, setHistoryAside } from './set-aside.ts';
import type { Grant, WriterLock } from './writer-lock.ts';

/** Where history lies. Who uses it to write holds the historian's lock. */
export type Repository = {
  isThere(): boolean;
  /** Null when there is no git on this machine. */
  open(): Promise<GitHistory | null>;
  /** Works on history. One that is damaged is set aside, and the work is done on a new one. Null without git. */
  use<Value>(grant: Grant, work: (git: GitHistory) => Promise<Value>): Promise<Value | null>;
  /** Reads all of it, looks for these commits, and changes nothing. */
  look(commits: readonly string[]): Promise<HistoryLook>;
};

/** History while its lock is held; the grant is to be checked before anything is written. */
export type HistorySession = { git: GitHistory; grant: Grant };

/** Works on history while nobody else does. Null without git. */
export type HoldHistory = <Value>(work: (session: HistorySession) => Promise<Value>) => Promise<Value | null>;

export function holdHistory(lock: WriterLock, repository: Repository): HoldHistory {
  return (work) => lock.hold((grant) => repository.use(grant, (git) => work({ git, grant })));
}

export type HistoryLook = {
  /** Whether there is a repository at all. */
  isThere: boolean;
  /** Why nothing can be added to it; null when it can. The next change sets it aside then. */
  damage: string | null;
  /** What is missing or unreadable in it, a line each. */
  problems: string[];
  /** How many of the commits that it should have are nowhere. */
  lost: number;
  /** The folders of those that were damaged before, and set aside. */
  aside: string[];
};

export function createRepository(folder: string, searchPath: string, clock: Clock): Repository {
  const open = (): Promise<GitHistory | null> => openGitHistory(folder, searchPath);
  return {
    isThere: () => existsSync(folder),
    open,
    async use(grant, work) {
      const git = await open();
      if (git === null) return null;
      try {
        return await work(git);
      } catch (error) {
        if (!isOfHistory(error) || !(await isDamaged(git, error))) throw error;
        grant.check();
        setHistoryAside(folder, clock());
        const anew = await open();
        return anew === null ? null : work(anew);
      }
    },
    async look(commits) {
      const aside = historiesAside(folder);
      const git = existsSync(folder) ? await open() : null;
      const look = { isThere: existsSync(folder), damage: null, problems: [], lost: 0, aside };
      if (git === null) return look;
      const damage = await git.damage();
      return damage === null
        ? { ...look, problems: await git.problems(), lost: await git.missing(commits) }
        : { ...look, damage };
    },
  };
}

/** The quick look is enough for most; everything is read only if an object is named, which on a full disk none is. */
async function isDamaged(git: GitHistory, error: unknown): Promise<boolean> {
  return (await git.damage()) !== null || (namesObject(error) && (await git.problems()).length > 0);
}
