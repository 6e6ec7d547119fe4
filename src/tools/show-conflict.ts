import type { Written } from '../changes/index.ts';
import type { PathError } from '../contract/index.ts';
import { block, numberedLines, showPath, splitLines } from '../vault/index.ts';
import { errorLine } from './define-tool.ts';

type Conflicts = Extract<Written, { kind: 'conflict' }>['files'];

/** Files that were changed by somebody else meanwhile: what is wrong with each, and the lines as they are now. */
export function showConflict(files: Conflicts): { text: string; errors: PathError[] } {
  const errors = files.map(({ path, reason }) => ({
    path: showPath(path),
    message: `${reason}; nothing was written`,
  }));
  const blocks = files.flatMap(({ path, conflicts }) =>
    conflicts.map(({ firstLine, present }) => {
      const lines = splitLines(present.join(''));
      return block(
        `${showPath(path)} (lines ${firstLine}-${firstLine + lines.length - 1})`,
        numberedLines(lines, firstLine),
      );
    }),
  );
  return { text: [errors.map(errorLine).join('\n'), ...blocks].join('\n\n'), errors };
}
