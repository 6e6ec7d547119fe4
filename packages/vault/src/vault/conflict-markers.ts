import { splitLines } from './lines.ts';
import { startOutline } from './outline.ts';

/** What git leaves in a file that it could not merge: the lines of one side, and those of the other. */
export type MarkedConflict = { ours: string[]; theirs: string[] };

/** Whole ones only, and not those that are quoted in a block of code. */
export function markedConflicts(text: string): MarkedConflict[] {
  if (!/^<{7} /m.test(text)) return [];
  const outline = startOutline();
  const found: MarkedConflict[] = [];
  let open: (MarkedConflict & { into: 'ours' | 'base' | 'theirs' }) | null = null;
  for (const line of splitLines(text)) {
    const { verbatim } = outline(line);
    if (open === null) {
      if (!verbatim && line.startsWith('<<<<<<< ')) open = { ours: [], theirs: [], into: 'ours' };
    } else if (open.into === 'ours' && line.startsWith('||||||| ')) open.into = 'base';
    else if (open.into !== 'theirs' && line === '=======') open.into = 'theirs';
    else if (open.into === 'theirs' && line.startsWith('>>>>>>> ')) {
      found.push({ ours: open.ours, theirs: open.theirs });
      open = null;
    } else if (open.into !== 'base') open[open.into].push(line);
  }
  return found;
}
