import { parseLineRange } from '../file/line-range.ts';
import type { LineRange } from '../file/line-range.ts';
import type { Tree } from '../tree/build-tree.ts';

export type PaletteQuery =
  | { kind: 'actions'; words: string }
  | { kind: 'line'; range: LineRange | null }
  | { kind: 'search'; words: string; scope: string | null };

/** Parses the input: `>` for actions, `:` for a line, a leading folder to search only there. */
export function parseQuery(typed: string, tree: Tree | undefined): PaletteQuery {
  if (typed.startsWith('>')) return { kind: 'actions', words: typed.slice(1).trim() };
  if (typed.startsWith(':')) return { kind: 'line', range: parseLineRange(typed.slice(1).trim()) };
  const [, first = '', rest = ''] = /^\s*(\S+\/)\s*(.*)$/s.exec(typed) ?? [];
  const folder = first.replace(/^vault\//, '').replace(/\/$/, '');
  const isScope = first !== '' && (folder.includes('*') || tree?.byPath.get(folder)?.isFolder === true);
  return isScope
    ? { kind: 'search', words: rest.trim(), scope: folder }
    : { kind: 'search', words: typed.trim(), scope: null };
}
