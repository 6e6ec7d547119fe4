import { useNavigate } from '@tanstack/react-router';
import { Hash, Search, Telescope } from 'lucide-react';
import { useFormatReplaced } from '../answers/use-format-replaced.ts';
import type { SearchResponse } from '../api/files-api.ts';
import { formatLineRange } from '../file/line-range.ts';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useCurrentFile } from '../shell/use-current-file.ts';
import { useText } from '../text/use-text.ts';
import type { Tree, TreeNode } from '../tree/build-tree.ts';
import type { PaletteItem } from './palette-item.ts';
import type { PaletteQuery } from './parse-query.ts';
import { rankFiles } from './rank-files.ts';
import { useActions } from './use-actions.ts';

type PaletteItemsOptions = {
  query: PaletteQuery;
  tree: Tree | undefined;
  /** The passages that were found in the files. */
  sections: SearchResponse['sections'];
  /** The number of all notes that were found; null if all results are shown. */
  notes: number | null;
  /** Starts a deep search; null if there is nothing to search for or it has already run. */
  searchDeep: (() => void) | null;
};

/** All rows of the palette for a query, in order. */
export function usePaletteItems({
  query,
  tree,
  sections,
  notes: allNotes,
  searchDeep,
}: PaletteItemsOptions): PaletteItem[] {
  const { isPaletteOpen, recentFiles } = useServices();
  const recent = useStore(recentFiles);
  const current = useCurrentFile();
  const text = useText().palette;
  const formatReplaced = useFormatReplaced();
  const navigate = useNavigate();
  const actions = useActions(query.kind === 'line' ? '' : query.words, query.kind === 'actions');
  const closing = (run: () => void) => (): void => {
    isPaletteOpen.set(false);
    run();
  };
  const opening = (path: string, hash = '') =>
    closing(() => void navigate({ to: '/file/$', params: { _splat: path }, hash }));

  const entries: PaletteItem[] = [];
  if (query.kind === 'line' && query.range !== null) {
    const hash = formatLineRange(query.range);
    const title = text.goToLine(hash.slice(1));
    const run = closing(() => void navigate({ to: '.', hash }));
    entries.push({ id: 'line', group: text.actions, icon: Hash, title, run });
  }
  if (query.kind === 'search' && query.words === '' && query.scope === null)
    for (const path of recent.filter((each) => each !== current && tree?.byPath.has(each)).slice(0, 6))
      entries.push({ id: `recent:${path}`, group: text.recent, path, run: opening(path) });
  if (query.kind === 'search' && tree !== undefined) {
    for (const { path } of matchingFiles(query, tree))
      entries.push({ id: `file:${path}`, group: text.files, path, run: opening(path) });
    for (const section of sections) {
      const hit = bestHit(section, query.words);
      const run = opening(hit.path, formatLineRange({ start: hit.line, end: hit.line }));
      const notes = section.replaced?.map(formatReplaced) ?? [];
      entries.push({ ...hit, notes, group: text.found, run });
    }
  }
  if (query.kind === 'search' && allNotes !== null) {
    const { words, scope } = query;
    const run = closing(() => void navigate({ to: '/search', search: { q: words, in: scope ?? undefined } }));
    entries.push({ id: 'all', group: text.found, icon: Search, title: text.seeAll(allNotes), run });
  }
  for (const action of actions)
    if (query.kind !== 'search' || query.words === '' || action.isAlways)
      entries.push({ ...action, group: text.actions, run: closing(action.run) });
  if (searchDeep !== null) {
    const { deep: title, deepHint: hint } = text;
    entries.push({ id: 'deep', group: text.actions, icon: Telescope, title, hint, run: searchDeep });
  }
  return entries;
}

/** Files whose path matches. For a folder without search terms, its first files. */
function matchingFiles(
  { words, scope }: Extract<PaletteQuery, { kind: 'search' }>,
  { files }: Tree,
): readonly TreeNode[] {
  const inScope = scope === null ? files : files.filter(({ path }) => path.startsWith(`${scope}/`));
  return words === '' && scope !== null ? inScope.slice(0, 8) : rankFiles(inScope, words, 6);
}

function bestHit(section: SearchResponse['sections'][number], words: string) {
  const path = section.path.replace(/^vault\//, '');
  return {
    id: `found:${path}:${section.lines.start}`,
    path,
    line: section.best,
    excerpt: section.text,
    words,
  };
}
