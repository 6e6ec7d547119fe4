import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { afterOf } from './change.ts';
import type { FileChange } from './change.ts';
import type { DatedVersion } from './common-base.ts';
import type { HistoryPosition } from './history-position.ts';
import type { History } from './history.ts';
import { outsideOrigin, syncOrigin } from './journal-entry.ts';
import type { Listing } from './listing.ts';
import type { Provenance } from './provenance.ts';
import type { Repository } from './repository.ts';

/** Where the content of a file comes from. */
export type FileOrigins = {
  /** Whether a file is, byte for byte, what a change made it that only the person's own words have led to. */
  isPersons(path: VaultPath, bytes: Buffer): Promise<boolean>;
  /** Whether a file is, byte for byte, what the newest change of it left, and that was one of ours. */
  isAsLeft(path: VaultPath, bytes: Buffer): Promise<boolean>;
  /** What history has of a file, newest first; not every version of one that was changed very often. What was not recorded is not in it. */
  versionsOf: (path: VaultPath) => Promise<DatedVersion[]>;
};

const mostVersions = 100;

type Parts = {
  journal: Listing & Provenance & HistoryPosition;
  history: History;
  repository: Repository;
};

export function createFileOrigins({ journal, history, repository }: Parts): FileOrigins {
  const isMadeBy = async (id: string, path: VaultPath, bytes: Buffer): Promise<boolean> => {
    const changes = await history.changesOf(id, path).catch(nothingIfLost);
    return changes.some((change) => afterOf(change)?.equals(bytes) === true);
  };
  return {
    async isPersons(path, bytes) {
      for (const id of journal.personsFor(path)) if (await isMadeBy(id, path, bytes)) return true;
      return false;
    },
    async isAsLeft(path, bytes) {
      const [newest] = journal.list({ path, state: 'applied', limit: 1 });
      if (newest === undefined || newest.origin === outsideOrigin) return false;
      return isMadeBy(newest.id, path, bytes);
    },
    async versionsOf(path) {
      const git = await repository.open();
      const entries = journal.list({ path, state: 'applied', limit: 2 * mostVersions });
      const ours = new Set(
        entries
          .filter(({ origin }) => origin !== outsideOrigin && origin !== syncOrigin)
          .map(({ id }) => journal.commitOf(id)),
      );
      const versions = (await git?.versions(path, mostVersions)) ?? [];
      // Of one that follows versions that are left out nobody knows what it brought in.
      const isCut = (index: number): boolean => index === mostVersions - 2;
      return versions.map(({ commit, at, bytes }, index) => ({
        text: String(bytes),
        at,
        isOurs: ours.has(commit) && !isCut(index),
      }));
    },
  };
}

/** What can no longer be read is nobody's words: that costs an approval, nothing else. */
function nothingIfLost(error: unknown): FileChange[] {
  if (error instanceof VaultError && (error.code === 'damaged-history' || error.code === 'io')) return [];
  throw error;
}
