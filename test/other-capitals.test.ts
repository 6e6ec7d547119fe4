import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tools } from '../packages/vault/src/tools/index.ts';
import { fakeDarwin } from './fake-darwin.ts';
import { temporaryVault } from './temporary-vault.ts';

fakeDarwin();

describe('a path in other capitals, on a disk that ignores case', () => {
  it('edits and deletes the file on disk, whatever the capitals of its path', async () => {
    const { folder, keepsake } = await temporaryVault({ 'Bucket/note.md': 'one\n', 'Bucket/b.md': 'two\n' });
    const change = async (...calls: [tool: string, input: object][]): Promise<string> => {
      const run = keepsake.writeRun('person');
      let text = '';
      for (const [tool, input] of calls) {
        const outcome = await tools.find(({ name }) => name === tool)?.call(input, run);
        text = outcome?.kind === 'result' ? outcome.result.text : '';
      }
      await run.transaction.commit({ origin: 'test', summary: 'change' });
      return text;
    };
    const edited = await change(
      ['read', { paths: 'bucket/Note.md' }],
      ['edit', { path: 'bucket/NOTE.md', old: 'one', new: 'three' }],
    );
    expect(edited).toContain('edited vault/Bucket/note.md');
    await change(['delete', { path: 'BUCKET/B.md' }]);
    expect(readdirSync(join(folder, 'Bucket'))).toEqual(['note.md']);
    expect(readFileSync(join(folder, 'Bucket/note.md'), 'utf8')).toContain('three');
    expect(keepsake.changes.list({ limit: 9 }).map(({ paths }) => paths)).toEqual([
      ['vault/Bucket/b.md'],
      ['vault/Bucket/note.md'],
    ]);
  });

  it('does not mistake a built-in file in other capitals for another one', async () => {
    const { text } = await temporaryVault({ 'overview.md': '# Overview\n' });
    expect(await text('delete', { path: 'OVERVIEW.md' })).toMatch(/required by every vault/);
  });
});
