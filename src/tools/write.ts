import { z } from 'zod';
import { changeValue } from '../contract/index.ts';
import { count, revisionOf, splitLines } from '../vault/index.ts';
import { failure, noteChange, success } from './changing.ts';
import { defineWriteTool } from './define-tool.ts';
import { namePath } from './name-path.ts';

export const write = defineWriteTool({
  name: 'write',
  description: [
    'Creates a file, with its folders, or replaces one that was read. Use edit or append to change part of a file. The',
    'fields created, updated and tokens of the frontmatter are maintained; leave them out. Example:',
    '{"path": "vault/bucket/note.md", "content": "# Note\\nText.\\n"}',
  ].join(' '),
  input: z.strictObject({
    path: z.string().describe('The file; its name ends in .md'),
    content: z.string().describe('All of its text'),
  }),
  output: changeValue,
  async run({ path: input, content }, run) {
    const named = namePath(input);
    if (!named.ok) return failure(named.error);
    const { path, shown } = named;
    const present = await run.view.read(path);
    if (present.kind === 'refused') return failure({ path: shown, message: present.reason });
    if (present.kind === 'folder') return failure({ path: shown, message: 'it is a folder; name a file' });
    if (present.kind === 'file') {
      const read = run.filesRead.get(path);
      if (read === undefined)
        return failure({
          path: shown,
          message: 'it exists; read it before you replace it, or use append or edit',
        });
      if (read !== revisionOf(present.bytes))
        return failure({ path: shown, message: 'it changed since it was read; read it again' });
    }
    const before = present.kind === 'file' ? present.bytes : null;
    const staged = run.transaction.put(path, before, Buffer.from(content));
    if (!staged.ok) return failure({ path: shown, message: staged.reason });
    const kind = before === null ? 'created' : 'changed';
    const lines = count(splitLines(staged.bytes.toString()).length, 'line');
    return success(`${kind} ${shown} (${lines})`, [noteChange(run, path, staged.bytes, kind)]);
  },
});
