import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import { tools } from '../packages/vault/src/tools/index.ts';
import { missing } from './missing.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

/** Mounts a case-insensitive file system at `mount`. */
function folderIgnoringCase(): string {
  const folder = temporaryFolder();
  const [image, mountPoint] = [join(folder, 'image'), join(folder, 'mount')];
  mkdirSync(mountPoint);
  execFileSync('truncate', ['-s', '32M', image]);
  execFileSync('mkntfs', ['-q', '-F', image], { stdio: 'pipe' });
  execFileSync('lowntfs-3g', ['-o', 'ignore_case,windows_names', image, mountPoint]);
  onTestFinished(() => void execFileSync('umount', ['-l', mountPoint]));
  return folder;
}

describe.skipIf(missing('FUSE', 'lowntfs-3g'))('on a case-insensitive file system', () => {
  it('writes and moves to names that differ only in case lose no data', async () => {
    const folder = folderIgnoringCase();
    const vault = join(folder, 'mount', 'vault');
    layOut(vault, { 'note.md': 'one\n', 'other.md': 'other\n' });
    const keepsake = await openKeepsake({
      vault,
      state: join(folder, 'state'),
      environment: readEnvironment({ PATH: process.env['PATH'] }),
    });
    onTestFinished(async () => void (await keepsake.close()));
    const commit = async (...calls: [string, unknown][]): Promise<{ texts: string[]; kind: string }> => {
      const run = keepsake.writeRun('model');
      const texts: string[] = [];
      for (const [name, input] of calls) {
        const outcome = await tools.find((tool) => tool.name === name)?.call(input, run);
        texts.push(outcome?.kind === 'result' ? outcome.result.text : '');
      }
      return { texts, kind: (await run.transaction.commit({ origin: 'test', summary: 'case' })).kind };
    };
    const notes = (): string[] =>
      readdirSync(vault)
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${name.toLowerCase()}: ${readFileSync(join(vault, name), 'utf8')}`)
        .toSorted();
    const before = notes();

    expect((await commit(['move', { from: 'note.md', to: 'NOTE.md' }])).texts[0]).toMatch(
      /error: .*differ only in case/,
    );
    expect((await commit(['write', { path: 'NOTE.md', content: 'x' }])).texts[0]).toMatch(
      /error: .*read it first/,
    );
    expect(
      (await commit(['write', { path: 'New.md', content: 'a' }], ['write', { path: 'new.md', content: 'b' }]))
        .kind,
    ).toBe('conflict');
    expect(notes()).toEqual(before);

    // Renaming through another name works in two transactions; within one, the second half is rejected.
    const both = await commit(
      ['move', { from: 'note.md', to: 'between.md' }],
      ['move', { from: 'between.md', to: 'NOTE.md' }],
    );
    expect(both).toMatchObject({
      kind: 'written',
      texts: [expect.stringContaining('moved'), expect.stringContaining('error: ')],
    });
    expect((await commit(['move', { from: 'between.md', to: 'NOTE.md' }])).kind).toBe('written');
    expect(notes()).toEqual(before);
  });

  it('a vault keeps its state, whatever the case of the path it is opened with', async () => {
    const folder = folderIgnoringCase();
    const vault = join(folder, 'mount', 'vault');
    layOut(vault, { 'note.md': 'one\n' });
    const environment = {
      ...readEnvironment({ PATH: process.env['PATH'], XDG_STATE_HOME: join(folder, 'home') }),
      home: folder,
    };
    const handOver = async (path: string, text: string): Promise<string[]> => {
      const keepsake = await openKeepsake({ vault: path, environment });
      const { updates } = keepsake.agents;
      await updates.accept({ text, files: [], source: { kind: 'person', name: 'test' } });
      const waiting = updates.list({ limit: 9 }).map(({ input }) => input.text);
      await keepsake.close();
      return waiting;
    };
    await handOver(vault, 'one');
    expect(await handOver(join(folder, 'mount', 'VAULT'), 'two')).toEqual(['two', 'one']);
    expect(await handOver(join(folder, 'mount', 'Vault'), 'three')).toEqual(['three', 'two', 'one']);
    expect(await handOver(vault, 'four')).toEqual(['four', 'three', 'two', 'one']);
    // A state folder inside the vault is rejected, too, in any case.
    const inside = { vault, state: join(folder, 'mount', 'VAULT', 'state'), environment };
    await expect(openKeepsake(inside)).rejects.toThrow('is inside the vault');
  });
});
