import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { readPlace } from './place.ts';
import { readPrefix } from './read-prefix.ts';

describe('readPrefix', () => {
  it('reads at most the requested bytes of a regular file', () => {
    const file = join(temporaryFolder(), 'config');
    writeFileSync(file, 'abcdef');
    expect([readPrefix(file, 3), readPrefix(file, 100)]).toEqual(['abc', 'abcdef']);
  });

  it('rejects a pipe without waiting for a writer, and a device', () => {
    const folder = temporaryFolder();
    const [pipe, device] = [join(folder, 'pipe'), join(folder, 'device')];
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    symlinkSync('/dev/zero', device);
    for (const file of [pipe, device]) expect(() => readPrefix(file, 10)).toThrow('not a regular file');
  });
});

it('a folder whose git configuration is a pipe or a device has no remote', () => {
  const root = temporaryFolder();
  const folders = ['pipe', 'pipe-config', 'device-config'].map((name) => join(root, name));
  for (const folder of folders) mkdirSync(folder);
  const [pipe = '', pipeConfig = '', deviceConfig = ''] = folders;
  spawnSync('mkfifo', [join(pipe, '.git')]);
  for (const folder of [pipeConfig, deviceConfig]) {
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  }
  spawnSync('mkfifo', [join(pipeConfig, '.git/config')]);
  symlinkSync('/dev/zero', join(deviceConfig, '.git/config'));
  const unknown = { repository: { remote: null }, branch: 'main' };
  expect(folders.map((folder) => readPlace(folder))).toMatchObject([{ repository: null }, unknown, unknown]);
});
