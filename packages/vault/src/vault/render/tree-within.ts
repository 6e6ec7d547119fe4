import type { FolderEntry } from '../entry.ts';
import { count } from './quantities.ts';
import { renderTree, treeRows } from './tree.ts';
import type { TreeRow } from './tree.ts';

/** A tree as text, and the rows it was made from. */
export type RenderedTree = { rows: TreeRow[]; text: string };

/**
 * As many levels as fit: deeper folders are collapsed first, then long folders are cut short. `nameOf` gives what the reader
 * calls a tool.
 */
export function treeWithin(
  folder: FolderEntry,
  depth: number | null,
  characters: number,
  nameOf = (tool: string): string => tool,
): RenderedTree {
  const room = characters - 500;
  const fitting = (levels: number | null, entries: number | null, note = ''): RenderedTree | null => {
    const rows = treeRows(folder, { depth: levels, entries }, room);
    const whole = rows && rendered(rows, note);
    return whole !== null && whole.text.length <= characters ? whole : null;
  };
  const all = fitting(depth, null);
  if (all !== null) return all;
  const collapsed = (levels: number): RenderedTree | null =>
    fitting(
      levels,
      null,
      `collapsed to ${count(levels, 'level')} to fit; call ${nameOf('tree')} with the path of a folder to see more of it`,
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
      `cut to ${entries} entries to fit; name a folder in it, or use ${nameOf('search')} to find what is not shown`,
    );
  }
  return best;
}

function rendered(rows: TreeRow[], note: string): RenderedTree {
  const text = renderTree(rows);
  return { rows, text: note === '' ? text : `${text}\n\n${note}` };
}
