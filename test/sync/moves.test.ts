import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMachines, identity } from './machines.ts';
import type { Machine } from './machines.ts';

/** Short, so that the rewritten link is most of the note. */
const note = (name: string, link: string): string => `# ${name}\nSee [the front page](${link})\n`;

async function two(files: Record<string, string>) {
  const all = createMachines();
  const laptop = await all.machine('laptop', { ...identity, 'notes/front.md': '# Front\n', ...files });
  await laptop.sync();
  const desktop = await all.machine('desktop');
  await desktop.sync();
  return { ...all, laptop, desktop };
}

async function settle(first: Machine, ...others: Machine[]): Promise<void> {
  for (const machine of [first, ...others, first]) await machine.sync();
}

async function move({ keepsake }: Machine, from: string, to: string): Promise<void> {
  const input = { from: `vault/${from}`, to: `vault/${to}` };
  const moved = await keepsake.callTool({ tool: 'move', input, reader: 'person', origin: 'test' });
  expect(moved).toMatchObject({ kind: 'result', commit: { kind: 'applied' } });
}

/** Moves as another program does it, which may also make the folder of the new path. */
function rename({ folder }: Machine, from: string, to: string): void {
  mkdirSync(join(folder, to, '..'), { recursive: true });
  renameSync(join(folder, from), join(folder, to));
}

describe('a note that one machine moved and another edited', () => {
  it.each(['the machine that moved it', 'the machine that edited it'])(
    'is one note with both changes, also if it is short: %s syncs first',
    async (which) => {
      const { machine, laptop, desktop } = await two({
        'journal/short.md': note('Short', '../notes/front.md'),
      });
      await move(laptop, 'journal/short.md', 'projects/house/deep/short.md');
      desktop.put({ 'journal/short.md': `${note('Short', '../notes/front.md')}EDITED\n` });
      const order = which.endsWith('moved it') ? ([laptop, desktop] as const) : ([desktop, laptop] as const);
      await settle(...order);
      expect(Object.keys(laptop.files())).toEqual(['notes/front.md', 'projects/house/deep/short.md']);
      const text = laptop.read('projects/house/deep/short.md');
      expect(text).toContain('(../../../notes/front.md)\nEDITED\n');
      expect(desktop.files()).toEqual(laptop.files());
      const studio = await machine('studio');
      await studio.sync();
      expect(studio.files()).toEqual(laptop.files());
    },
  );

  it('is one note after a chain of moves and after the undo of a move', async () => {
    const files = { 'a.md': note('A', 'notes/front.md'), 'b.md': note('B', 'notes/front.md') };
    const { laptop, desktop } = await two(files);
    await move(laptop, 'a.md', 'x/a.md');
    await move(laptop, 'x/a.md', 'x/y/renamed.md');
    await move(laptop, 'b.md', 'x/b.md');
    const [last] = laptop.keepsake.changes.list({ limit: 1 });
    await laptop.keepsake.changes.undo(last?.id ?? '');
    desktop.put({ 'a.md': `${files['a.md']}EDITED A\n`, 'b.md': `${files['b.md']}EDITED B\n` });
    await settle(laptop, desktop);
    expect(Object.keys(desktop.files())).toEqual(['b.md', 'notes/front.md', 'x/y/renamed.md']);
    expect(desktop.read('x/y/renamed.md')).toBe(`${files['a.md']}EDITED A\n`);
    expect(desktop.read('b.md')).toBe(`${files['b.md']}EDITED B\n`);
    expect(laptop.files()).toEqual(desktop.files());
  });

  it('keeps its edit if two notes exchanged their names', async () => {
    const { laptop, desktop } = await two({ 'a.md': 'text of a\n', 'b.md': 'text of b\n' });
    for (const [mover, editor] of [
      [laptop, desktop],
      [desktop, laptop],
    ] as const) {
      const [a, b] = [mover.read('a.md'), mover.read('b.md')];
      rename(mover, 'a.md', 'c.md');
      rename(mover, 'b.md', 'a.md');
      rename(mover, 'c.md', 'b.md');
      editor.put({ 'a.md': `${a}edited\n` });
      await settle(mover, editor);
      expect(mover.read('a.md')).toBe(b);
      expect(mover.read('b.md')).toBe(`${a}edited\n`);
      expect(editor.files()).toEqual(mover.files());
    }
  });

  it('is not taken for a similar note that was made after it had been deleted', async () => {
    const day = (date: string): string => `# ${date}\n\n## Morning\n\n## Noon\n\n## Evening\n`;
    const { laptop, desktop } = await two({ 'journal/2026-10-01.md': day('2026-10-01') });
    desktop.put({ 'journal/2026-10-01.md': null });
    await desktop.keepsake.changes.recordExternalEdits(['vault/journal/2026-10-01.md' as never]);
    desktop.put({ 'journal/2026-11-01.md': day('2026-11-01') });
    laptop.put({ 'journal/2026-10-01.md': `${day('2026-10-01')}Slept well.\n` });
    await settle(desktop, laptop);
    expect(laptop.files()).toEqual({
      'journal/2026-10-01.md': `${day('2026-10-01')}Slept well.\n`,
      'journal/2026-11-01.md': day('2026-11-01'),
      'notes/front.md': '# Front\n',
    });
    expect(desktop.files()).toEqual(laptop.files());
  });

  it('is found by its text in a commit that records no moves', async () => {
    const text = `# Long\n${Array.from({ length: 20 }, (_, index) => `Sentence ${index}.\n`).join('')}`;
    const { laptop, desktop, git } = await two({ 'long.md': text });
    const tree = git(['ls-tree', 'main']).replace('long.md', 'moved.md');
    const identified = ['-c', 'user.name=x', '-c', 'user.email=x@x'];
    const commit = git([
      ...identified,
      'commit-tree',
      '-m',
      'by hand',
      '-p',
      'main',
      git(['mktree'], `${tree}\n`),
    ]);
    git(['update-ref', 'refs/heads/main', commit]);
    desktop.put({ 'long.md': `${text}EDITED\n` });
    await settle(desktop, laptop);
    expect(laptop.files()).toEqual({ 'moved.md': `${text}EDITED\n`, 'notes/front.md': '# Front\n' });
  });
});

describe('a folder that one machine renamed', () => {
  const files = { 'old/a.md': 'a\n', 'old/deep/b.md': 'b\n' };

  it.each([true, false])('gets the new notes of the other machines, renamed first: %s', async (isFirst) => {
    const { laptop, desktop } = await two(files);
    rename(laptop, 'old', 'new');
    desktop.put({ 'old/deep/c.md': 'c\n' });
    const [first, second] = isFirst ? [laptop, desktop] : [desktop, laptop];
    await first.sync();
    expect(await second.sync()).toMatchObject({
      renamed: [{ from: 'vault/old/deep/c.md', to: 'vault/new/deep/c.md', why: 'folder-renamed' }],
    });
    await first.sync();
    expect(Object.keys(laptop.files())).toEqual([
      'new/a.md',
      'new/deep/b.md',
      'new/deep/c.md',
      'notes/front.md',
    ]);
    expect(desktop.files()).toEqual(laptop.files());
  });

  it('is not a folder whose only note was moved to a folder that exists', async () => {
    const { laptop, desktop } = await two({ 'drafts/a.md': 'a\n', 'done/x.md': 'x\n' });
    rename(laptop, 'drafts/a.md', 'done/a.md');
    rmdirSync(join(laptop.folder, 'drafts'));
    desktop.put({ 'drafts/new.md': 'new\n' });
    await settle(laptop, desktop);
    expect(Object.keys(laptop.files())).toEqual([
      'done/a.md',
      'done/x.md',
      'drafts/new.md',
      'notes/front.md',
    ]);
    expect(desktop.files()).toEqual(laptop.files());
  });
});
