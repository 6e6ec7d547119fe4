import { z } from 'zod';
import { changeOutput } from '../contract/index.ts';
import { splitLines } from '../vault/index.ts';
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
import { maxReportedMatches, applyEdit } from './apply-edit.ts';
import { isNotOnlyLineEnds, storedText } from './stored-text.ts';
import { formatLineRange } from './read-range.ts';

/** Maximum number of lines shown when `old` does not match; the line numbers in `old` may span any range. */
const maxLinesNear = 20;

export const editTool = defineWriteTool({
  name: 'edit',
  title: 'Edit a file',
  description: [
    'Replace lines that `read` or `search` has shown. Copy old from there, including the line numbers; the text must match',
    'exactly. Write new without line numbers. To insert lines, repeat the existing line in new and add the new lines below it.',
    'Example: {"path": "vault/tasks.md", "old": "8  | status: to-do | prio: high", "new": "status: in-progress | prio: high"}',
  ].join(' '),
  input: z.strictObject({
    path: z.string().describe('Path of the file'),
    old: storedText()
      .refine(isNotOnlyLineEnds, { error: 'must not be empty; copy the lines to replace exactly as shown' })
      .describe('Lines to replace, exactly as shown, with line numbers'),
    new: storedText().describe('Replacement text without line numbers; empty to delete the lines'),
  }),
  output: changeOutput,
  async run({ path: input, old, new: replacement }, run) {
    const named = parsePathArgument(input, run.view);
    if (!named.ok) return failureResult(named.error);
    const { path, displayPath } = named;
    const current = await readTextFile(run, named);
    if ('error' in current) return failureResult(current.error);
    if (!run.shownLines.has(path))
      return failureResult({
        path: displayPath,
        message: 'read the file first; old must be copied from lines that were shown',
      });
    const before = toFileLines(current.bytes);
    const placed = applyEdit(current.text, old, replacement);
    if (placed.kind === 'ambiguous') {
      const { places } = placed;
      const times = places.length > maxReportedMatches ? `more than ${maxReportedMatches}` : places.length;
      const lines = places.slice(0, maxReportedMatches).join(', ');
      const message = `old occurs ${times} times, at lines ${lines}; include the line numbers`;
      return failureResult({ path: displayPath, message });
    }
    if (placed.kind === 'numbered-replacement')
      return failureResult({
        path: displayPath,
        message:
          'new seems to contain line numbers that continue those of old; remove them, or, if they are part of the text, pass old without line numbers',
      });
    if (placed.kind === 'missing') {
      const { near } = placed;
      const message = 'old does not match the file';
      if (near === null || before.lines.length === 0)
        return failureResult({
          path: displayPath,
          message: `${message}; read it and copy the lines exactly as shown`,
        });
      const start = Math.min(near.start, before.lines.length);
      const end = Math.min(near.end, before.lines.length, start + maxLinesNear);
      const around = renderContext(run, path, before, { start, end });
      return failureResult({ path: displayPath, message: `${message}; current lines:` }, `\n\n${around}`);
    }
    const unseen = run.shownLines.findUnseen(path, before, placed.replaced);
    if (unseen !== null) {
      const lines = formatLineRange(unseen);
      const message = `lines ${lines} have not been shown; read ${displayPath}:${lines} first`;
      return failureResult({ path: displayPath, message });
    }
    const staged = run.transaction.write(path, current.bytes, Buffer.from(placed.text));
    if (!staged.ok) return failureResult({ path: displayPath, message: staged.reason });
    const problem = await findReplacementProblem(run, path, current.bytes, staged.bytes);
    if (problem !== null) return failureResult({ path: displayPath, message: problem });
    const change = recordChange(run, path, current.bytes, staged.bytes);
    const now = toFileLines(staged.bytes);
    // Added stamps shift all lines below the frontmatter down.
    const shift = now.lines.length - splitLines(placed.text).length;
    const moved =
      placed.movedFrom === null ? '' : `; the lines had moved from ${placed.movedFrom} to ${placed.first}`;
    const unnumbered = placed.isUnnumbered ? '; line numbers in new were removed' : '';
    const around = renderContext(run, path, now, { start: placed.first + shift, end: placed.last + shift });
    return successResult(`edited ${displayPath}${moved}${unnumbered}\n\n${around}`, [change]);
  },
});
