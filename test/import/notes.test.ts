import { linkSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { importSource } from '../../packages/vault/src/import/index.ts';
import { layOut } from '../temporary-vault.ts';
import { importVault, picture, undo } from './import-vault.ts';
import { filesIn, snapshot } from './snapshot.ts';

const obsidian = {
  '.obsidian/app.json': '{}',
  '.trash/gone.md': 'gone\n',
  'Home.md': '# Home\n\nSee [[Ideas]] and [the plan](Projects/Plan.md#goals), ![[shot.png|200]].\n',
  'Ideas.md': '---\ntags: [a, b]\ncreated: 2019-05-06\n---\n\n- [back](Home.md)\n',
  'Projects/Plan.md': '# Plan\n\n## Goals\n\n![](../attachments/shot.png) [[Home|home]] [root](Ideas.md)\n',
  'attachments/shot.png': picture,
  'attachments/report.pdf': '%PDF-1.4 not a real one',
  'board.canvas': '{"nodes":[]}',
};

describe('Obsidian vault', () => {
  it('is imported into a bucket with its folders, attachments and links', async () => {
    const { run, folder, read, source } = await importVault(obsidian);
    utimesSync(join(source, 'Home.md'), new Date('2022-02-03T04:05:06'), new Date('2022-02-03T04:05:06'));
    const report = await run();
    expect(report).toMatchObject({
      kind: 'obsidian',
      into: 'vault/bucket/notes',
      added: { notes: 3, pictures: 1, attachments: 2, documents: 0, conversations: 0 },
      leftOut: ['.obsidian', '.trash'].map((path) => ({ path, reason: 'hidden or made by another program' })),
      renamed: 0,
    });
    expect(filesIn(folder)).toEqual([
      'bucket/notes/Home.md',
      'bucket/notes/Ideas.md',
      'bucket/notes/Projects/Plan.md',
      'bucket/notes/attachments/report.pdf',
      'bucket/notes/attachments/shot.png',
      'bucket/notes/board.canvas',
      'overview.md',
    ]);
    expect(read('bucket/notes/Home.md')).toBe(
      `---\ncreated: 2022-02-03T04:05:06\nupdated: 2022-02-03T04:05:06\ntokens: 21\n---\n\n${obsidian['Home.md']}`,
    );
    expect(read('bucket/notes/Ideas.md')).toMatch(
      /^---\ntags: \[a, b\]\ncreated: 2019-05-06\nupdated: 20.*\ntokens: 5\n---\n/,
    );
    // A link relative to the root of the other vault also works here.
    expect(read('bucket/notes/Projects/Plan.md')).toContain('[root](../Ideas.md)');
  });

  it('is imported as one change, searchable immediately and undone in one step', async () => {
    const { run, folder, keepsake, text } = await importVault(obsidian, {
      'overview.md': '# Me\n',
      bucket: null,
      'projects/x/state.md': '# X\n',
    });
    const before = snapshot(folder);
    const { id } = await run();
    expect(await text('search', { queries: ['goals'], mode: 'fast' })).toContain(
      'vault/bucket/notes/Projects/Plan.md',
    );
    expect(keepsake.changes.list({ limit: 10 })).toMatchObject([
      {
        id,
        origin: 'import',
        summary: 'import of notes: 3 notes, 1 picture, 2 attachments into vault/bucket/notes',
      },
    ]);
    expect(await undo(keepsake, id)).toBe('written');
    expect(snapshot(folder)).toEqual(before);
    expect((await run()).added.notes).toBe(3);
  });

  it('is imported into the bucket of a project, or into a given folder of a bucket', async () => {
    const { run, folder } = await importVault(obsidian, { 'projects/x/state.md': '# X\n' });
    expect((await run({ into: 'projects/x' })).into).toBe('vault/projects/x/bucket/notes');
    expect((await run({ into: 'bucket/old/obsidian' })).into).toBe('vault/bucket/old/obsidian');
    expect(filesIn(folder)).toContain('bucket/old/obsidian/Projects/Plan.md');
    await expect(run({ into: 'projects/y' })).rejects.toThrow('project not found: y');
    await expect(run({ into: 'projects/x/notes' })).rejects.toThrow('is not a bucket');
    await expect(run({ into: 'inbox' })).rejects.toThrow('is not a bucket');
    await expect(run({ into: '../elsewhere' })).rejects.toThrow('outside the vault');
  });
});

describe('dry run', () => {
  it('reports the same as the import and writes nothing', async () => {
    const { run, folder, state } = await importVault(obsidian);
    const [vault, kept] = [snapshot(folder), snapshot(state)];
    const report = await run({ isDryRun: true });
    expect(snapshot(folder)).toEqual(vault);
    expect(Object.keys(snapshot(state)).filter((path) => !/^(catalogue|index)\.sqlite/.test(path))).toEqual(
      Object.keys(kept).filter((path) => !/^(catalogue|index)\.sqlite/.test(path)),
    );
    const { id, ...done } = await run();
    expect(id).not.toBeNull();
    expect(report).toEqual({ ...done, id: null, isDryRun: true });
  });
});

describe('repeated import', () => {
  it('adds nothing', async () => {
    const { run, folder, keepsake } = await importVault(obsidian);
    await run();
    const once = snapshot(folder);
    expect(await run()).toMatchObject({ id: null, unchanged: 6, replaced: 0 });
    expect(snapshot(folder)).toEqual(once);
    expect(keepsake.changes.list({ limit: 10 })).toHaveLength(1);
  });

  it('does not touch files that the user moved, changed or deleted', async () => {
    const { run, folder } = await importVault(obsidian);
    await run();
    const notes = join(folder, 'bucket/notes');
    renameSync(join(notes, 'Home.md'), join(folder, 'bucket/start.md'));
    rmSync(join(notes, 'Ideas.md'));
    writeFileSync(join(notes, 'Projects/Plan.md'), 'mine\n');
    const mine = snapshot(folder);
    expect(await run()).toMatchObject({ id: null, unchanged: 6 });
    expect(snapshot(folder)).toEqual(mine);
  });

  it('imports only new and changed files of the source', async () => {
    const { run, folder, read, source, keepsake } = await importVault(obsidian);
    await run();
    const once = snapshot(folder);
    writeFileSync(join(source, 'Ideas.md'), '---\ntags: [a, b]\ncreated: 2019-05-06\n---\n\nnew words\n');
    writeFileSync(join(source, 'attachments/report.pdf'), '%PDF-1.4 another');
    writeFileSync(join(source, 'Projects/More.md'), '[[Home]]\n');
    const report = await run();
    expect(report).toMatchObject({ replaced: 2, unchanged: 4, added: { notes: 1 }, kept: [] });
    expect(read('bucket/notes/Ideas.md')).toContain('new words');
    expect(await undo(keepsake, report.id)).toBe('written');
    expect(snapshot(folder)).toEqual(once);
    expect((await run()).replaced).toBe(2);
  });

  it("reports files changed on both sides and keeps the user's version", async () => {
    const { run, folder, source, read } = await importVault(obsidian);
    await run();
    writeFileSync(join(source, 'Ideas.md'), 'theirs\n');
    writeFileSync(join(folder, 'bucket/notes/Ideas.md'), 'mine\n');
    const { kept, id } = await run();
    expect(kept).toMatchObject([{ path: 'Ideas.md', reason: expect.stringContaining('kept your version') }]);
    expect(id).toBeNull();
    expect(read('bucket/notes/Ideas.md')).toBe('mine\n');
  });

  it('imports a single file again if its import was undone', async () => {
    const { run, folder, keepsake } = await importVault(obsidian);
    const { id } = await run();
    const once = snapshot(folder);
    await keepsake.changes.undo(id ?? '', { path: 'vault/bucket/notes/Ideas.md' as never });
    expect(await run()).toMatchObject({ unchanged: 5, added: { notes: 1 } });
    expect(snapshot(folder)).toEqual(once);
  });

  it('adds nothing if the undo of the first import was itself undone', async () => {
    const { run, keepsake } = await importVault(obsidian);
    const { id } = await run();
    const undone = await keepsake.changes.undo(id ?? '');
    if (undone.kind !== 'written') throw new Error(undone.kind);
    await keepsake.changes.undo(undone.id);
    expect(await run()).toMatchObject({ id: null, unchanged: 6 });
  });

  it('adds nothing even if the records of the first import are lost, as long as the files exist', async () => {
    const { folder, source } = await importVault(obsidian);
    const through = async (state: string): Promise<string | null> => {
      const keepsake = await openKeepsake({
        vault: folder,
        state: join(source, '..', state),
        environment: readEnvironment({ PATH: process.env['PATH'] }),
      });
      const { id } = await importSource(keepsake, { source });
      await keepsake.close();
      return id;
    };
    expect(await through('first')).not.toBeNull();
    const once = snapshot(folder);
    expect(await through('second')).toBeNull();
    expect(snapshot(folder)).toEqual(once);
  });
});

describe('existing files', () => {
  it('are not overwritten; imported files are renamed and links updated', async () => {
    const { run, read } = await importVault(obsidian, {
      'bucket/notes/Ideas.md': 'my own ideas\n',
      'bucket/notes/attachments/SHOT.png': picture,
    });
    await run();
    expect(read('bucket/notes/Ideas.md')).toBe('my own ideas\n');
    expect(read('bucket/notes/Ideas-2.md')).toContain('- [back](Home.md)');
    expect(read('bucket/notes/Home.md')).toContain('See [[Ideas-2|Ideas]]');
    expect(read('bucket/notes/Home.md')).toContain('![[shot-2.png|200]]');
    expect(read('bucket/notes/Projects/Plan.md')).toContain('![](../attachments/shot-2.png)');
  });

  it('are not overwritten by files of another source with the same name', async () => {
    const { run, source, read, folder } = await importVault({ 'index.md': 'first\n', 'same.md': 'same\n' });
    await run();
    const other = join(source, '../other/notes');
    layOut(other, { 'index.md': 'second\n', 'same.md': 'same\n' });
    const at = new Date('2020-01-01T00:00:00');
    for (const each of [source, other]) utimesSync(join(each, 'same.md'), at, at);
    expect(await run({ source: other })).toMatchObject({ added: { notes: 1 }, unchanged: 1, replaced: 0 });
    expect(read('bucket/notes/index.md')).toContain('first');
    expect(read('bucket/notes/index-2.md')).toContain('second');
    expect(filesIn(folder)).toHaveLength(4);
    linkSync(join(source, 'index.md'), join(source, 'twin.md'));
    expect((await run()).added.notes).toBe(1);
  });
});
