import type { Written } from '../changes/index.ts';
import type { PathError } from '../contract/index.ts';
import { block, numberedLines, showPath, splitLines } from '../vault/index.ts';
import { errorLine } from './define-tool.ts';

type Conflicts = Extract<Written, { kind: 'conflict' }>['files'];

/**
 * Files that were changed by somebody else meanwhile: what is wrong with each, and the lines as they are now. Who can decide
 * is shown both sides.
 */
export function showConflict(files: Conflicts, canDecide: boolean): { text: string; errors: PathError[] } {
  const errors = files.map(({ path, reason, conflicts }) => ({
    path: showPath(path),
    message: `${reason}${canDecide ? placesOf(conflicts) : ''}; nothing was written`,
  }));
  const blocks = files.flatMap(({ path, conflicts }) =>
    conflicts.flatMap(({ firstLine, present, wanted }) => {
      const lines = splitLines(present.join(''));
      const now = block(
        `${showPath(path)} (${placeOf(firstLine, lines.length)})`,
        numberedLines(lines, firstLine),
      );
      const instead = splitLines(wanted.join(''));
      const other =
        instead.length === 0
          ? 'Nothing was to stand there instead.'
          : block(`${showPath(path)} (what was to stand there instead)`, numberedLines(instead, firstLine));
      return canDecide ? [now, other] : [now];
    }),
  );
  return { text: [errors.map(errorLine).join('\n'), ...blocks].join('\n\n'), errors };
}

function placesOf(conflicts: Conflicts[number]['conflicts']): string {
  if (conflicts.length === 0) return '';
  const places = conflicts.map(({ firstLine, present }) =>
    placeOf(firstLine, splitLines(present.join('')).length),
  );
  return ` (${places.join(', ')})`;
}

function placeOf(firstLine: number, count: number): string {
  return count === 0 ? `before line ${firstLine}` : `lines ${firstLine}-${firstLine + count - 1}`;
}
