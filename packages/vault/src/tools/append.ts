import { z } from 'zod';
import { addDayHeading } from '../changes/index.ts';
import { changeOutput } from '../contract/index.ts';
import { isOwnChangelog } from '../vault/index.ts';
import {
  failureResult,
  recordChange,
  toFileLines,
  renderContext,
  successResult,
  readTextFile,
} from './write-results.ts';
import { findReplacementProblem } from './check-replacements.ts';
import { defineWriteTool } from './define-tool.ts';
import { parsePathArgument } from './path-argument.ts';
import { isNotOnlyLineEnds, storedText } from './stored-text.ts';

export const appendTool = defineWriteTool({
  name: 'append',
  title: 'Append to a file',
  description: [
    'Add text to an existing file without reading it: at the top (below the frontmatter; for changelog entries) or at',
    'the bottom. It is separated by one empty line. A changelog entry is added under the heading of its day, or of today if it',
    'has none. Example: {"path": "vault/changelog.md",',
    '"content": "# 2025-07-15\\n\\n## Contract signed\\nText.", "position": "top"}',
  ].join(' '),
  input: z.strictObject({
    path: z.string().describe('Path of an existing file'),
    content: storedText().refine(isNotOnlyLineEnds, { error: 'must not be empty' }).describe('Text to add'),
    position: z.enum(['top', 'bottom']).describe('Where to add it'),
  }),
  output: changeOutput,
  async run({ path: input, content, position }, run) {
    const named = parsePathArgument(input, run.view);
    if (!named.ok) return failureResult(named.error);
    const { path, displayPath } = named;
    const current = await readTextFile(run, named);
    if ('error' in current) return failureResult(current.error);
    const layout = run.view.layout();
    const isLog = layout.isChangelog(path) || layout.isTaskList(path);
    const text = isOwnChangelog(path, layout) ? addDayHeading(content, run.today()) : content;
    const staged = run.transaction.append(path, current.bytes, { text, position, isLog });
    if (!staged.ok) return failureResult({ path: displayPath, message: staged.reason });
    const problem = await findReplacementProblem(run, path, current.bytes, staged.bytes);
    if (problem !== null) return failureResult({ path: displayPath, message: problem });
    const change = recordChange(run, path, current.bytes, staged.bytes);
    const now = toFileLines(staged.bytes);
    return successResult(`appended to ${displayPath}\n\n${renderContext(run, path, now, staged.added)}`, [
      change,
    ]);
  },
});
