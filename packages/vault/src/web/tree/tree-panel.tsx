import { useQuery } from '@tanstack/react-query';
import { FilePlus2, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useServices } from '../shell/services.ts';
import { WriterOnly } from '../shell/use-viewer.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { TreeView } from './tree-view.tsx';

/** The file tree of the vault, with a filter by path. */
export function TreePanel() {
  const { queries, fileAction } = useServices();
  const { tree: text, arrange } = useText();
  const [filter, setFilter] = useState('');
  const deferredFilter = useDeferredValue(filter);
  const { data: tree, error } = useQuery(queries.files.tree);
  return (
    <section aria-label={text.label} className="flex min-h-0 flex-1 flex-col border-t border-line">
      <div className="flex items-center gap-1 px-3 py-2">
        <div className="relative min-w-0 flex-1">
          <input
            type="text"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setFilter('')}
            placeholder={text.filter}
            aria-label={text.filter}
            className="h-8 w-full rounded-medium border border-line bg-surface pr-8 pl-2.5 text-small"
          />
          {filter !== '' && (
            <IconButton label={text.clear} onClick={() => setFilter('')} className="absolute top-0 right-0">
              <X aria-hidden className="size-4" />
            </IconButton>
          )}
        </div>
        <WriterOnly>
          <IconButton label={arrange.newNote} onClick={() => fileAction.set({ kind: 'create', folder: '' })}>
            <FilePlus2 aria-hidden className="size-4" />
          </IconButton>
        </WriterOnly>
      </div>
      {tree === undefined ? (
        <div className="px-5 py-2">
          {error === null ? <Spinner label={text.loading} /> : <ErrorNotice error={error} />}
        </div>
      ) : (
        <TreeView tree={tree} filter={deferredFilter} />
      )}
    </section>
  );
}
