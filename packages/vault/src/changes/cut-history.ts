import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fsyncFolder } from '../vault/index.ts';
import { discardUnreachable } from './discard-unreachable.ts';
import { branch } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import { listQuarantined, quarantineDay } from './quarantine.ts';
import type { RunGit } from './run-git.ts';

/** Removes old commits from the history repository for good. */
export type HistoryCut = {
  /** Whether `startCut` was called and the cut was not finished, possibly by a process that was killed. */
  isCutPending(): boolean;
  /** Call before the journal deletes its entries, so that the commits are removed even if this process is killed. */
  startCut(): void;
  /** Call if there is nothing to remove. */
  cancelCut(): void;
  /**
   * Removes all commits before the first that is not older than `before` or that `keeps` contains. The commit before that
   * one stays without its parents, because undoing the first change needs the files as they were then. No hash changes.
   * Also deletes repositories that were quarantined before that time.
   */
  finishCut(before: number, keeps: ReadonlySet<string>): Promise<void>;
};

export function createHistoryCut(folder: string, git: RunGit, refs: HistoryRefs): HistoryCut {
  const marker = join(folder, 'keepsake-cut');
  return {
    isCutPending: () => existsSync(marker),
    startCut: () => writeDurably(folder, 'keepsake-cut', ''),
    cancelCut: () => rmSync(marker, { force: true }),
    async finishCut(before, keeps) {
      const day = new Date(before).toISOString().slice(0, 10);
      for (const quarantined of listQuarantined(folder))
        if (quarantineDay(quarantined) < day) rmSync(quarantined, { recursive: true });
      const base = await findBase(git, refs, before, keeps);
      if (base !== null) {
        if (await refs.hasFullBaseline()) await refs.markBaselineComplete(base);
        writeBoundary(folder, [base]);
      }
      await discardUnreachable(folder, git);
      rmSync(marker, { force: true });
    },
  };
}

/** The newest commit to remove changes up to; null if no commit precedes it. */
async function findBase(
  git: RunGit,
  refs: HistoryRefs,
  before: number,
  keeps: ReadonlySet<string>,
): Promise<string | null> {
  if (!(await refs.hasCommits())) return null;
  const log = (await git(['log', '--first-parent', '--format=%H %ct', branch])).toString();
  const commits = log.split('\n').filter((line) => line !== '');
  const isKept = (line: string): boolean => {
    const [commit = '', seconds] = line.split(' ');
    return keeps.has(commit) || Number(seconds) * 1000 >= before;
  };
  const at = commits.findLastIndex(isKept) + 1;
  return at + 1 < commits.length ? (commits[at]?.split(' ')[0] ?? null) : null;
}

/** Replaces the boundary of a cut: git treats these commits as commits without parents. */
export function writeBoundary(folder: string, commits: readonly string[]): void {
  writeDurably(folder, 'shallow', commits.map((commit) => `${commit}\n`).join(''));
}

/** The boundary of the last cut; empty if there was none. */
export function readBoundary(folder: string): string[] {
  const file = join(folder, 'shallow');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

function writeDurably(folder: string, name: string, text: string): void {
  const temporary = join(folder, `${name}.lock`);
  writeFileSync(temporary, text, { flush: true });
  renameSync(temporary, join(folder, name));
  const fd = openSync(folder, 'r');
  try {
    fsyncFolder({ fd, base: folder });
  } finally {
    closeSync(fd);
  }
}
