import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { contentAfter } from './change.ts';
import type { FileChange } from './change.ts';
import type { DatedVersion } from './merge-base.ts';
import type { HistoryPosition } from './history-position.ts';
import type { History } from './history.ts';
import { externalOrigin, syncOrigin } from './journal-entry.ts';
import type { JournalQueries } from './journal-queries.ts';
import type { Provenance } from './provenance.ts';
import type { HistoryRepository } from './history-repository.ts';

/** Where the content of a file comes from. */
export type FileOrigins = {
  /** Whether these bytes are the result of a change that is based only on the user's own words. */
  isUserAuthored(path: VaultPath, bytes: Buffer): Promise<boolean>;
  /** Whether these bytes are the result of the newest change of the file, and Keepsake made that change. */
  isLastOwnWrite(path: VaultPath, bytes: Buffer): Promise<boolean>;
  /**
   * The versions of a file in history, newest first; for a file that was changed very often, not all of them. Changes that
   * are not in history yet are missing.
   */
  fileVersions: (path: VaultPath) => Promise<DatedVersion[]>;
};

const maxVersions = 100;

type Dependencies = {
  journal: JournalQueries & Provenance & HistoryPosition;
  history: History;
  repository: HistoryRepository;
};

export function createFileOrigins({ journal, history, repository }: Dependencies): FileOrigins {
  const isMadeBy = async (id: string, path: VaultPath, bytes: Buffer): Promise<boolean> => {
    const changes = await history.readChanges(id, path).catch(emptyIfUnreadable);
    return changes.some((change) => contentAfter(change)?.equals(bytes) === true);
  };
  return {
    async isUserAuthored(path, bytes) {
      for (const id of journal.userAuthoredFor(path)) if (await isMadeBy(id, path, bytes)) return true;
      return false;
    },
    async isLastOwnWrite(path, bytes) {
      const [newest] = journal.list({ path, state: 'applied', limit: 1 });
      if (newest === undefined || newest.origin === externalOrigin) return false;
      return isMadeBy(newest.id, path, bytes);
    },
    async fileVersions(path) {
      const git = await repository.open();
      const entries = journal.list({ path, state: 'applied', limit: 2 * maxVersions });
      const ours = new Set(
        entries
          .filter(({ origin }) => origin !== externalOrigin && origin !== syncOrigin)
          .map(({ id }) => journal.commitOf(id)),
      );
      const versions = (await git?.fileVersions(path, maxVersions)) ?? [];
      // The version after the omitted ones cannot be attributed: the difference from its predecessor is unknown.
      const isCut = (index: number): boolean => index === maxVersions - 2;
      return versions.map(({ commit, at, bytes }, index) => ({
        text: String(bytes),
        at,
        isOwnWrite: ours.has(commit) && !isCut(index),
      }));
    },
  };
}

/** Unreadable changes count as not made by the user: the only cost is an additional approval. */
function emptyIfUnreadable(error: unknown): FileChange[] {
  if (error instanceof VaultError && (error.code === 'damaged-history' || error.code === 'io')) return [];
  throw error;
}
