import { z } from 'zod';
import { changeOutput } from '../contract/index.ts';
import { countLines, createYielder, pluralize } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { failureResult, recordChange, toFileLines, successResult } from './write-results.ts';
import { findReplacementProblem } from './check-replacements.ts';
import { defineWriteTool } from './define-tool.ts';
import { toolName } from './tool-names.ts';
import { parsePathArgument } from './path-argument.ts';
import type { WriteRun } from './run.ts';
import { storedText } from './stored-text.ts';

export const writeTool = defineWriteTool({
  name: 'write',
  title: 'Write a file',
  description: [
    'Create a file (and its folders), or replace a file that you have read completely. To change part of a file, use edit or',
    'append. Do not write the frontmatter fields created, updated and tokens; they are maintained automatically. Example:',
    '{"path": "vault/bucket/note.md", "content": "# Note\\nText.\\n"}',
  ].join(' '),
  input: z.strictObject({
    path: z.string().describe('Path of the file, ending in .md'),
    content: storedText().describe('Complete content of the file'),
  }),
  output: changeOutput,
  async run({ path: input, content }, run) {
    const named = parsePathArgument(input);
    if (!named.ok) return failureResult(named.error);
    const { path, displayPath } = named;
    const pause = createYielder();
    const current = await run.view.read(path);
    await pause();
    if (current.kind === 'refused') return failureResult({ path: displayPath, message: current.reason });
    if (current.kind === 'folder')
      return failureResult({ path: displayPath, message: 'it is a folder; pass a file path' });
    const unseen = current.kind === 'file' ? overwriteProblem(run, path, current.bytes) : null;
    if (unseen !== null) return failureResult({ path: displayPath, message: unseen });
    const before = current.kind === 'file' ? current.bytes : null;
    await pause();
    const staged = run.transaction.write(path, before, Buffer.from(content));
    if (!staged.ok) return failureResult({ path: displayPath, message: staged.reason });
    const problem = await findReplacementProblem(run, path, before, staged.bytes);
    if (problem !== null) return failureResult({ path: displayPath, message: problem });
    await pause();
    const change = recordChange(run, path, before, staged.bytes);
    await pause();
    const lines = pluralize(countLines(staged.bytes), 'line');
    return successResult(`${change.kind} ${displayPath} (${lines})`, [change]);
  },
});

/** A run may overwrite a file only after it was shown the whole current content. */
function overwriteProblem(
  { shownLines, toolInterface }: WriteRun,
  path: VaultPath,
  bytes: Buffer,
): string | null {
  const current = toFileLines(bytes);
  if (shownLines.isFullyShown(path, current)) return null;
  const [append, edit] = [toolName('append', toolInterface), toolName('edit', toolInterface)];
  if (toolInterface === 'command-line')
    return `the file exists; replace it with --force, or use ${append} or ${edit}`;
  if (!shownLines.has(path)) return `the file exists; read it first, or use ${append} or ${edit}`;
  return shownLines.has(path, current.revision)
    ? `only part of the file was shown; read all of it first, or use ${append} or ${edit}`
    : 'the file changed after it was read; read it again';
}
