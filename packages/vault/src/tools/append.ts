import { z } from 'zod';
import { changeValue } from '../contract/index.ts';
import { replacedNowhere, showInput, showPath } from '../vault/index.ts';
import type { LineRange, VaultPath } from '../vault/index.ts';
import { failure, noteChange, presentLines, showAround, success, textAt } from './changing.ts';
import { defineWriteTool } from './define-tool.ts';
import { namePath } from './name-path.ts';
import type { WriteRun } from './run.ts';
import { isNotOnlyLineEnds, storedText } from './stored-text.ts';

export const append = defineWriteTool({
  name: 'append',
  title: 'Add to a file',
  description: [
    'Adds text to a file without reading it: at the top, below the frontmatter (new changelog entries), or at the',
    'bottom. One empty line separates it. Example: {"path": "vault/changelog.md",',
    '"content": "# 2025-07-15\\n\\n## Contract signed\\nText.", "position": "top"}',
  ].join(' '),
  input: z.strictObject({
    path: z.string().describe('An existing file'),
    content: storedText()
      .refine(isNotOnlyLineEnds, { error: 'must not be empty' })
      .describe('The text to add'),
    position: z.enum(['top', 'bottom']).describe('Where to add it'),
  }),
  output: changeValue,
  async run({ path: input, content, position }, run) {
    const named = namePath(input);
    if (!named.ok) return failure(named.error);
    const { path, shown } = named;
    const present = await textAt(run, named);
    if ('error' in present) return failure(present.error);
    const { isChangelog, isTaskList } = run.view.layout();
    const isLog = isChangelog(path) || isTaskList(path);
    const staged = run.transaction.append(path, present.bytes, { text: content, position, isLog });
    if (!staged.ok) return failure({ path: shown, message: staged.reason });
    const change = noteChange(run, path, present.bytes, staged.bytes);
    const now = presentLines(staged.bytes);
    const { added } = staged;
    const isReplacing = isChangelog(path) && content.includes('replaces:');
    const notes = isReplacing ? await nowhereNotes(run, path, added) : '';
    return success(`appended to ${shown}\n\n${showAround(run, path, now, added)}${notes}`, [change]);
  },
});

/** Who names an entry from memory is told when there is none, while it can still be mended. */
async function nowhereNotes({ view }: WriteRun, path: VaultPath, added: LineRange): Promise<string> {
  const missing = await replacedNowhere(view, path, added);
  const notes = missing.map(
    ({ path: named, heading }) =>
      `note: ${showPath(named)} has no earlier entry "${showInput(heading)}"; name the one that is replaced as it stands there`,
  );
  return notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
}
