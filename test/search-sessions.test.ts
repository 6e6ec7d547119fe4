import { expect, it } from 'vitest';
import { agentVault } from './agents/agent-vault.ts';

it('search ranks a note before session notes that say the same, however many there are, and still finds those', async () => {
  const other = 'We looked at what there is. '.repeat(8);
  const session = (index: number): string =>
    `# Database for the warehouse\n\n## 09:00\n\n> the database of the warehouse is SQLite ${index}\n`;
  const sessions = Array.from({ length: 60 }, (_, index) => [
    `projects/x/bucket/sessions/2026-10-01-${1000 + index}-codex-${index}.md`,
    session(index),
  ]);
  const { keepsake } = await agentVault({
    ...Object.fromEntries(sessions),
    'projects/x/notes.md': `${other}\n\nFor the warehouse we use SQLite as the database.\n\n${other}\n`,
  });
  await keepsake.search.prepare('fast', () => undefined);
  const found = await keepsake
    .readRun('model')
    .search({ queries: ['database warehouse SQLite'], mode: 'fast' });
  const paths = found.kind === 'found' ? found.passages.map(({ path }) => path) : [];
  expect(paths[0]).toBe('vault/projects/x/notes.md');
  expect(paths[1]).toContain('/bucket/sessions/');
});
