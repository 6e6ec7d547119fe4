import { countInbox } from '../agents/index.ts';
import type { Changes, CommitListener } from '../changes/index.ts';
import { isInInbox, showPath } from '../vault/index.ts';
import type { Catalogue, VaultPath, VaultView } from '../vault/index.ts';
import type { Events } from './events.ts';
import type { SearchHost } from './search-host.ts';

/** Passes changes of files on to everything that depends on them. */
export type ChangeAnnouncer = {
  /** For each commit, in this order: catalogue, search index, events. */
  listeners: readonly CommitListener[];
  /** For edits that other programs made; the catalogue and the index know of them already. */
  announceOutside: (paths: readonly VaultPath[]) => void;
  /** Whether any file has changed since it was opened. */
  hasChanged: () => boolean;
};

type Parts = {
  catalogue: Pick<Catalogue, 'changed'>;
  search: Pick<SearchHost, 'changed'>;
  events: Pick<Events, 'emit'>;
  view: VaultView;
  /** Asked for after a commit: changes are opened with these listeners. */
  changes: () => Changes;
};

/** A client that is interested in more files than this at once reads the vault again anyway. */
const maxPathsInEvent = 1_000;

export function createChangeAnnouncer({ catalogue, search, events, view, changes }: Parts): ChangeAnnouncer {
  let hasChanged = false;
  const emitPaths = (paths: readonly VaultPath[]): void =>
    events.emit({ type: 'file-changed', paths: paths.slice(0, maxPathsInEvent).map(showPath) });
  const updateCatalogue: CommitListener = async (changed) => {
    hasChanged = true;
    for (const { path } of changed) await catalogue.changed(path);
  };
  const updateIndex: CommitListener = (changed) => search.changed(changed.map(({ path }) => path));
  const emitEvents: CommitListener = async (changed) => {
    const paths = changed.map(({ path }) => path);
    emitPaths(paths);
    if (paths.some(isInInbox))
      events.emit({ type: 'inbox-changed', items: await countInbox(view, changes()) });
  };
  return {
    listeners: [updateCatalogue, updateIndex, emitEvents],
    announceOutside(paths) {
      hasChanged = true;
      emitPaths(paths);
    },
    hasChanged: () => hasChanged,
  };
}
