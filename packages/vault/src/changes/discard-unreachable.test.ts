import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import type { VaultPath } from '../vault/index.ts';
import { discardUnreachable } from './discard-unreachable.ts';
import { openGitHistory } from './git-history.ts';

it('deletes all objects that no ref needs, also of killed git processes, except those added meanwhile', async () => {
  const folder = join(temporaryFolder(), 'history.git');
  const history = await openGitHistory(folder, process.env['PATH'] ?? '');
  if (history === null) throw new Error('git is not installed');
  const run = (args: string[], input = ''): string =>
    execFileSync('git', ['--git-dir', folder, ...args], { input, encoding: 'utf8' }).trim();
  const exists = (id: string): boolean => !run(['cat-file', '--batch-check'], `${id}\n`).endsWith('missing');
  const files = [{ path: 'vault/a.md' as VaultPath, after: Buffer.from('kept\n') }];
  const commits = await history.add([{ at: 1_000, message: 'first', files }]);
  const [loose, packed] = ['loose', 'packed'].map((text) => run(['hash-object', '-w', '--stdin'], text));
  const pack = (name: string, id = ''): string =>
    run(['pack-objects', '-q', join(folder, 'objects/pack', name)], `${id}\n`);
  const locked = pack('pack', packed);
  writeFileSync(join(folder, 'objects/pack', `pack-${locked}.keep`), '');
  pack('.tmp-77-pack', loose);
  writeFileSync(join(folder, 'objects/pack/tmp_pack_x'), 'unfinished');
  const temporary = join(folder, 'objects', loose?.slice(0, 2) ?? '', 'tmp_obj_x');
  writeFileSync(temporary, 'unfinished');
  let added = '';
  await discardUnreachable(folder, async (args) => {
    const output = run(args);
    added = run(['hash-object', '-w', '--stdin'], 'added');
    return Buffer.from(output);
  });
  expect([loose ?? '', packed ?? '', added, ...commits].map(exists)).toEqual([false, false, true, true]);
  const names = readdirSync(join(folder, 'objects/pack'));
  expect(names.filter((name) => !/^pack-[\da-f]{40}\.(?:pack|idx|rev)$/.test(name))).toEqual([]);
  expect(existsSync(temporary)).toBe(false);
  expect(await history.fsck()).toEqual([]);
});
