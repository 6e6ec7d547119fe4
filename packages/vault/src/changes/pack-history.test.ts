import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import type { VaultPath } from '../vault/index.ts';
import { openGitHistory } from './git-history.ts';

it('history combines its packs when there are many, and keeps every commit', async () => {
  const folder = join(temporaryFolder(), 'history.git');
  const git = await openGitHistory(folder, process.env['PATH'] ?? '');
  if (git === null) throw new Error('git is not installed');
  const countPacks = (): number =>
    readdirSync(join(folder, 'objects/pack')).filter((name) => name.endsWith('.pack')).length;
  const commits: string[] = [];
  // Git stores at least a hundred new objects as a pack.
  for (let turn = 0; turn < 21; turn += 1) {
    const files = Array.from({ length: 110 }, (_, index) => ({
      path: `vault/n${index}.md` as VaultPath,
      after: Buffer.from(`Note ${index} in turn ${turn}\n`),
    }));
    commits.push(...(await git.add([{ at: turn * 1_000, message: `turn ${turn}`, files }])));
    if (turn === 19) {
      await git.pack();
      expect(countPacks()).toBe(20);
    }
  }
  expect(countPacks()).toBe(21);
  await git.pack();
  expect(countPacks()).toBeLessThan(5);
  expect(await git.countMissing(commits)).toBe(0);
  expect(await git.fsck()).toEqual([]);
});

it('history is packed as a whole when that saves much, and keeps every commit', async () => {
  const folder = join(temporaryFolder(), 'history.git');
  const git = await openGitHistory(folder, process.env['PATH'] ?? '');
  if (git === null) throw new Error('git is not installed');
  const measure = (): number =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  const text = Array.from({ length: 800 }, (_, line) => createHash('sha256').update(`${line}`).digest('hex'));
  const commits: string[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    text.push(`line of turn ${turn}`);
    const files = Array.from({ length: 40 }, (_, index) => ({
      path: `vault/n${index}.md` as VaultPath,
      after: Buffer.from(`${index}\n${text.slice(index).join('\n')}\n`),
    }));
    commits.push(...(await git.add([{ at: turn * 1_000, message: `turn ${turn}`, files }])));
  }
  const before = measure();
  await git.compact();
  expect(measure()).toBeLessThan(before / 10);
  expect(await git.countMissing(commits)).toBe(0);
  expect(await git.fsck()).toEqual([]);
});
