import { countInbox } from '../agents/index.ts';
import type { Changes, CommitListener } from '../changes/index.ts';
import { formatPath } from '../vault/index.ts';
import type { Catalogue, VaultPath, VaultView } from '../vault/index.ts';
import type { EventBus } from './events.ts';
import type { SearchHost } from './search-host.ts';

/** Forwards file changes to everything that depends on them. */
export type ChangeAnnouncer = {
  /** Called for each commit in this order: catalogue, search index, events. */
  listeners: readonly CommitListener[];
  /** Announces edits by other programs. Catalogue and index must be up to date by then. */
  announceExternalEdits: (paths: readonly VaultPath[]) => void;
  /** Whether any file has changed since the vault was opened. */
  hasChanged: () => boolean;
};

type Dependencies = {
  catalogue: Pick<Catalogue, 'refreshPath'>;
  search: Pick<SearchHost, 'filesChanged'>;
  events: Pick<EventBus, 'emit'>;
  view: VaultView;
  /** A function, because `changes` is created after these listeners; called only after a commit. */
  changes: () => Changes;
};

/** Maximum number of paths in one event; it does not name further files that changed at the same time. */
const maxPathsInEvent = 1_000;

export function createChangeAnnouncer({
  catalogue,
  search,
  events,
  view,
  changes,
}: Dependencies): ChangeAnnouncer {
  let hasChanged = false;
  const emitPaths = (paths: readonly VaultPath[]): void =>
    events.emit({ type: 'file-changed', paths: paths.slice(0, maxPathsInEvent).map(formatPath) });
  const updateCatalogue: CommitListener = async (changed) => {
    hasChanged = true;
    for (const { path } of changed) await catalogue.refreshPath(path);
  };
  const updateIndex: CommitListener = (changed) => search.filesChanged(changed.map(({ path }) => path));
  const emitEvents: CommitListener = async (changed) => {
    const paths = changed.map(({ path }) => path);
    emitPaths(paths);
    if (paths.some(view.layout().isInInbox))
      events.emit({ type: 'inbox-changed', items: await countInbox(view, changes()) });
  };
  return {
    listeners: [updateCatalogue, updateIndex, emitEvents],
    announceExternalEdits(paths) {
      hasChanged = true;
      emitPaths(paths);
    },
    hasChanged: () => hasChanged,
  };
}
