import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parseVaultPath } from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { identity, createMachines } from './machines.ts';
import type { Machine } from './machines.ts';

const note = (...lines: string[]): string => `# Note\n${lines.map((line) => `\n${line}\n`).join('')}`;

async function two(files: Record<string, string> = {}) {
  const all = createMachines();
  const laptop = await all.machine('laptop', { ...identity, ...files });
  await laptop.sync();
  const desktop = await all.machine('desktop');
  await desktop.sync();
  return { ...all, laptop, desktop };
}

async function three(files: Record<string, string> = {}) {
  const machines = await two(files);
  const studio = await machines.machine('studio');
  await studio.sync();
  return { ...machines, studio };
}

function pathOf(path: string): VaultPath {
  const parsed = parseVaultPath(path);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
}

/** Syncs the machines in this order, then the first again, so that it has the changes of the others. */
async function settle(first: Machine, ...others: Machine[]): Promise<void> {
  for (const machine of [first, ...others, first]) await machine.sync();
}

describe('synced vault', () => {
  it('is pushed to an empty repository and cloned into an empty folder with its identity', async () => {
    const files = {
      'note.md': note('one'),
      'projects/x/state.md': note('state'),
      'bucket/a.bin': '\0\u0001',
    };
    const { laptop, desktop, git } = await two(files);
    expect(desktop.files()).toEqual(laptop.files());
    expect(readFileSync(join(desktop.folder, '.keepsake/vault.json'), 'utf8')).toContain(
      'vault-of-all-machines',
    );
    expect(existsSync(join(desktop.folder, 'inbox'))).toBe(true);
    expect(git(['ls-tree', '-r', '--name-only', 'main']).split('\n')).toEqual([
      '.keepsake/vault.json',
      ...Object.keys(files).toSorted(),
    ]);
    expect(git(['log', '--format=%cn', 'main'])).toBe('laptop');
  });

  it('can be cloned by hand from a repository that was made with another first branch', async () => {
    const { remote, machine } = createMachines();
    const other = join(remote, '..', 'other.git');
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=master', other]);
    const laptop = await machine('laptop', { ...identity, 'note.md': note('one') }, other);
    await laptop.sync();
    const clone = join(remote, '..', 'clone');
    execFileSync('git', ['clone', '--quiet', other, clone], { stdio: 'pipe' });
    expect(readFileSync(join(clone, 'note.md'), 'utf8')).toContain('one');
  });

  it('is identical on all machines after changes, deletions and moves, without new stamps', async () => {
    const { laptop, desktop, studio } = await three({
      'a.md': note('a'),
      'b.md': note('b'),
      'c.md': note('c'),
    });
    laptop.put({ 'a.md': note('a', 'from the laptop'), 'b.md': null });
    desktop.put({ 'c.md': null, 'moved/c.md': note('c'), 'new.md': note('new') });
    await settle(laptop, desktop, studio);
    expect(laptop.files()).toEqual({
      'a.md': note('a', 'from the laptop'),
      'moved/c.md': note('c'),
      'new.md': note('new'),
    });
    for (const each of [desktop, studio]) expect(each.files()).toEqual(laptop.files());
    // This tells upkeep that there is nothing to stamp.
    const { changes } = desktop.keepsake;
    expect(await changes.isLastOwnWrite(pathOf('a.md'), Buffer.from(note('a', 'from the laptop')))).toBe(
      true,
    );
    const again = await laptop.sync();
    expect(again).toMatchObject({
      received: [],
      merged: [],
      conflicts: [],
      sent: 0,
      leftOut: [],
      changes: [],
    });
  });

  it('propagates the deletion of a file that the deleting machine received after its last push', async () => {
    const { laptop, desktop } = await two({ 'a.md': note('a') });
    desktop.put({ 'b.md': note('b') });
    await desktop.sync();
    await laptop.sync();
    laptop.put({ 'c.md': note('c'), 'a.md': note('a', 'more') });
    await laptop.sync();
    await desktop.sync();
    desktop.put({ 'c.md': null, 'a.md': note('a') });
    expect(await desktop.sync()).toMatchObject({ received: [], merged: [], sent: 1, sentDeletions: 1 });
    await laptop.sync();
    expect(laptop.files()).toEqual({ 'a.md': note('a'), 'b.md': note('b') });
    expect(desktop.files()).toEqual(laptop.files());
  });

  it('contains each edit once after two machines edited the same note or changelog', async () => {
    const changelog = '# 2026-11-15\n\n## First\n\nIt began.\n';
    const { laptop, desktop } = await two({
      'a.md': note('one', 'two', 'three'),
      'changelog.md': changelog,
    });
    laptop.put({
      'a.md': note('one by the laptop', 'two', 'three'),
      'changelog.md': `# 2026-11-16\n\n## Laptop\n\nDone.\n\n${changelog}`,
    });
    desktop.put({
      'a.md': note('one', 'two', 'three by the desktop'),
      'changelog.md': `# 2026-11-16\n\n## Desktop\n\nDone, too.\n\n${changelog}`,
    });
    await laptop.sync();
    const { merged, changes } = await desktop.sync();
    expect(merged).toEqual(['vault/a.md', 'vault/changelog.md']);
    await laptop.sync();
    expect(laptop.read('a.md')).toBe(note('one by the laptop', 'two', 'three by the desktop'));
    expect(
      laptop
        .read('changelog.md')
        ?.match(/^#+ .*/gm)
        ?.toSorted(),
    ).toEqual(['# 2026-11-15', '# 2026-11-16', '## Desktop', '## First', '## Laptop']);
    expect(desktop.files()).toEqual(laptop.files());
    const entry = desktop.keepsake.changes.find(changes[0] ?? '')?.entry;
    expect(entry).toMatchObject({ origin: 'sync', summary: 'merged 2 files, from laptop' });
  });

  it('keeps both versions of lines that two machines changed, merges the rest, and asks in the inbox', async () => {
    const { laptop, desktop } = await two({ 'a.md': note('one', 'two', 'three', 'four', 'five', 'six') });
    laptop.put({ 'a.md': note('one by the laptop', 'two', 'four', 'five', 'six by the laptop') });
    desktop.put({ 'a.md': note('one by the desktop', 'two', 'three', 'four', 'six') });
    await laptop.sync();
    expect(await desktop.sync()).toMatchObject({ merged: [], conflicts: ['vault/a.md'] });
    await laptop.sync();
    expect(desktop.files()).toEqual(laptop.files());
    // Lines that one of them deleted stay deleted.
    expect(laptop.read('a.md')).toBe(
      note('one by the desktop', 'one by the laptop', 'two', 'four', 'six by the laptop'),
    );
    const asked = Object.keys(laptop.files()).filter((path) => path.startsWith('inbox/'));
    expect(asked.map((path) => path.split('/').at(-1))).toEqual(['review.md']);
    const [question] = await laptop.keepsake.inbox();
    expect(question).toMatchObject({ kind: 'question' });
    const text = laptop.read(asked[0] ?? '');
    for (const words of ['In place: `vault/a.md`', '> one by the laptop', '> one by the desktop'])
      expect(text).toContain(words);
    expect(text).not.toContain('> two');
  });

  it('keeps the newer of two field values and quotes the other in the question', async () => {
    const stamped = (day: number, status: string): string =>
      `---\ncreated: 2026-11-01T10:00:00\nupdated: 2026-11-0${day}T10:00:00\nstatus: ${status}\n---\n\n${note('one')}`;
    const { laptop, desktop } = await two({ 'a.md': stamped(1, 'open') });
    laptop.put({ 'a.md': stamped(2, 'on the laptop') });
    desktop.put({ 'a.md': stamped(3, 'on the desktop') });
    await settle(laptop, desktop);
    expect(laptop.read('a.md')).toContain('status: on the desktop\n');
    expect(laptop.read('a.md')?.match(/status:/g)).toHaveLength(1);
    const asked = Object.entries(laptop.files()).find(([path]) => path.startsWith('inbox/'));
    expect(asked?.[1]).toContain('> status: on the laptop');
    expect(laptop.files()).toEqual(desktop.files());
  });

  it('keeps the newer of two versions in place if there is no common base', async () => {
    const stamped = (day: number, text: string): string =>
      `---\ncreated: 2026-11-01T10:00:00\nupdated: 2026-11-0${day}T10:00:00\n---\n\n${note(text)}`;
    const { laptop, desktop } = await two();
    laptop.put({ 'a.md': stamped(2, 'by the laptop') });
    desktop.put({ 'a.md': stamped(3, 'by the desktop') });
    await settle(laptop, desktop);
    expect(laptop.read('a.md')).toBe(stamped(3, 'by the desktop'));
    expect(Object.values(laptop.files())).toContain(stamped(2, 'by the laptop'));
    expect(laptop.files()).toEqual(desktop.files());
  });

  it('hides its questions about hidden notes from models', async () => {
    const { laptop, desktop } = await two({
      'private/diary.md': note('one', 'two', 'three'),
      'private/data.json': '1\n',
    });
    mkdirSync(join(laptop.folder, '../keepsake'));
    writeFileSync(join(laptop.folder, '../keepsake/config.yaml'), "agents:\n  exclude: ['private/**']\n");
    await vi.waitFor(async () =>
      expect((await laptop.keepsake.restricted.contents()).folders.has('private')).toBe(false),
    );
    desktop.put({ 'private/diary.md': note('one', 'zebra', 'three'), 'private/data.json': '2\n' });
    await desktop.sync();
    laptop.put({ 'private/diary.md': note('one', 'giraffe', 'three'), 'private/data.json': '3\n' });
    await laptop.sync();
    expect(await laptop.keepsake.inbox()).toHaveLength(2);
    expect(await laptop.keepsake.restricted.inbox()).toEqual([]);
  });

  it('keeps a file that one machine edited and another deleted, and applies an edit to a moved file at its new path', async () => {
    const text = note('one', 'two', 'three', 'four', 'five', 'six');
    const { laptop, desktop } = await two({
      'a.md': text,
      'b.md': text.replace('one', 'of b'),
      'c.md': 'c\n',
    });
    laptop.put({ 'a.md': null, 'b.md': null, 'moved/b.md': text.replace('one', 'of b'), 'c.md': null });
    desktop.put({
      'a.md': text.replace('two', 'two by the desktop'),
      'b.md': text.replace('one', 'of b').replace('six', 'six by the desktop'),
    });
    await settle(laptop, desktop);
    expect(laptop.files()).toEqual({
      'a.md': text.replace('two', 'two by the desktop'),
      'moved/b.md': text.replace('one', 'of b').replace('six', 'six by the desktop'),
    });
    expect(desktop.files()).toEqual(laptop.files());
  });

  it('undoes received changes in one step and syncs the undo', async () => {
    const { laptop, desktop } = await two({ 'a.md': note('one'), 'b.md': note('b') });
    laptop.put({ 'a.md': note('changed'), 'b.md': null, 'c/c.md': note('c') });
    await laptop.sync();
    const { changes } = await desktop.sync();
    expect(changes).toHaveLength(1);
    expect((await desktop.keepsake.changes.undo(changes[0] ?? '')).kind).toBe('written');
    expect(desktop.files()).toEqual({ 'a.md': note('one'), 'b.md': note('b') });
    await settle(desktop, laptop);
    expect(laptop.files()).toEqual({ 'a.md': note('one'), 'b.md': note('b') });
  });

  it('is synced with the configured repository until sync is turned off', async () => {
    const { laptop, remote } = await two({ 'a.md': note('one') });
    expect(await laptop.keepsake.sync.run()).toMatchObject({ remote, machine: 'laptop', sent: 0 });
    expect(await laptop.keepsake.sync.stop()).toBe(remote);
    expect(await laptop.keepsake.sync.stop()).toBeNull();
    await expect(laptop.keepsake.sync.run()).rejects.toMatchObject({ code: 'no-remote' });
  });

  it('asks about every file that differs if there is no common base', async () => {
    const { laptop, desktop } = await two({ 'a.md': note('one'), 'same.md': note('same') });
    await desktop.keepsake.sync.stop();
    desktop.put({ 'a.md': note('one', 'two'), 'only.md': note('only here') });
    expect(await desktop.sync()).toMatchObject({ conflicts: ['vault/a.md'], received: [] });
    await laptop.sync();
    expect(desktop.files()).toEqual(laptop.files());
    expect(Object.keys(laptop.files())).toHaveLength(5);
    expect(Object.values(laptop.files())).toContain(note('one', 'two'));
  });

  it('skips and reports files larger than 20 MB, even one that was smaller before', async () => {
    const { laptop, desktop } = await two({ 'a.md': note('one'), 'bucket/grows.bin': 'small' });
    const large = Buffer.alloc(20_000_001, 'x');
    laptop.put({ 'bucket/film.bin': large, 'bucket/grows.bin': large });
    const { leftOut } = await laptop.sync();
    expect(leftOut.map(({ path }) => path).toSorted()).toEqual([
      'vault/bucket/film.bin',
      'vault/bucket/grows.bin',
    ]);
    desktop.put({ 'bucket/grows.bin': 'by the desktop' });
    await settle(desktop, laptop);
    expect(desktop.files()).toEqual({ 'a.md': note('one'), 'bucket/grows.bin': 'by the desktop' });
    // Both machines changed it since the last common version.
    laptop.put({ 'bucket/grows.bin': 'by the laptop' });
    expect(await laptop.sync()).toMatchObject({ conflicts: ['vault/bucket/grows.bin'] });
    await desktop.sync();
    expect(Object.values(desktop.files())).toContain('by the laptop');
    expect(Object.values(desktop.files())).toContain('by the desktop');
  });
});

describe('sync', () => {
  it('starts another round when another machine pushed first', async () => {
    const { laptop, desktop, studio, remote } = await three({ 'a.md': note('one'), 'b.md': note('two') });
    desktop.put({ 'b.md': note('two by the desktop') });
    await desktop.sync();
    laptop.put({ 'a.md': note('one by the laptop') });
    studio.put({ 'c.md': note('from the studio') });
    // The studio pushes between the laptop's fetch and push.
    let isDone = false;
    const { catalogue } = laptop.keepsake;
    const original = { ...catalogue };
    catalogue.refresh = async () => {
      if (!isDone) {
        isDone = true;
        await studio.sync();
      }
      return original.refresh();
    };
    expect(await laptop.keepsake.sync.run(remote)).toMatchObject({ sent: 1 });
    await settle(desktop, studio);
    expect(Object.keys(laptop.files())).toEqual(['a.md', 'b.md', 'c.md']);
    for (const each of [desktop, studio]) expect(each.files()).toEqual(laptop.files());
  });

  it('resumes after a rejected push without writing anything twice', async () => {
    const { laptop, desktop, remote } = await two({ 'a.md': note('one', 'two', 'three') });
    laptop.put({ 'a.md': note('one', 'by the laptop', 'two', 'three') });
    desktop.put({ 'a.md': note('one', 'two', 'three', 'by the desktop') });
    await laptop.sync();
    const hook = join(remote, 'hooks/pre-receive');
    writeFileSync(hook, '#!/bin/sh\nrm "$0"\necho no >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    await expect(desktop.sync()).rejects.toMatchObject({ code: 'not-accepted' });
    desktop.put({ 'a.md': `${desktop.read('a.md')}later\n` });
    expect(await desktop.sync()).toMatchObject({ sent: 1, merged: [] });
    await laptop.sync();
    expect(laptop.read('a.md')).toBe(
      `${note('one', 'by the laptop', 'two', 'three', 'by the desktop')}later\n`,
    );
  });

  it('does not apply received changes twice after a crash', async () => {
    const { laptop, desktop, remote } = await two({ 'a.md': note('one', 'two') });
    laptop.put({ 'a.md': note('one by the laptop', 'two') });
    await laptop.sync();
    const { writer } = desktop.keepsake.changes;
    const original = { ...writer };
    writer.write = async (...request) => {
      await original.write(...request);
      throw new Error('killed');
    };
    await expect(desktop.keepsake.sync.run(remote)).rejects.toThrow('killed');
    Object.assign(writer, original);
    // Reverts the file by hand; with the old base, it would look as if only the laptop had changed it.
    desktop.put({ 'a.md': note('one', 'two') });
    await settle(desktop, laptop);
    expect(laptop.read('a.md')).toBe(note('one', 'two'));
    expect(desktop.files()).toEqual(laptop.files());
  });

  it('reports an unreachable remote and changes nothing', async () => {
    const all = createMachines();
    const machine = await all.machine(
      'laptop',
      { ...identity, 'a.md': note('one') },
      join(all.remote, 'nowhere'),
    );
    await expect(machine.sync()).rejects.toMatchObject({ code: 'unreachable' });
    expect(machine.files()).toEqual({ 'a.md': note('one') });
    const secret = await all.machine('desktop', identity, 'https://me:secret@127.0.0.1:9/vault.git');
    const said: unknown = await secret.sync().catch((error: unknown) => String(error));
    expect(said).toContain('127.0.0.1');
    expect(said).not.toContain('secret');
  });

  it('rejects a remote whose history was rewritten, and starts over after sync was turned off', async () => {
    const { laptop, desktop, git } = await two({ 'a.md': note('one') });
    const tree = git(['rev-parse', 'main^{tree}']);
    const other = git(['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit-tree', '-m', 'other', tree]);
    git(['update-ref', 'refs/heads/main', other]);
    laptop.put({ 'a.md': note('two') });
    await expect(laptop.sync()).rejects.toMatchObject({ code: 'rewritten' });
    expect(laptop.files()).toEqual({ 'a.md': note('two') });
    expect(git(['rev-parse', 'main'])).toBe(other);
    await laptop.keepsake.sync.stop();
    expect(await laptop.sync()).toMatchObject({ conflicts: ['vault/a.md'] });
    git(['update-ref', '-d', 'refs/heads/main']);
    await expect(desktop.sync()).rejects.toMatchObject({ code: 'rewritten' });
  });

  it('rejects a repository that contains another vault or something else', async () => {
    const { git, machine } = await two({ 'a.md': note('one') });
    const other = await machine('other', {
      '.keepsake/vault.json': '{ "id": "another-vault", "version": 1 }',
      'b.md': 'b\n',
    });
    await expect(other.sync()).rejects.toMatchObject({ code: 'other-vault' });
    const folder = await machine('folder', { 'c.md': 'c\n' });
    await expect(folder.sync()).rejects.toMatchObject({ code: 'bad-target' });
    const tree = git(['mktree'], '');
    const empty = git(['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit-tree', '-m', 'other', tree]);
    git(['update-ref', 'refs/heads/main', empty]);
    const fresh = await machine('fresh');
    await expect(fresh.sync()).rejects.toMatchObject({ code: 'other-vault' });
    for (const each of [other, folder, fresh]) expect(Object.keys(each.files()).length).toBeLessThan(2);
  });
});
