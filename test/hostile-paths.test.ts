import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFailed, onTestFinished } from 'vitest';
import { tools } from '../packages/vault/src/tools/index.ts';
import { VaultError } from '../packages/vault/src/vault/index.ts';
import { costRatio } from './cost-ratio.ts';
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
  it('include at least 150 distinct paths', async () => {
    const paths = hostilePaths('/somewhere/vault');
    expect(new Set(paths).size).toBeGreaterThanOrEqual(150);
  });

  it.each(Object.entries(inputs))(
    'passed to %s expose nothing outside the vault and cause no hang or crash',
    async (name, inputOf) => {
      const vault = await trapped();
      const tool = name.split(' ')[0] ?? '';
      // The timeout of this test ends a hang, and the message names the path.
      let shown = '';
      onTestFailed(() => console.error(`the last path was ${shown}`));
      for (const path of hostilePaths(vault.folder)) {
        shown = JSON.stringify(path.slice(0, 60));
        const outcome = await vault.call(tool, inputOf(path));
        const text = outcome.kind === 'result' ? outcome.result.text : outcome.message;
        const all = text + JSON.stringify(outcome.kind === 'result' ? outcome.result.value : '');
        expect(all.includes(secret) || all.includes('root:x:'), `secret in the answer to ${shown}`).toBe(
          false,
        );
        expect(/[^\P{Cc}\n]|\u202e/u.test(text), `control characters in the answer to ${shown}`).toBe(false);
      }
    },
  );

  it.each(['x', 'é', 'a/', '../', '/', '\\', '\n'])(
    'have a constant cost per character, however often they contain %j',
    async (part) => {
      const vault = await trapped();
      const read = (count: number) => () => vault.call('read', { paths: part.repeat(count) });
      // About 16 for linear cost, 256 for quadratic cost.
      expect(await costRatio(read(160_000), read(10_000))).toBeLessThan(60);
    },
  );

  it('leave no file descriptor open', async () => {
    const vault = await trapped();
    await vault.text('tree', {});
    const before = readdirSync('/proc/self/fd').length;
    for (const path of hostilePaths(vault.folder)) {
      await vault.call('read', { paths: path });
      await vault.call('concat', { files: [{ path }] });
    }
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before);
  });

  it('are rejected if they contain a symbolic link, wherever it leads', async () => {
    const { text } = await trapped();
    for (const path of [
      'leaf-link.md',
      'inside-link.md',
      'dangling.md',
      'folder-link/secret.md',
      'folder-link/nothing.md',
      'projects/x/up/',
    ]) {
      expect(await text('read', { paths: path })).toMatch(
        /^error: vault\/.*: symbolic links are not followed$/,
      );
    }
  });

  it('include unusual but legal names, which can be read by their displayed name', async () => {
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

  it('include names that differ only in Unicode normalization; the composed one is used and the other is reported', async () => {
    const { text, keepsake } = await trapped();
    expect(await text('read', { paths: 're\u0301sume\u0301.md' })).toContain('composed');
    await keepsake.catalogue.refresh();
    const reasons = keepsake.catalogue
      .skipped()
      .map(({ path, reason }) => `${path}: ${reason}`)
      .join('\n');
    for (const part of [
      're\u0301sume\u0301.md: another entry',
      'not UTF-8',
      'pipe.md: only files',
      'leaf-link.md: symbolic links',
    ])
      expect(reasons).toContain(part);
  });
});

describe('hostile paths for writing', () => {
  const writes: Record<string, (path: string) => [string, unknown][]> = {
    write: (path) => [['write', { path, content: 'written' }]],
    'write over': (path) => [
      ['read', { paths: path }],
      ['write', { path, content: 'written' }],
    ],
    append: (path) => [['append', { path, content: 'written', position: 'top' }]],
    edit: (path) => [
      ['read', { paths: path }],
      ['edit', { path, old: 'e', new: 'written' }],
    ],
    'move from': (path) => [['move', { from: path, to: 'bucket/moved.md' }]],
    'move to': (path) => [['move', { from: 'projects/x/state.md', to: path }]],
    delete: (path) => [['delete', { path }]],
  };

  it.each(Object.entries(writes))(
    'change nothing outside the vault or in hidden files: %s',
    async (_, callsFor) => {
      const vault = await trapped();
      const root = join(vault.folder, '..');
      const guarded = (): string =>
        execFileSync(
          'bash',
          [
            '-c',
            'find outside vault-sibling vault/.git vault/.obsidian vault/.env vault/projects/.hidden -type f -exec sha256sum {} + ; ls -a .',
          ],
          { cwd: root, encoding: 'utf8' },
        );
      const before = guarded();
      for (const path of hostilePaths(vault.folder)) {
        const run = vault.keepsake.writeRun('person');
        for (const [name, input] of callsFor(path))
          await tools.find((tool) => tool.name === name)?.call(input, run);
        try {
          await run.transaction.commit({ origin: 'test', summary: 'hostile' }, true);
        } catch (error) {
          // A late rejection is fine, as long as it is our own error.
          expect(error).toBeInstanceOf(VaultError);
        }
      }
      expect(guarded()).toBe(before);
    },
    120_000,
  );
});

const swapsTried = Number(process.env['HOSTILE_SWAPS'] ?? 20_000);

describe('a symlink swapped during reads', () => {
  it(`exposes nothing outside the vault in ${swapsTried} attempts`, { timeout: 600_000 }, async () => {
    const vault = await temporaryVault();
    const outside = join(vault.folder, '..', 'outside');
    layOut(outside, { 'note.md': secret, [`name-${secret}.md`]: 'x' });
    layOut(vault.folder, { 'project/note.md': 'harmless\n', 'note.md': 'harmless\n' });
    const swapper = fork(fileURLToPath(new URL('swap-links.mjs', import.meta.url)), [
      vault.folder,
      outside,
      `${swapsTried}`,
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
    expect(swaps).toBe(swapsTried);
    // The race really happened: reads occurred on both sides of the swaps.
    expect(seen.fine).toBeGreaterThan(50);
    expect(seen.refused).toBeGreaterThan(50);
    expect(seen.leaked).toBe(0);
  });
});
