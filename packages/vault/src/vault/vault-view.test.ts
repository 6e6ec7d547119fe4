import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryDatabase } from '../../../../test/changes-database.ts';
import { roomVault } from '../../../../test/room-vault.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { createCatalogueStore } from './catalogue-store.ts';
import { createCatalogue } from './catalogue.ts';
import { resolveRoot } from './open-path.ts';
import { parseVaultPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { createView } from './vault-view.ts';
import type { VaultView, ViewEntry } from './vault-view.ts';

const note = (parseVaultPath('note.md') as { path: VaultPath }).path;
const textOf = async (viewed: ViewEntry): Promise<string> =>
  viewed.kind === 'file' ? String(await viewed.source.read(0, viewed.source.size)) : viewed.kind;

describe('the view of a file', () => {
  it('reads the file again when it changes during the read', async () => {
    const { folder, view } = await roomVault({ 'note.md': 'before!\n' });
    let reads = 0;
    const text = await view.withEntry(note, async (viewed) => {
      reads += 1;
      if (reads === 1) writeFileSync(join(folder, 'note.md'), 'after!!\n');
      return textOf(viewed);
    });
    expect({ reads, text }).toEqual({ reads: 2, text: 'after!!\n' });
  });

  it('gives up with a reason when the file keeps changing', async () => {
    const { folder, view } = await roomVault({ 'note.md': '' });
    let size = 0;
    const reason = await view.withEntry(note, async (viewed) => {
      writeFileSync(join(folder, 'note.md'), 'x'.repeat((size += 1)));
      return viewed.kind === 'refused' ? viewed.reason : '';
    });
    expect(reason).toMatch(/keeps changing/);
  });

  it('reports a file that a sync service has offloaded', async () => {
    const { view } = await roomVault({ '.note.md.icloud': 'placeholder' });
    const reason = await view.withEntry(note, async (viewed) =>
      viewed.kind === 'refused' ? viewed.reason : '',
    );
    expect(reason).toMatch(/has not downloaded this file/);
  });

  it('reports a missing file and suggests a similar one', async () => {
    const { view } = await roomVault({ 'projects/x/notes.md': 'x' });
    expect(await view.withEntry(note, textOf)).toBe('missing');
    expect(await view.suggestPath(note)).toBe('vault/projects/x/notes.md');
  });

  it('suggests nothing for a missing file without a similar one', async () => {
    const { view } = await roomVault({ 'bucket/note.md': 'x', 'sous/x.md': 'x' });
    for (const far of ['vault/gone.md', 'vault/bucket/*.md'])
      expect(await view.suggestPath(far as VaultPath)).toBeNull();
  });
});

describe('the dated tasks of a view', () => {
  const titlesIn = async (view: Pick<VaultView, 'findTasks'>): Promise<string[]> =>
    (await view.findTasks('dated')).flatMap(({ tasks }) => tasks.map(({ title }) => title)).toSorted();

  it('include those of a file that is too large to be read at once', async () => {
    const filler = 'Some words.\n'.repeat(100_000);
    const { view } = await roomVault({ 'large.md': `${filler}- [ ] Pay 📅 2026-07-14\n` });
    expect(await titlesIn(view)).toEqual(['Pay']);
  });

  it('are read from the notes when they cannot be stored', async () => {
    const folder = temporaryFolder();
    layOut(folder, { 'a.md': '- [ ] Pay 📅 2026-07-14\n', 'b/c.md': '- [w] Reply\n', 'd.png': 'x' });
    const database = memoryDatabase();
    const failures: string[] = [];
    const store = createCatalogueStore(database, ({ message }) => void failures.push(message));
    database.pragma('query_only = true');
    const root = resolveRoot(folder);
    const view = createView(root, createCatalogue(root, store, Date.now));
    expect(await titlesIn(view)).toEqual(['Pay', 'Reply']);
    expect(failures.length).toBeGreaterThan(0);
  });
});
