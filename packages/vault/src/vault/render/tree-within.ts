import type { FolderEntry } from '../file-record.ts';
import { pluralize } from './format-quantities.ts';
import { renderTree, buildTreeRows } from './tree.ts';
import type { TreeRow } from './tree.ts';

/** A tree as text and as rows. */
export type RenderedTree = { rows: TreeRow[]; text: string };

/**
 * Renders as many levels as fit: deep folders are collapsed first, then long folders are truncated. The last parameter maps a tool
 * to its name in the interface of the reader.
 */
export function renderTreeWithin(
  folder: FolderEntry,
  depth: number | null,
  maxCharacters: number,
  toolNameOf = (tool: string): string => tool,
): RenderedTree {
  const maxRowCharacters = maxCharacters - 500;
  const fitting = (levels: number | null, entries: number | null, note = ''): RenderedTree | null => {
    const rows = buildTreeRows(folder, { depth: levels, entries }, maxRowCharacters);
    const whole = rows && rendered(rows, note);
    return whole !== null && whole.text.length <= maxCharacters ? whole : null;
  };
  const all = fitting(depth, null);
  if (all !== null) return all;
  const collapsed = (levels: number): RenderedTree | null =>
    fitting(
      levels,
      null,
      `collapsed to ${pluralize(levels, 'level')} to fit; call ${toolNameOf('tree')} with a folder path to see more`,
    );
  let best: RenderedTree | null = null;
  for (let levels = 1, next = collapsed(levels); next !== null; next = collapsed(levels)) {
    best = next;
    levels += 1;
  }
  for (let entries = 1024; best === null; entries = Math.floor(entries / 2)) {
    best = fitting(
      1,
      entries,
      `truncated to ${entries} entries to fit; pass a folder path, or use ${toolNameOf('search')} to find the rest`,
    );
  }
  return best;
}

function rendered(rows: TreeRow[], note: string): RenderedTree {
  const text = renderTree(rows);
  return { rows, text: note === '' ? text : `${text}\n\n${note}` };
}
