import { splitLines } from './lines.ts';
import { createOutlineParser } from './outline.ts';

/** The two sides of a merge conflict that git left in a file. */
export type ConflictMarkers = { ours: string[]; theirs: string[] };

/** Parses complete conflicts outside of code blocks. */
export function parseConflictMarkers(text: string): ConflictMarkers[] {
  if (!/^<{7} /m.test(text)) return [];
  const outline = createOutlineParser();
  const found: ConflictMarkers[] = [];
  let open: (ConflictMarkers & { into: 'ours' | 'base' | 'theirs' }) | null = null;
  for (const line of splitLines(text)) {
    const { isVerbatim } = outline(line);
    if (open === null) {
      if (!isVerbatim && line.startsWith('<<<<<<< ')) open = { ours: [], theirs: [], into: 'ours' };
    } else if (open.into === 'ours' && line.startsWith('||||||| ')) open.into = 'base';
    else if (open.into !== 'theirs' && line === '=======') open.into = 'theirs';
    else if (open.into === 'theirs' && line.startsWith('>>>>>>> ')) {
      found.push({ ours: open.ours, theirs: open.theirs });
      open = null;
    } else if (open.into !== 'base') open[open.into].push(line);
  }
  return found;
}
