import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { missing } from '../../../../test/missing.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { GitHistory } from './git-history.ts';
import { createRepository } from './history-repository.ts';
import type { Lease } from './writer-lock.ts';

const now = Date.parse('2031-02-03T04:05:06Z');
const lease: Lease = { fence: 1, assertHeld: () => undefined };
const path = 'vault/a.md' as VaultPath;
const searchPath = process.env['PATH'] ?? '';

const add =
  (text: string) =>
  (git: GitHistory): Promise<string[]> =>
    git.add([{ at: now, message: text, files: [{ path, after: Buffer.from(text) }] }]);

describe.skipIf(missing('POSIX'))('the history repository', () => {
  let place = '';
  let bin = '';
  let folder = '';
  /** The git commands called since `behave`. */
  const asked = (): string[] => readFileSync(join(bin, 'asked'), 'utf8').split('\n').filter(Boolean);
  /** Puts a script in front of the real git. */
  const behave = (script: string): void => {
    const settings =
      '[ "$1" = -c ] && shift 2; [ "$1" = -c ] && shift 2; [ "$1" = --literal-pathspecs ] && shift';
    const call = `(${settings}; echo "$1" >> '${bin}/asked'); work=$(tail -n 1 '${bin}/asked')`;
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${call}\n${script}\nPATH='${searchPath}' exec git "$@"\n`);
    chmodSync(join(bin, 'git'), 0o755);
    rmSync(join(bin, 'asked'), { force: true });
  };
  const repository = () => createRepository(folder, `${bin}:${searchPath}`, () => now);
  const asides = (): string[] => readdirSync(place).filter((name) => name.includes('broken'));

  beforeEach(async () => {
    [place, bin] = [temporaryFolder(), temporaryFolder()];
    folder = join(place, 'history.git');
    await createRepository(folder, searchPath, () => now).withGit(lease, add('one'));
  });

  it.each([
    ['every git process is killed by a signal', 'kill -KILL $$'],
    ['git is killed behind a shell', 'exit 130'],
    ['the machine is out of memory', 'echo "fatal: Out of memory, malloc failed" >&2; exit 128'],
    ['no file can be opened', 'echo "fatal: unable to open x: Too many open files" >&2; exit 128'],
  ])('is not quarantined when %s', async (_, script) => {
    behave(script);
    await expect(repository().withGit(lease, add('two'))).rejects.toThrow(/git/);
    expect([asides(), existsSync(folder)]).toEqual([[], true]);
    behave('');
    expect(await repository().withGit(lease, add('two'))).toHaveLength(1);
  });

  it('is not quarantined when git cannot be started', async () => {
    const nowhere = temporaryFolder();
    writeFileSync(join(nowhere, 'git'), 'no program');
    const unable = createRepository(folder, nowhere, () => now);
    await expect(unable.withGit(lease, add('two'))).rejects.toMatchObject({ code: 'EACCES' });
    expect([asides(), existsSync(folder)]).toEqual([[], true]);
  });

  it('is neither quarantined nor checked with fsck when the disk is full', async () => {
    behave(
      '[ "$work" = fast-import ] && { echo "fatal: write error: No space left on device" >&2; exit 128; }',
    );
    await expect(repository().withGit(lease, add('two'))).rejects.toThrow('No space left');
    behave('[ "$work" = fast-import ] && { echo "fatal: cannot close" >&2; exit 128; }');
    await expect(repository().withGit(lease, add('two'))).rejects.toThrow('cannot close');
    expect(asked()).toContain('ls-tree');
    expect(asked()).not.toContain('fsck');
    expect(asides()).toEqual([]);
  });

  it('is not quarantined when the error is not about history', async () => {
    rmSync(join(folder, 'HEAD'));
    for (const error of [
      new VaultError('lost-lock', 'another took over'),
      Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }),
    ])
      await expect(repository().withGit(lease, () => Promise.reject(error))).rejects.toBe(error);
    expect(asides()).toEqual([]);
  });

  it('is not quarantined by a process that has lost the lock, even if the repository is damaged', async () => {
    rmSync(join(folder, 'HEAD'));
    const lost = new VaultError('lost-lock', 'another took over');
    const assertHeld = (): void => {
      throw lost;
    };
    await expect(repository().withGit({ fence: 1, assertHeld }, add('two'))).rejects.toBe(lost);
    expect(asides()).toEqual([]);
    await repository().withGit(lease, add('two'));
    expect(asides()).toEqual(['history.git.broken-2031-02-03']);
  });
});

it('commits in a quarantined repository can still be found by their messages, even if its branch is gone', async () => {
  const folder = join(temporaryFolder(), 'history.git');
  const repository = createRepository(folder, searchPath, () => now);
  const first = await repository.withGit(lease, add('one\n'));
  const [unreadable = ''] = (await repository.withGit(lease, add('damaged\n'))) ?? [];
  const object = join(folder, 'objects', unreadable.slice(0, 2), unreadable.slice(2));
  const bytes = readFileSync(object);
  rmSync(object);
  writeFileSync(object, bytes.fill(0, bytes.length / 2));
  rmSync(join(folder, 'HEAD'));
  rmSync(join(folder, 'refs'), { recursive: true });
  const second = await repository.withGit(lease, add('two\n'));
  const messages = (await repository.withGit(lease, (git) => git.messages())) ?? [];
  expect(new Map(messages.map(({ commit, message }) => [message.trim(), commit]))).toEqual(
    new Map([
      ['one', first?.[0]],
      ['two', second?.[0]],
    ]),
  );
});
