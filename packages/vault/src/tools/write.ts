import { z } from 'zod';
import { changeValue } from '../contract/index.ts';
import { count, splitLines } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { failure, noteChange, presentLines, success } from './changing.ts';
import { defineWriteTool } from './define-tool.ts';
import { toolName } from './door.ts';
import { namePath } from './name-path.ts';
import type { WriteRun } from './run.ts';
import { storedText } from './stored-text.ts';

export const write = defineWriteTool({
  name: 'write',
  title: 'Write a file',
  description: [
    'Creates a file, with its folders, or replaces one that was read. Use edit or append to change part of a file. The',
    'fields created, updated and tokens of the frontmatter are maintained; leave them out. Example:',
    '{"path": "vault/bucket/note.md", "content": "# Note\\nText.\\n"}',
  ].join(' '),
  input: z.strictObject({
    path: z.string().describe('The file; its name ends in .md'),
    content: storedText().describe('All of its text'),
  }),
  output: changeValue,
  async run({ path: input, content }, run) {
    const named = namePath(input);
    if (!named.ok) return failure(named.error);
    const { path, shown } = named;
    const present = await run.view.read(path);
    if (present.kind === 'refused') return failure({ path: shown, message: present.reason });
    if (present.kind === 'folder') return failure({ path: shown, message: 'it is a folder; name a file' });
    const unseen = present.kind === 'file' ? whyNotReplaced(run, path, present.bytes) : null;
    if (unseen !== null) return failure({ path: shown, message: unseen });
    const before = present.kind === 'file' ? present.bytes : null;
    const staged = run.transaction.put(path, before, Buffer.from(content));
    if (!staged.ok) return failure({ path: shown, message: staged.reason });
    const change = noteChange(run, path, before, staged.bytes);
    const lines = count(splitLines(staged.bytes.toString()).length, 'line');
    return success(`${change.kind} ${shown} (${lines})`, [change]);
  },
});

/** Who replaces all of a file must have seen all of it, as it is now. */
function whyNotReplaced({ shown, door }: WriteRun, path: VaultPath, bytes: Buffer): string | null {
  const present = presentLines(bytes);
  if (shown.isWhole(path, present)) return null;
  const [append, edit] = [toolName('append', door), toolName('edit', door)];
  if (door === 'command-line') return `it exists; replace it with --force, or use ${append} or ${edit}`;
  if (!shown.has(path)) return `it exists; read it before you replace it, or use ${append} or ${edit}`;
  return shown.has(path, present.revision)
    ? `only part of it was shown; read all of it before you replace it, or use ${append} or ${edit}`
    : 'it changed since it was read; read it again';
}
