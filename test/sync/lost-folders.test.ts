import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackgroundSync, openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { isMassDeletion } from '../../packages/vault/src/sync/deletions.ts';
import { resolveRoot, readIdentity } from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { until } from '../upkeep/upkeep-vault.ts';
import { identity, createMachines } from './machines.ts';
import type { Machine } from './machines.ts';

const notes = Object.fromEntries(
  Array.from({ length: 14 }, (_, index) => [
    `bucket/${String(index).padStart(2, '0')}.md`,
    `Words ${index}.\n`,
  ]),
);
const all = { 'profile.md': 'Lives in Leipzig.\n', ...notes };

async function two(files: Record<string, string> = all) {
  const machines = createMachines();
  const laptop = await machines.machine('laptop', { ...identity, ...files });
  await laptop.sync();
  const desktop = await machines.machine('desktop');
  await desktop.sync();
  return { ...machines, laptop, desktop };
}

/** Removes the files of the vault, and its identity only with `withIdentity`. */
function empty({ folder }: Machine, { withIdentity = false } = {}): void {
  for (const name of readdirSync(folder))
    if (withIdentity || name !== '.keepsake') rmSync(join(folder, name), { recursive: true });
}

describe('a lost folder', () => {
  it('is restored when it joins again, and no other machine loses a file', async () => {
    const { laptop, desktop, machine } = await two();
    await desktop.keepsake.close();
    empty(desktop, { withIdentity: true });
    const again = await machine('desktop');
    expect(await again.sync()).toMatchObject({ sent: 0, sentDeletions: 0 });
    expect(again.files()).toEqual(all);
    expect(await laptop.sync()).toMatchObject({ received: [], deleted: [] });
    expect(laptop.files()).toEqual(all);
  });

  it('is not restored automatically, because its disk may only be unmounted', async () => {
    const { laptop, desktop } = await two();
    empty(desktop, { withIdentity: true });
    await expect(desktop.keepsake.sync.run()).rejects.toMatchObject({
      code: 'bad-state',
      message: expect.stringContaining('is not a vault'),
    });
    expect(readdirSync(desktop.folder)).toEqual([]);
    await laptop.sync();
    expect(laptop.files()).toEqual(all);
  });

  it('that is replaced by an older copy continues from the last sync of that copy', async () => {
    const { laptop, desktop, machine } = await two();
    const copy = join(temporaryFolder(), 'copy');
    cpSync(desktop.folder, copy, { recursive: true });
    laptop.put({
      'bucket/later.md': 'Written later.\n',
      'bucket/00.md': 'Changed later.\n',
      'bucket/01.md': null,
    });
    await laptop.sync();
    await desktop.sync();
    await desktop.keepsake.close();
    empty(desktop, { withIdentity: true });
    cpSync(copy, desktop.folder, { recursive: true });
    const again = await machine('desktop');
    expect(await again.sync()).toMatchObject({ conflicts: [], sent: 0, sentDeletions: 0 });
    expect(again.files()).toEqual(laptop.files());
  });

  it('is synced from scratch without its sync marker: it receives missing files and keeps both versions of different files', async () => {
    const { laptop, desktop } = await two();
    for (const name of readdirSync(join(desktop.folder, '.keepsake')))
      if (name.startsWith('sync-')) rmSync(join(desktop.folder, '.keepsake', name));
    desktop.put({ 'bucket/00.md': null, 'bucket/01.md': 'Changed without a marker.\n' });
    expect(await desktop.sync()).toMatchObject({
      received: ['vault/bucket/00.md'],
      conflicts: ['vault/bucket/01.md'],
      sentDeletions: 0,
    });
    await laptop.sync();
    expect(laptop.files()).toMatchObject({ 'bucket/00.md': 'Words 0.\n' });
    expect(Object.values(laptop.files())).toEqual(
      expect.arrayContaining(['Words 1.\n', 'Changed without a marker.\n']),
    );
  });

  it('is recognized after a crash between a sync and the update of its sync marker', async () => {
    const { laptop, desktop } = await two();
    const marker = `.keepsake/${readdirSync(join(desktop.folder, '.keepsake')).find((name) => name.startsWith('sync-'))}`;
    const before = desktop.read(marker) ?? '';
    laptop.put({ 'bucket/00.md': 'Changed on the laptop.\n' });
    await laptop.sync();
    await desktop.sync();
    desktop.put({ [marker]: before, 'bucket/01.md': null });
    const { commit } = JSON.parse(before) as { commit: string };
    const repository = join(desktop.state, 'sync.git');
    execFileSync('git', ['-C', repository, 'update-ref', 'refs/keepsake/marked', commit]);
    expect(await desktop.sync()).toMatchObject({ conflicts: [], received: [], sentDeletions: 1 });
    await laptop.sync();
    expect(laptop.read('bucket/01.md')).toBeNull();
  });
});

describe('a mass deletion', () => {
  it('is not sent without confirmation, and can be undone', async () => {
    const { laptop, desktop } = await two();
    empty(desktop);
    for (let round = 0; round < 2; round += 1)
      await expect(desktop.sync()).rejects.toMatchObject({
        code: 'mass-deletion',
        message: expect.stringContaining(
          '15 of 15 files, including profile.md, are missing from this folder',
        ),
      });
    expect(await laptop.sync()).toMatchObject({ deleted: [] });
    const restored = await desktop.keepsake.sync.run(undefined, { deletions: 'restore' });
    expect(restored.restored).toHaveLength(15);
    expect(desktop.files()).toEqual(all);
    expect(await laptop.sync()).toMatchObject({ received: [], deleted: [] });
  });

  it('is sent after it was confirmed, and reported with the number of files', async () => {
    const { laptop, desktop } = await two();
    empty(desktop);
    expect(await desktop.keepsake.sync.run(undefined, { deletions: 'confirm' })).toMatchObject({
      sent: 0,
      sentDeletions: 15,
    });
    // Each machine asks its own user.
    await expect(laptop.sync()).rejects.toMatchObject({ code: 'mass-deletion' });
    expect(laptop.files()).toEqual(all);
    const confirmed = await laptop.keepsake.sync.run(undefined, { deletions: 'confirm' });
    expect(confirmed).toMatchObject({ received: [], sentDeletions: 0 });
    expect(confirmed.deleted).toHaveLength(15);
    expect(laptop.files()).toEqual({});
  });

  it('can be rejected on another machine, which restores the files on every machine', async () => {
    const { laptop, desktop } = await two();
    empty(desktop);
    await desktop.keepsake.sync.run(undefined, { deletions: 'confirm' });
    laptop.put({ 'bucket/new.md': 'New.\n' });
    await expect(laptop.sync()).rejects.toMatchObject({
      code: 'mass-deletion',
      message: expect.stringContaining('deleted on other machines (desktop)'),
    });
    expect(await laptop.keepsake.sync.run(undefined, { deletions: 'restore' })).toMatchObject({ sent: 16 });
    expect(laptop.files()).toEqual({ ...all, 'bucket/new.md': 'New.\n' });
    await desktop.sync();
    expect(desktop.files()).toEqual(laptop.files());
  });

  it('is not reported for a renamed folder, a few files of many, or a single note', async () => {
    const { laptop, desktop } = await two();
    renameSync(join(desktop.folder, 'bucket'), join(desktop.folder, 'archive'));
    expect(await desktop.sync()).toMatchObject({ sent: 14, sentDeletions: 0 });
    desktop.put({ 'archive/00.md': null, 'archive/01.md': null });
    expect(await desktop.sync()).toMatchObject({ sent: 0, sentDeletions: 2 });
    await laptop.sync();
    desktop.put({ 'profile.md': null });
    expect(await desktop.sync()).toMatchObject({ sent: 0, sentDeletions: 1 });
    await laptop.sync();
    expect(laptop.files()).toEqual(desktop.files());
  });

  it('is not sent if the folder is emptied during a sync', async () => {
    const { laptop, machine } = await two();
    // For this clock all file times are old, so that no file is read twice.
    const desktop = await machine('third', {}, undefined, () => Date.now() + 60_000);
    await desktop.sync();
    laptop.put({ 'bucket/00.md': 'Changed on the laptop.\n' });
    await laptop.sync();
    const { writer } = desktop.keepsake.changes;
    const original = { ...writer };
    writer.write = async (...request) => {
      const written = await original.write(...request);
      empty(desktop);
      return written;
    };
    await expect(desktop.sync()).rejects.toMatchObject({ code: 'mass-deletion' });
    Object.assign(writer, original);
    expect(await laptop.sync()).toMatchObject({ deleted: [] });
  });

  it('stops automatic sync, which reports it', async () => {
    const { laptop, desktop } = await two();
    await desktop.keepsake.sync.setWatched(true);
    empty(desktop);
    const errors: unknown[] = [];
    const { sync, events } = desktop.keepsake;
    const keeping = startBackgroundSync({
      sync,
      events,
      onError: (error) => errors.push(error),
      onLeftOut: () => undefined,
      timing: { intervalMs: 20 },
    });
    onTestFinished(() => keeping.stop());
    await until(() => errors.length > 1, 'it has tried twice');
    expect(errors[0]).toMatchObject({ code: 'mass-deletion' });
    expect(await sync.status()).toMatchObject({ problem: expect.stringContaining('--restore-deleted') });
    expect(await laptop.sync()).toMatchObject({ deleted: [] });
  });
});

it.each([
  { deleted: 11, of: 33, isMass: true },
  { deleted: 11, of: 34, isMass: false },
  { deleted: 10, of: 30, isMass: false },
  { deleted: 2, of: 2, isMass: true },
  { deleted: 1, of: 1, isMass: false },
])('$deleted of $of notes deleted is a mass deletion: $isMass', ({ deleted, of, isMass }) => {
  const paths = Array.from({ length: of }, (_, index) => `vault/${index}.md` as VaultPath);
  const base = new Map(paths.map((path) => [path, 'id']));
  expect(isMassDeletion(paths.slice(0, deleted), base)).toBe(isMass);
  // Files that are not notes do not hide it.
  const withPictures = new Map([
    ...base,
    ...paths.map((path) => [`${path}.png` as VaultPath, 'id'] as const),
  ]);
  expect(isMassDeletion(paths.slice(0, deleted), withPictures)).toBe(deleted >= 11 && isMass);
});

describe('a second folder on one machine', () => {
  /** Uses the default state folder, as users do. */
  async function open(vault: string, home: string) {
    mkdirSync(vault, { recursive: true });
    const variables = {
      PATH: process.env['PATH'],
      XDG_CONFIG_HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
    };
    const keepsake = await openKeepsake({ vault, environment: readEnvironment(variables) });
    onTestFinished(async () => void (await keepsake.close()));
    return keepsake;
  }

  it('joins with its own state, even after it was moved, and exchanges files with the first', async () => {
    const { remote, git } = createMachines();
    const home = temporaryFolder();
    const [first, second] = [join(home, 'first'), join(home, 'second')];
    layOut(first, { ...identity, ...all });
    const one = await open(first, home);
    await one.sync.run(remote);
    const other = await open(second, home);
    expect((await other.sync.run(remote)).received).toHaveLength(15);
    expect(other.state.folder()).not.toBe(one.state.folder());
    layOut(second, { 'bucket/new.md': 'New.\n' });
    await other.sync.run();
    await other.close();
    const moved = join(home, 'moved');
    renameSync(second, moved);
    const later = await open(moved, home);
    layOut(moved, { 'bucket/moved.md': 'After the move.\n' });
    expect(await later.sync.run()).toMatchObject({ received: [], sent: 1, sentDeletions: 0 });
    expect(later.state.folder()).toBe(other.state.folder());
    expect((await one.sync.run()).received).toEqual(['vault/bucket/moved.md', 'vault/bucket/new.md']);
    expect(git(['log', '--format=%s', 'main']).split('\n')).toHaveLength(3);
  });

  it('becomes another vault if it is a plain copy', async () => {
    const home = temporaryFolder();
    const [first, second] = [join(home, 'first'), join(home, 'second')];
    layOut(first, { ...identity, ...all });
    (await open(first, home)).state.ensureAdopted();
    cpSync(first, second, { recursive: true });
    (await open(second, home)).state.ensureAdopted();
    expect(readIdentity(resolveRoot(second))?.id).not.toBe(readIdentity(resolveRoot(first))?.id);
  });
});
