import { z } from 'zod';
import { changeOutput } from '../contract/index.ts';
import { pluralize, formatPath } from '../vault/index.ts';
import { failureResult, successResult } from './write-results.ts';
import { defineWriteTool } from './define-tool.ts';
import { createMissingPathErrors, parsePathArgument } from './path-argument.ts';
import { readRecursively } from './read-recursively.ts';

export const deleteTool = defineWriteTool({
  name: 'delete',
  title: 'Delete a file or folder',
  description:
    'Delete a file, or a folder with its contents. This can be undone. Example: {"path": "vault/inbox/2025-07-14-call/"}',
  input: z.strictObject({ path: z.string().describe('File or folder to delete') }),
  output: changeOutput,
  async run({ path: input }, run) {
    const named = parsePathArgument(input, run.view);
    if (!named.ok) return failureResult(named.error);
    const { path, displayPath } = named;
    if (run.view.layout().isBuiltIn(path))
      return failureResult({
        path: displayPath,
        message: 'it is required by every vault and cannot be deleted',
      });
    const current = await run.view.read(path);
    if (current.kind === 'missing')
      return failureResult(await createMissingPathErrors(run)({ path, displayPath }));
    if (current.kind === 'refused') return failureResult({ path: displayPath, message: current.reason });
    const below = await readRecursively(run, path, current.kind === 'folder');
    if ('error' in below) return failureResult(below.error);
    for (const file of below.files) {
      const staged = run.transaction.remove(file.path, file.bytes);
      if (!staged.ok) return failureResult({ path: formatPath(file.path), message: staged.reason });
    }
    for (const folder of below.folders) run.transaction.removeFolder(folder);
    for (const file of below.files) run.shownLines.forget(file.path);
    const what = current.kind === 'folder' ? ` (${pluralize(below.files.length, 'file')})` : '';
    return successResult(
      `deleted ${displayPath}${what}`,
      below.files.map((file) => ({ path: formatPath(file.path), kind: 'deleted' as const, revision: null })),
    );
  },
});
