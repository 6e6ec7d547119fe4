import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMachines, identity } from './machines.ts';
import type { Machine } from './machines.ts';

async function two(files: Record<string, string>) {
  const all = createMachines();
  const laptop = await all.machine('laptop', { ...identity, ...files });
  await laptop.sync();
  const desktop = await all.machine('desktop');
  await desktop.sync();
  return { ...all, laptop, desktop };
}

async function settle(first: Machine, ...others: Machine[]): Promise<void> {
  for (const machine of [first, ...others, first]) await machine.sync();
}

describe('a file that one machine replaced by a folder', () => {
  it.each([
    ['log', 'log-2'],
    ['journal/2026-10-12.md', 'journal/2026-10-12-2.md'],
  ])('is kept under another name if another machine edited it: %s', async (path, renamed) => {
    for (const isFolderFirst of [true, false]) {
      const { machine, laptop, desktop } = await two({ [path]: 'plain\n', 'a.md': 'a\n' });
      laptop.put({ [path]: null, [`${path}/monday.md`]: '# Monday\n' });
      desktop.put({ [path]: 'plain\nand more\n', 'a.md': 'a\nother work\n' });
      const [first, second] = isFolderFirst ? [laptop, desktop] : [desktop, laptop];
      await first.sync();
      const report = await second.sync();
      expect(report).toMatchObject({
        conflicts: [],
        renamed: [{ from: `vault/${path}`, to: `vault/${renamed}` }],
      });
      await settle(first, second);
      expect(laptop.files()).toEqual({
        [renamed]: 'plain\nand more\n',
        [`${path}/monday.md`]: '# Monday\n',
        'a.md': 'a\nother work\n',
      });
      expect(desktop.files()).toEqual(laptop.files());
      const studio = await machine('studio');
      await studio.sync();
      expect(studio.files()).toEqual(laptop.files());
    }
  });

  it('is replaced on the other machines, and a folder by a file, if no one edited them', async () => {
    const { laptop, desktop } = await two({ log: 'plain\n', 'a.md': 'a\n' });
    laptop.put({ log: null, 'log/deep/monday.md': '# Monday\n', 'log/b.md': 'b\n' });
    await settle(laptop, desktop);
    expect(desktop.files()).toEqual(laptop.files());
    rmSync(join(desktop.folder, 'log'), { recursive: true });
    desktop.put({ log: 'plain again\n' });
    await settle(desktop, laptop);
    expect(laptop.files()).toEqual({ 'a.md': 'a\n', log: 'plain again\n' });
    expect(desktop.files()).toEqual(laptop.files());
  });

  it('is kept beside a folder that another machine created or that has files that are not synced', async () => {
    const { laptop, desktop } = await two({ 'log/a.md': 'a\n', 'b.md': 'b\n' });
    laptop.put({ 'new/monday.md': '# Monday\n' });
    desktop.put({ new: 'plain\n' });
    laptop.put({ 'log/.hidden': 'only here\n' });
    rmSync(join(desktop.folder, 'log'), { recursive: true });
    desktop.put({ log: 'a file now\n' });
    mkdirSync(join(laptop.folder, 'empty'));
    desktop.put({ empty: 'not a folder\n' });
    await settle(desktop, laptop);
    expect(laptop.files()).toEqual({
      'b.md': 'b\n',
      'log/.hidden': 'only here\n',
      'log-2': 'a file now\n',
      'new/monday.md': '# Monday\n',
      'new-2': 'plain\n',
      empty: 'not a folder\n',
    });
    const { 'log/.hidden': _, ...shared } = laptop.files();
    expect(desktop.files()).toEqual(shared);
  });
});
