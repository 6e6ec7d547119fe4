import { z } from 'zod';
import { changeOutput } from '../contract/index.ts';
import { countLines, createYielder, extractBody, pluralize, splitLines } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import {
  failureResult,
  findContentProblem,
  recordChange,
  toFileLines,
  successResult,
} from './write-results.ts';
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
    'Create a file (and its folders), or replace a file that you have read completely. To change part of a file, use `edit` or',
    '`append`; if the new content drops more than a third of the lines, pass replace: true. Do not write the frontmatter fields created, updated and tokens; they are maintained automatically. Example:',
    '{"path": "vault/bucket/note.md", "content": "# Note\\nText.\\n"}',
  ].join(' '),
  input: z.strictObject({
    path: z.string().describe('Path of the file, ending in .md'),
    content: storedText().describe('Complete content of the file'),
    replace: z.boolean().optional().describe('Whether lines of the existing file may be dropped'),
  }),
  output: changeOutput,
  async run({ path: input, content, replace = false }, run) {
    const named = parsePathArgument(input, run.view);
    if (!named.ok) return failureResult(named.error);
    const { path, displayPath } = named;
    const pause = createYielder();
    const current = await run.view.read(path);
    await pause();
    if (current.kind === 'refused') return failureResult({ path: displayPath, message: current.reason });
    if (current.kind === 'folder')
      return failureResult({ path: displayPath, message: 'it is a folder; pass a file path' });
    const unseen =
      current.kind === 'file'
        ? ((await findContentProblem(run, path)) ?? overwriteProblem(run, path, current.bytes))
        : null;
    if (unseen !== null) return failureResult({ path: displayPath, message: unseen });
    const before = current.kind === 'file' ? current.bytes : null;
    const dropped =
      replace || before === null || run.toolInterface === 'command-line' ? 0 : countDropped(before, content);
    if (dropped > 0) return failureResult({ path: displayPath, message: dropMessage(dropped, run) });
    await pause();
    const staged = run.transaction.write(path, before, Buffer.from(content));
    if (!staged.ok) return failureResult({ path: displayPath, message: staged.reason });
    const problem = await findReplacementProblem(run, path, before, staged.bytes);
    if (problem !== null) return failureResult({ path: displayPath, message: problem });
    await pause();
    const change = recordChange(run, path, before, staged.bytes);
    await pause();
    // A person counts what they typed; a model needs the line numbers of the file.
    const counted = run.toolInterface === 'command-line' ? Buffer.from(content) : staged.bytes;
    const lines = pluralize(countLines(counted), 'line');
    return successResult(`${change.kind} ${displayPath} (${lines})`, [change]);
  },
});

/** Small files may be rewritten; their lines are easily counted by the reader. */
const minDroppedLines = 3;
const maxDroppedShare = 1 / 3;

/** The number of lines that the new content drops; 0 if it is small. */
function countDropped(before: Buffer, content: string): number {
  const lines = splitLines(extractBody(before.toString())).filter((line) => line.trim() !== '');
  const kept = new Set(splitLines(content).map((line) => line.trim()));
  const dropped = lines.filter((line) => !kept.has(line.trim())).length;
  return dropped >= minDroppedLines && dropped > lines.length * maxDroppedShare ? dropped : 0;
}

function dropMessage(dropped: number, { toolInterface }: WriteRun): string {
  const [append, edit] = [toolName('append', toolInterface), toolName('edit', toolInterface)];
  return `the new content drops ${dropped} of the existing lines; use ${append} or ${edit} to change part of a file, or pass replace: true to replace it all`;
}

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
