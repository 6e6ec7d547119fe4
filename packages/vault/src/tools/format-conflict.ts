import type { WriteResult } from '../changes/index.ts';
import type { PathError } from '../contract/index.ts';
import { renderBlock, formatNumberedLines, formatPath, splitLines } from '../vault/index.ts';
import { formatPathError } from './define-tool.ts';

type Conflicts = Extract<WriteResult, { kind: 'conflict' }>['files'];

/**
 * Formats the conflicts of a commit: an error per file and its current lines. A caller who can resolve the conflict is shown both
 * sides.
 */
export function formatConflict(
  files: Conflicts,
  showBothSides: boolean,
): { text: string; errors: PathError[] } {
  const errors = files.map(({ path, reason, conflicts }) => ({
    path: formatPath(path),
    message: `${reason}${showBothSides ? formatLocations(conflicts) : ''}; nothing was written`,
  }));
  const blocks = files.flatMap(({ path, conflicts }) =>
    conflicts.flatMap(({ firstLine, current, incoming }) => {
      const lines = splitLines(current.join(''));
      const now = renderBlock(
        `${formatPath(path)} (${formatLocation(firstLine, lines.length)})`,
        formatNumberedLines(lines, firstLine),
      );
      const instead = splitLines(incoming.join(''));
      const other =
        instead.length === 0
          ? 'The proposed change deletes these lines.'
          : renderBlock(`${formatPath(path)} (proposed lines)`, formatNumberedLines(instead, firstLine));
      return showBothSides ? [now, other] : [now];
    }),
  );
  return { text: [errors.map(formatPathError).join('\n'), ...blocks].join('\n\n'), errors };
}

function formatLocations(conflicts: Conflicts[number]['conflicts']): string {
  if (conflicts.length === 0) return '';
  const places = conflicts.map(({ firstLine, current }) =>
    formatLocation(firstLine, splitLines(current.join('')).length),
  );
  return ` (${places.join(', ')})`;
}

function formatLocation(firstLine: number, count: number): string {
  return count === 0 ? `before line ${firstLine}` : `lines ${firstLine}-${firstLine + count - 1}`;
}
