import { z } from 'zod';
import { changeOutput } from '../contract/index.ts';
import { findUnresolvedReplacements, formatInput, formatPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import {
  failureResult,
  recordChange,
  toFileLines,
  renderContext,
  successResult,
  readTextFile,
} from './write-results.ts';
import { defineWriteTool } from './define-tool.ts';
import { parsePathArgument } from './path-argument.ts';
import type { WriteRun } from './run.ts';
import { isNotOnlyLineEnds, storedText } from './stored-text.ts';

export const appendTool = defineWriteTool({
  name: 'append',
  title: 'Append to a file',
  description: [
    'Add text to an existing file without reading it: at the top (below the frontmatter; for changelog entries) or at',
    'the bottom. It is separated by one empty line. Example: {"path": "vault/changelog.md",',
    '"content": "# 2025-07-15\\n\\n## Contract signed\\nText.", "position": "top"}',
  ].join(' '),
  input: z.strictObject({
    path: z.string().describe('Path of an existing file'),
    content: storedText().refine(isNotOnlyLineEnds, { error: 'must not be empty' }).describe('Text to add'),
    position: z.enum(['top', 'bottom']).describe('Where to add it'),
  }),
  output: changeOutput,
  async run({ path: input, content, position }, run) {
    const named = parsePathArgument(input);
    if (!named.ok) return failureResult(named.error);
    const { path, displayPath } = named;
    const current = await readTextFile(run, named);
    if ('error' in current) return failureResult(current.error);
    const { isChangelog, isTaskList } = run.view.layout();
    const isLog = isChangelog(path) || isTaskList(path);
    const staged = run.transaction.append(path, current.bytes, { text: content, position, isLog });
    if (!staged.ok) return failureResult({ path: displayPath, message: staged.reason });
    const change = recordChange(run, path, current.bytes, staged.bytes);
    const now = toFileLines(staged.bytes);
    const { added } = staged;
    const isReplacing = isChangelog(path) && content.includes('replaces:');
    const notes = isReplacing
      ? await formatUnresolvedReplacements(run, path, current.text, staged.bytes)
      : '';
    return successResult(`appended to ${displayPath}\n\n${renderContext(run, path, now, added)}${notes}`, [
      change,
    ]);
  },
});

/** Warns about a `replaces:` line that names no existing entry, while the caller can still correct it. */
async function formatUnresolvedReplacements(
  { view }: WriteRun,
  path: VaultPath,
  before: string,
  after: Buffer,
): Promise<string> {
  const missing = await findUnresolvedReplacements(view, path, { before, after: after.toString() });
  const notes = missing.flatMap(({ reference }) =>
    reference === null
      ? []
      : [
          `note: ${formatPath(reference.path)} has no earlier entry "${formatInput(reference.heading)}"; use the exact heading of the replaced entry`,
        ],
  );
  return notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
}
