import { z } from 'zod';
import { changeValue } from '../contract/index.ts';
import { count, showPath } from '../vault/index.ts';
import { failure, success } from './changing.ts';
import { defineWriteTool } from './define-tool.ts';
import { explainMissing, namePath } from './name-path.ts';
import { readBelow } from './read-below.ts';

export const remove = defineWriteTool({
  name: 'delete',
  title: 'Delete a file or folder',
  description:
    'Deletes a file, or a folder with everything in it. It can be undone. Example: {"path": "vault/inbox/2025-07-14-call/"}',
  input: z.strictObject({ path: z.string().describe('A file or folder') }),
  output: changeValue,
  async run({ path: input }, run) {
    const named = namePath(input);
    if (!named.ok) return failure(named.error);
    const { path, shown } = named;
    if (run.view.layout().isFixed(path))
      return failure({ path: shown, message: 'it belongs to every vault and cannot be deleted' });
    const present = await run.view.read(path);
    if (present.kind === 'missing') return failure(await explainMissing(run)({ path, shown }));
    if (present.kind === 'refused') return failure({ path: shown, message: present.reason });
    const below = await readBelow(run, path, present.kind === 'folder');
    if ('error' in below) return failure(below.error);
    for (const file of below.files) {
      const staged = run.transaction.remove(file.path, file.bytes);
      if (!staged.ok) return failure({ path: showPath(file.path), message: staged.reason });
    }
    for (const folder of below.folders) run.transaction.removeFolder(folder);
    for (const file of below.files) run.shown.forget(file.path);
    const what = present.kind === 'folder' ? ` (${count(below.files.length, 'file')})` : '';
    return success(
      `deleted ${shown}${what}`,
      below.files.map((file) => ({ path: showPath(file.path), kind: 'deleted' as const, revision: null })),
    );
  },
});
