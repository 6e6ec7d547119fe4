import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostilePaths, layTraps, secret } from './hostile-paths.ts';
import { layOut, temporaryVault } from './temporary-vault.ts';
import type { TestVault } from './temporary-vault.ts';

const inputs: Record<string, (path: string) => unknown> = {
  read: (path) => ({ paths: path }),
  'read with head': (path) => ({ paths: [path], head: 5 }),
  'read folded': (path) => ({ paths: [path], folded: true }),
  concat: (path) => ({ files: [{ path, lines: null }] }),
  'concat of a range': (path) => ({ files: [{ path, lines: '1-2' }] }),
  tree: (path) => ({ path, depth: null }),
};

async function trapped(): Promise<TestVault> {
  const vault = await temporaryVault();
  const server = await layTraps(vault.folder);
  onTestFinished(() => void server.close());
  return vault;
}

describe('hostile paths', () => {
  it('are at least 150, all different', async () => {
    const paths = hostilePaths('/somewhere/vault');
    expect(new Set(paths).size).toBeGreaterThanOrEqual(150);
  });

  it.each(Object.entries(inputs))(
    '%s: show no byte from outside, hang nothing, break nothing',
    async (name, inputOf) => {
      const vault = await trapped();
      const tool = name.split(' ')[0] ?? '';
      for (const path of hostilePaths(vault.folder)) {
        const start = performance.now();
        const outcome = await vault.call(tool, inputOf(path));
        const shown = JSON.stringify(path.slice(0, 60));
        expect(performance.now() - start, `time for ${shown}`).toBeLessThan(2000);
        const text = outcome.kind === 'result' ? outcome.result.text : outcome.message;
        const all = text + JSON.stringify(outcome.kind === 'result' ? outcome.result.value : '');
        expect(all.includes(secret) || all.includes('root:x:'), `secret in the answer to ${shown}`).toBe(
          false,
        );
        expect(/[^\P{Cc}\n]|\u202e/u.test(text), `control characters in the answer to ${shown}`).toBe(false);
      }
    },
  );

  it('leave every descriptor closed', async () => {
    const vault = await trapped();
    await vault.text('tree', {});
    const before = readdirSync('/proc/self/fd').length;
    for (const path of hostilePaths(vault.folder)) {
      await vault.call('read', { paths: path });
      await vault.call('concat', { files: [{ path }] });
    }
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before);
  });

  it('a symbolic link is refused as such, wherever it leads', async () => {
    const { text } = await trapped();
    for (const path of [
      'leaf-link.md',
      'inside-link.md',
      'dangling.md',
      'folder-link/secret.md',
      'folder-link/nothing.md',
      'projects/x/up/',
    ]) {
      expect(await text('read', { paths: path })).toMatch(/^error: vault\/.*: symbolic links are refused$/);
    }
  });

  it('odd but legal names can be read by the name that is shown', async () => {
    const { text } = await trapped();
    const listing = await text('read', { paths: 'vault/' });
    const names = [...listing.matchAll(/^(?:```|~~~)(vault\/.+)$/gm)].map(([, name = '']) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'vault/new\\nline.md',
        'vault/back`tick.md',
        'vault/gpj.\\u{202e}dm.md',
        'vault/trailing.md\\u{20}',
        'vault/d\u00e9compos\u00e9.md',
        'vault/CON.md',
      ]),
    );
    for (const name of names) expect(await text('read', { paths: name })).toContain(name);
  });

  it('of two names that differ only in their Unicode form, the composed one is meant and the other reported', async () => {
    const { text, keepsake } = await trapped();
    expect(await text('read', { paths: 're\u0301sume\u0301.md' })).toContain('composed');
    await keepsake.catalogue.refresh();
    const reasons = keepsake.catalogue
      .skipped()
      .map(({ path, reason }) => `${path}: ${reason}`)
      .join('\n');
    for (const part of [
      're\u0301sume\u0301.md: another one',
      'not UTF-8',
      'pipe.md: only files',
      'leaf-link.md: symbolic links',
    ])
      expect(reasons).toContain(part);
  });
});

describe('a symlink swapped during reads', () => {
  it('20,000 times lets no byte from outside through', async () => {
    const vault = await temporaryVault();
    const outside = join(vault.folder, '..', 'outside');
    layOut(outside, { 'note.md': secret, [`name-${secret}.md`]: 'x' });
    layOut(vault.folder, { 'project/note.md': 'harmless\n', 'note.md': 'harmless\n' });
    const swapper = fork(fileURLToPath(new URL('swap-links.mjs', import.meta.url)), [
      vault.folder,
      outside,
      '20000',
    ]);
    let swaps = 0;
    swapper.on('message', (count) => void (swaps = Number(count)));
    const ended = once(swapper, 'exit');

    const seen = { fine: 0, refused: 0, leaked: 0 };
    const record = (text: string): void => {
      if (text.includes(secret)) seen.leaked += 1;
      else if (text.includes('error:')) seen.refused += 1;
      else seen.fine += 1;
    };
    while (swapper.exitCode === null) {
      record(await vault.text('read', { paths: ['project/note.md', 'note.md'] }));
      record(await vault.text('concat', { files: [{ path: 'project/note.md' }] }));
      record(await vault.text('read', { paths: 'project/' }));
      await vault.keepsake.catalogue.refresh();
      record(await vault.text('tree', {}));
      await new Promise(setImmediate);
    }
    const [code] = (await ended) as [number];
    expect(code).toBe(0);
    expect(swaps).toBe(20_000);
    // The race took place: reads fell on either side of the swaps.
    expect(seen.fine).toBeGreaterThan(50);
    expect(seen.refused).toBeGreaterThan(50);
    expect(seen.leaked).toBe(0);
  });
});
