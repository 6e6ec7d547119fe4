import { splitKeepingEnds, stripLineEnding } from './lines.ts';
import { createOutlineParser } from './outline.ts';

/** The two sides of a merge conflict that git left in a file. */
export type ConflictMarkers = { ours: string[]; theirs: string[] };

/** Parses complete conflicts outside of code blocks. */
export function parseConflictMarkers(text: string): ConflictMarkers[] {
  return splitAtConflicts(text)
    .filter((part) => typeof part !== 'string')
    .map(({ ours, theirs }) => ({ ours: ours.map(stripLineEnding), theirs: theirs.map(stripLineEnding) }));
}

/** Replaces each complete conflict by one of its sides, or by both. All other lines keep their endings. */
export function resolveConflictMarkers(text: string, keep: 'ours' | 'theirs' | 'both'): string {
  const lines = splitAtConflicts(text).flatMap((part) => {
    if (typeof part === 'string') return [part];
    return keep === 'both' ? [...part.ours, ...part.theirs] : part[keep];
  });
  return lines.join('');
}

/** The lines of a text with their endings, with each complete conflict as one element. */
function splitAtConflicts(text: string): (string | ConflictMarkers)[] {
  if (!/^<{7} /m.test(text)) return splitKeepingEnds(text);
  const outline = createOutlineParser();
  const parts: (string | ConflictMarkers)[] = [];
  let open: (ConflictMarkers & { into: 'ours' | 'base' | 'theirs'; raw: string[] }) | null = null;
  for (const raw of splitKeepingEnds(text)) {
    const line = stripLineEnding(raw);
    const { isVerbatim } = outline(line);
    if (open === null) {
      if (!isVerbatim && line.startsWith('<<<<<<< '))
        open = { ours: [], theirs: [], into: 'ours', raw: [raw] };
      else parts.push(raw);
      continue;
    }
    open.raw.push(raw);
    if (open.into === 'ours' && line.startsWith('||||||| ')) open.into = 'base';
    else if (open.into !== 'theirs' && line === '=======') open.into = 'theirs';
    else if (open.into === 'theirs' && line.startsWith('>>>>>>> ')) {
      parts.push({ ours: open.ours, theirs: open.theirs });
      open = null;
    } else if (open.into !== 'base') open[open.into].push(raw);
  }
  return open === null ? parts : [...parts, ...open.raw];
}
