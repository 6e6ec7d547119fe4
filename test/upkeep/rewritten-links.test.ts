import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUpkeepVault, stamped, until } from './upkeep-vault.ts';

const stamps = 'created: 2025-01-01T10:00:00\nupdated: 2025-01-01T10:00:00\n';

describe('a note whose links were rewritten after a move', () => {
  it.each(['while upkeep runs', 'while upkeep is stopped'])(
    'keeps its date if the move happens %s',
    async (when) => {
      const vault = await createUpkeepVault({
        files: {
          'bucket/a.md': 'a\n',
          'bucket/b.md': `---\n${stamps}tokens: 4\n---\n\n[to a](a.md)\n`,
          'bucket/c.md': '[[a]]\n',
        },
      });
      const upkeep = await vault.start();
      if (when !== 'while upkeep runs') await upkeep.stop();
      const { keepsake, read } = vault;
      await keepsake.callTool({
        tool: 'move',
        input: { from: 'bucket/a.md', to: 'projects/x/a.md' },
        reader: 'person',
        origin: 'test',
      });
      // After this, its bytes are in history and no longer in the journal.
      await keepsake.changes.record();
      if (when !== 'while upkeep runs') await vault.start();
      await vault.silence();
      expect(read('bucket/b.md')).toBe(`---\n${stamps}tokens: 7\n---\n\n[to a](../projects/x/a.md)\n`);
      expect(read('bucket/c.md')).toBe('[[a]]\n');
      // A later edit by the user updates the date.
      appendFileSync(join(vault.folder, 'bucket/b.md'), 'More.\n');
      await until(() => !read('bucket/b.md').includes('updated: 2025'), 'the edit is dated');
      expect(read('bucket/b.md')).toMatch(stamped);
    },
  );
});
