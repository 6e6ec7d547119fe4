import { useNavigate } from '@tanstack/react-router';
import { Hash, Search, Telescope } from 'lucide-react';
import { useReplaced } from '../answers/use-replaced.ts';
import type { Found } from '../api/files-api.ts';
import { showLineRange } from '../file/line-range.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import type { Tree, TreeNode } from '../tree/build-tree.ts';
import type { Entry } from './entry.ts';
import type { PaletteQuery } from './parse-query.ts';
import { rankFiles } from './rank-files.ts';
import { useActions } from './use-actions.ts';

type Asked = {
  query: PaletteQuery;
  tree: Tree | undefined;
  /** What was found in the files. */
  sections: Found['sections'];
  /** How many there are in all. */
  found: number;
  /** Null where there is nothing to search for, or it is done already. */
  goDeep: (() => void) | null;
};

/** Everything that the palette offers for what was typed, in order. */
export function useEntries({ query, tree, sections, found, goDeep }: Asked): Entry[] {
  const { palette } = useServices();
  const text = useText().palette;
  const sayReplaced = useReplaced();
  const navigate = useNavigate();
  const actions = useActions(query.kind === 'line' ? '' : query.words, query.kind === 'actions');
  const closing = (run: () => void) => (): void => {
    palette.set(false);
    run();
  };
  const opening = (path: string, hash = '') =>
    closing(() => void navigate({ to: '/file/$', params: { _splat: path }, hash }));

  const entries: Entry[] = [];
  if (query.kind === 'line' && query.range !== null) {
    const hash = showLineRange(query.range);
    const title = text.goToLine(hash.slice(1));
    const run = closing(() => void navigate({ to: '.', hash }));
    entries.push({ id: 'line', group: text.actions, sign: Hash, title, run });
  }
  if (query.kind === 'search' && tree !== undefined) {
    for (const { path } of filesFor(query, tree))
      entries.push({ id: `file:${path}`, group: text.files, path, run: opening(path) });
    for (const section of sections) {
      const hit = hitIn(section, query.words);
      const run = opening(hit.path, showLineRange({ start: hit.line, end: hit.line }));
      const notes = section.replaced?.map(sayReplaced) ?? [];
      entries.push({ ...hit, notes, group: text.found, run });
    }
  }
  if (query.kind === 'search' && found > sections.length) {
    const { words, scope } = query;
    const run = closing(() => void navigate({ to: '/search', search: { q: words, in: scope ?? undefined } }));
    entries.push({ id: 'all', group: text.found, sign: Search, title: text.seeAll(found), run });
  }
  for (const action of actions)
    if (query.kind !== 'search' || query.words === '' || action.isAlways)
      entries.push({ ...action, group: text.actions, run: closing(action.run) });
  if (goDeep !== null) {
    const { deep: title, deepHint: hint } = text;
    entries.push({ id: 'deep', group: text.actions, sign: Telescope, title, hint, run: goDeep });
  }
  return entries;
}

/** Files by their paths; of a folder that was named alone, some of those in it. */
function filesFor(
  { words, scope }: Extract<PaletteQuery, { kind: 'search' }>,
  { files }: Tree,
): readonly TreeNode[] {
  const inScope = scope === null ? files : files.filter(({ path }) => path.startsWith(`${scope}/`));
  return words === '' && scope !== null ? inScope.slice(0, 8) : rankFiles(inScope, words, 6);
}

function hitIn(section: Found['sections'][number], words: string) {
  const path = section.path.replace(/^vault\//, '');
  return {
    id: `found:${path}:${section.lines.start}`,
    path,
    line: section.best,
    excerpt: section.text,
    words,
  };
}
