import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import { parseVaultPath } from './path.ts';
import type { VaultPath } from './path.ts';
import type { Viewed } from './view.ts';

const note = (parseVaultPath('note.md') as { path: VaultPath }).path;
const textOf = async (viewed: Viewed): Promise<string> =>
  viewed.kind === 'file' ? String(await viewed.source.read(0, viewed.source.size)) : viewed.kind;

describe('looking at a file', () => {
  it('that is written meanwhile looks again, so that what is told belongs together', async () => {
    const { folder, view } = await roomVault({ 'note.md': 'before!\n' });
    let looks = 0;
    const text = await view.look(note, async (viewed) => {
      looks += 1;
      if (looks === 1) writeFileSync(join(folder, 'note.md'), 'after!!\n');
      return textOf(viewed);
    });
    expect({ looks, text }).toEqual({ looks: 2, text: 'after!!\n' });
  });

  it('that never stops changing gives up with a reason', async () => {
    const { folder, view } = await roomVault({ 'note.md': '' });
    let size = 0;
    const reason = await view.look(note, async (viewed) => {
      writeFileSync(join(folder, 'note.md'), 'x'.repeat((size += 1)));
      return viewed.kind === 'refused' ? viewed.reason : '';
    });
    expect(reason).toMatch(/being written/);
  });

  it('that a sync service took off the disk says that it is not here yet', async () => {
    const { view } = await roomVault({ '.note.md.icloud': 'placeholder' });
    const reason = await view.look(note, async (viewed) => (viewed.kind === 'refused' ? viewed.reason : ''));
    expect(reason).toMatch(/not on this machine yet/);
  });

  it('that is not there says so, and which one may be meant', async () => {
    const { view } = await roomVault({ 'projects/x/notes.md': 'x' });
    expect(await view.look(note, textOf)).toBe('missing');
    expect(await view.closest(note)).toBe('vault/projects/x/notes.md');
  });

  it('that is not there has no other in its place that is far from it', async () => {
    const { view } = await roomVault({ 'bucket/note.md': 'x', 'sous/x.md': 'x' });
    for (const far of ['vault/gone.md', 'vault/bucket/*.md'])
      expect(await view.closest(far as VaultPath)).toBeNull();
  });
});
