import {
  chmodSync,
  cpSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { interceptCalls, real } from '../../../../test/intercepted-calls.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { snapshotDurable } from './databases.ts';
import { backUp, diagnose, openKeepsake, readEnvironment, restoreBackup } from './index.ts';
import type { Environment, Keepsake } from './index.ts';
import { trackCreatedFiles } from './created-files.ts';
import { createMirror } from './mirror.ts';

const calls = interceptCalls();
afterEach(() => void (calls.intercept = () => null));

type Place = {
  root: string;
  vault: string;
  environment: Environment;
  open: (at?: string) => Promise<Keepsake>;
};

function place(): Place {
  const root = temporaryFolder();
  const [vault, home] = [join(root, 'vault'), join(root, 'home')];
  mkdirSync(vault);
  const environment = readEnvironment({
    PATH: process.env['PATH'],
    HOME: home,
    XDG_STATE_HOME: home,
    XDG_CONFIG_HOME: home,
  });
  return { root, vault, environment, open: (at = vault) => openKeepsake({ vault: at, environment }) };
}

async function write({ callTool }: Keepsake, path: string, content: string): Promise<void> {
  const outcome = await callTool({
    tool: 'write',
    input: { path, content },
    reader: 'person',
    origin: 'test',
  });
  if (outcome.kind === 'refused' || outcome.result.value.errors.length > 0)
    throw new Error(JSON.stringify(outcome));
}

/** Creates a vault with two changes, one of them recorded in history, and one waiting update, and backs it up. */
async function backedUp(): Promise<Place & { backup: string }> {
  const at = place();
  const first = await at.open();
  await write(first, 'bucket/a.md', 'a');
  await first.close();
  const keepsake = await at.open();
  await write(keepsake, 'bucket/b.md', 'b');
  await keepsake.accept({ text: 'remember', files: [], source: { kind: 'person', name: 'test' } });
  const backup = join(at.root, 'backup');
  await backUp(keepsake, backup);
  await keepsake.close();
  return { ...at, backup };
}

/** Records every file that is flushed from now on, by its inode, because files are renamed. */
function noteFlushed(): { isFlushed: (path: string) => boolean } {
  const flushed = new Set<number>();
  calls.intercept = (name, [fd]) => {
    if (name === 'fsyncSync') flushed.add(fstatSync(fd as number).ino);
    return null;
  };
  return { isFlushed: (path) => flushed.has(lstatSync(path).ino) };
}

/** Appends with the real system calls, bypassing the intercept. */
function appendTo(path: string, text: string): void {
  const file = real.openSync(path, 'a');
  real.writeSync(file, text);
  real.closeSync(file);
}

function all(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

describe('a backup', () => {
  it('is accessible only to its owner, whatever the umask, and keeps the permissions of notes', async () => {
    const at = place();
    layOut(at.vault, { 'p.md': 'private\n', 'q.md': 'open\n' });
    chmodSync(join(at.vault, 'p.md'), 0o600);
    chmodSync(join(at.vault, 'q.md'), 0o644);
    const keepsake = await at.open();
    onTestFinished(async () => void (await keepsake.close()));
    await write(keepsake, 'bucket/a.md', 'a');
    await keepsake.changes.record();
    const before = process.umask(0);
    const backup = join(at.root, 'backup');
    await backUp(keepsake, backup).finally(() => process.umask(before));
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect(modeOf(backup)).toBe('700');
    expect([...new Set(all(join(backup, 'state')).map(modeOf))].toSorted()).toEqual(['600', '700']);
    expect(['p.md', 'q.md'].map((name) => modeOf(join(backup, 'vault', name)))).toEqual(['600', '644']);
  });

  it('is rejected inside the vault or its state folder, even through a symbolic link', async () => {
    const at = place();
    const keepsake = await at.open();
    onTestFinished(async () => void (await keepsake.close()));
    await write(keepsake, 'bucket/a.md', 'a');
    symlinkSync(at.vault, join(at.root, 'link'));
    for (const target of [join(at.vault, 'x/backup'), join(at.root, 'link/backup')])
      await expect(backUp(keepsake, target)).rejects.toThrow(/is inside the vault/);
    const inState = join(keepsake.state.folder(), 'backup');
    await expect(backUp(keepsake, inState)).rejects.toThrow(/is inside the state folder/);
    expect([join(at.vault, 'x'), join(at.vault, 'backup'), inState].filter(existsSync)).toEqual([]);
  });

  it('copies queue and journal from a snapshot, so that other processes can write during the copy', async () => {
    const at = place();
    const [keepsake, other] = [await at.open(), await at.open()];
    onTestFinished(async () => void (await Promise.all([keepsake.close(), other.close()])));
    const accept = (text: string) =>
      other.accept({ text, files: [], source: { kind: 'person', name: 'test' } });
    await write(keepsake, 'bucket/a.md', 'a');
    // Several hundred pages, so that the database is copied in many steps.
    await accept('long '.repeat(400_000));
    const [backup, done] = [join(at.root, 'backup'), new AbortController()];
    const accepting = Promise.withResolvers<number>();
    const withExclusiveAccess: Keepsake['changes']['withExclusiveAccess'] = async (work) => {
      const value = await keepsake.changes.withExclusiveAccess(work);
      expect(existsSync(join(backup, 'state/keepsake.sqlite'))).toBe(false);
      await accept('after');
      void (async () => {
        let count = 1;
        for (; !done.signal.aborted; count += 1) {
          await accept(`meanwhile ${count}`);
          await setImmediate(); // a step of the copy
        }
        accepting.resolve(count);
      })();
      return value;
    };
    await backUp({ ...keepsake, changes: { ...keepsake.changes, withExclusiveAccess } }, backup);
    done.abort();
    expect(await accepting.promise).toBeGreaterThan(1);
    const [to, state] = [join(at.root, 'new'), join(at.root, 'new-state')];
    const restored = await restoreBackup(backup, { to, state, environment: at.environment });
    expect(restored).toMatchObject({ changes: 1, waiting: 1 });
  });

  it('is flushed to disk, including its folders and manifest, before `backUp` returns', async () => {
    const at = place();
    layOut(at.vault, { 'deep/er/a.md': 'a\n', 'protected.md': 'p\n' });
    chmodSync(join(at.vault, 'protected.md'), 0o444);
    const keepsake = await at.open();
    onTestFinished(async () => void (await keepsake.close()));
    await write(keepsake, 'bucket/a.md', 'a');
    await keepsake.changes.record();
    const { isFlushed } = noteFlushed();
    const backup = join(at.root, 'disk/backup');
    await backUp(keepsake, backup);
    const written = [at.root, join(at.root, 'disk'), backup, ...all(backup)];
    expect(written.filter((path) => !isFlushed(path))).toEqual([]);
    expect(statSync(join(backup, 'vault/protected.md')).mode & 0o777).toBe(0o444);
  });

  it('reports a file that changed during every copy attempt, both on backup and on restore', async () => {
    const at = place();
    layOut(at.vault, { 'busy.log': 'x', 'calm.md': 'c\n' });
    const keepsake = await at.open();
    onTestFinished(async () => void (await keepsake.close()));
    await write(keepsake, 'bucket/a.md', 'a');
    const [busy, backup] = [join(realpathSync(at.vault), 'busy.log'), join(at.root, 'backup')];
    calls.intercept = (name, [path]) => {
      if (name === 'openSync' && path === busy) appendTo(busy, 'x');
      return null;
    };
    expect(await backUp(keepsake, backup)).toEqual({ torn: [busy] });
    calls.intercept = () => null;
    const [to, state] = [join(at.root, 'new'), join(at.root, 'new-state')];
    expect(await restoreBackup(backup, { to, state, environment: at.environment })).toMatchObject({
      torn: [busy],
      changes: 1,
    });
    expect(await backUp(keepsake, join(at.root, 'next'))).toEqual({ torn: [] });
  });

  it('is removed when it cannot be flushed to disk', async () => {
    const at = place();
    const keepsake = await at.open();
    onTestFinished(async () => void (await keepsake.close()));
    await write(keepsake, 'bucket/a.md', 'a');
    calls.intercept = (name) => (name === 'fsyncSync' ? 'EIO' : null);
    await expect(backUp(keepsake, join(at.root, 'backup'))).rejects.toThrow('EIO');
    expect(existsSync(join(at.root, 'backup'))).toBe(false);
  });

  it('takes the snapshot of queue and journal before it checks that the lock is still held', async () => {
    const at = place();
    const keepsake = await at.open();
    onTestFinished(async () => void (await keepsake.close()));
    await write(keepsake, 'bucket/a.md', 'a');
    const { folder, durable } = keepsake.state.databases();
    const snapshot = snapshotDurable(folder, () => void durable.exec('create table later (x)'));
    await snapshot.copyTo(join(at.root, 'copy.sqlite'));
    snapshot.close();
    const copy = new Database(join(at.root, 'copy.sqlite'));
    expect(
      copy.prepare("select name from sqlite_schema where name in ('later', 'updates')").pluck().all(),
    ).toEqual(['updates']);
    copy.close();
    const takenOver = (): never => {
      throw new Error('taken over');
    };
    expect(() => snapshotDurable(folder, takenOver)).toThrow('taken over');
  });

  it('leaves nothing behind when it fails', async () => {
    const at = place();
    const keepsake = await at.open();
    onTestFinished(async () => void (await keepsake.close()));
    await write(keepsake, 'bucket/a.md', 'a');
    const backup = join(at.root, 'backup');
    const failing = {
      ...keepsake.changes,
      withExclusiveAccess: () => Promise.reject(new Error('taken over')),
    };
    await expect(backUp({ ...keepsake, changes: failing }, backup)).rejects.toThrow('taken over');
    expect(existsSync(backup)).toBe(false);
  });
});

describe('the restore of a backup', () => {
  it('restores notes, history and queue on another machine and reports their counts', async () => {
    const { root, vault, backup, environment } = await backedUp();
    rmSync(vault, { recursive: true });
    const other = readEnvironment({
      PATH: process.env['PATH'],
      HOME: root,
      XDG_STATE_HOME: join(root, 'other'),
    });
    const to = join(root, 'elsewhere/vault');
    const restored = await restoreBackup(backup, { to, environment: other });
    expect(restored).toMatchObject({ vault: to, notes: 2, changes: 2, waiting: 1 });
    expect(restored.state.startsWith(join(root, 'other'))).toBe(true);
    const keepsake = await openKeepsake({ vault: to, environment: other });
    onTestFinished(async () => void (await keepsake.close()));
    for (const { id } of keepsake.changes.list({ limit: 9 }))
      expect((await keepsake.changes.undo(id)).kind).toBe('written');
    expect(readdirSync(to)).not.toContain('bucket');
    expect(keepsake.agents.updates.list({ limit: 9 }).map(({ input }) => input.text)).toEqual(['remember']);
    expect(existsSync(vault)).toBe(false);
    expect(environment.stateHome).not.toBe(other.stateHome);
  });

  it('refuses to overwrite a vault or its state, leaving both unchanged', async () => {
    const { root, vault, backup, environment } = await backedUp();
    await expect(restoreBackup(backup, { environment })).rejects.toThrow(
      /is not empty; nothing was restored/,
    );
    renameSync(vault, join(root, 'away'));
    const before = all(join(root, 'home')).toSorted();
    rmSync(join(root, 'away'), { recursive: true });
    await expect(restoreBackup(backup, { environment })).rejects.toThrow(
      /already contains history or a queue/,
    );
    expect(existsSync(vault)).toBe(false);
    expect(all(join(root, 'home')).toSorted()).toEqual(before);
    await expect(restoreBackup(backup, { to: join(backup, 'vault2'), environment })).rejects.toThrow(
      /is inside the backup/,
    );
  });

  it('refuses to overwrite a state folder that contains only history', async () => {
    const { root, vault, backup, environment } = await backedUp();
    rmSync(vault, { recursive: true });
    const state = all(join(root, 'home')).find((path) => path.endsWith('keepsake.sqlite')) ?? '';
    for (const suffix of ['', '-wal', '-shm']) rmSync(state + suffix, { force: true });
    const before = all(join(root, 'home')).toSorted();
    expect(before.some((path) => path.includes('history.git/objects'))).toBe(true);
    await expect(restoreBackup(backup, { environment })).rejects.toThrow(
      /already contains history or a queue/,
    );
    expect(all(join(root, 'home')).toSorted()).toEqual(before);
    expect(existsSync(vault)).toBe(false);
  });

  it('flushes all restored files to disk before it returns', async () => {
    const { root, backup, environment } = await backedUp();
    const [to, state] = [join(root, 'new/vault'), join(root, 'new/state')];
    const { isFlushed } = noteFlushed();
    await restoreBackup(backup, { to, state, environment });
    const copied = [
      ...all(join(backup, 'vault')).map((path) => path.replace(join(backup, 'vault'), to)),
      ...all(join(backup, 'state')).map((path) => path.replace(join(backup, 'state'), state)),
    ];
    expect(copied.length).toBeGreaterThan(10);
    // Counting opens the vault, which records the changes; git flushes that file itself.
    const recorded = join(state, 'history.git/refs/heads/main');
    const ours = [root, join(root, 'new'), to, state, ...copied].filter((path) => path !== recorded);
    expect(ours.filter((path) => !isFlushed(path))).toEqual([]);
  });

  it('can be repeated after a failure', async () => {
    const { root, vault, backup, environment } = await backedUp();
    const database = join(backup, 'state/keepsake.sqlite');
    const bytes = readFileSync(database);
    writeFileSync(database, Buffer.from(bytes).fill(7, 4096));
    const [to, state] = [join(root, 'new'), join(root, 'new-state')];
    await expect(restoreBackup(backup, { to, state, environment })).rejects.toThrow(
      /malformed|damaged|cannot open/,
    );
    writeFileSync(database, bytes);
    expect(await restoreBackup(backup, { to, state, environment })).toMatchObject({ changes: 2, waiting: 1 });
    expect(existsSync(vault)).toBe(true);
  });

  it('removes only its own files when it fails, not those that another program created or edited', async () => {
    const { root, vault, backup, environment } = await backedUp();
    rmSync(vault, { recursive: true });
    const database = join(backup, 'state/keepsake.sqlite');
    writeFileSync(database, Buffer.from(readFileSync(database)).fill(7, 4096));
    const [to, other] = [join(root, 'new'), join(root, 'other')];
    const [edited] = readdirSync(join(backup, 'vault/bucket'));
    const restored = restoreBackup(backup, {
      to,
      environment: {
        ...environment,
        // Read after the notes are copied and before the state is.
        get stateHome() {
          layOut(to, { 'mine.md': 'mine\n', [`bucket/${edited}`]: 'edited\n' });
          return other;
        },
      },
    });
    await expect(restored).rejects.toThrow(/malformed|damaged|cannot open/);
    const left = readdirSync(to, { recursive: true, encoding: 'utf8' }).toSorted();
    expect(left).toEqual(['bucket', `bucket/${edited}`, 'mine.md']);
    expect(readFileSync(join(to, 'mine.md'), 'utf8')).toBe('mine\n');
    expect(
      readdirSync(other, { recursive: true, encoding: 'utf8' }).filter((name) => /sqlite|git/.test(name)),
    ).toEqual([]);
  });

  it('fills the target of a symbolic link to an empty folder, and empties it again on failure', async () => {
    const { root, backup, environment } = await backedUp();
    const [folder, link, state] = [join(root, 'disk'), join(root, 'link'), join(root, 'new-state')];
    mkdirSync(folder);
    symlinkSync(folder, link);
    const number = statSync(folder).ino;
    layOut(state, { 'history.git/HEAD': 'x' });
    await expect(restoreBackup(backup, { to: link, state, environment })).rejects.toThrow(
      /already contains history/,
    );
    expect(readdirSync(folder)).toEqual([]);
    rmSync(state, { recursive: true });
    const restored = await restoreBackup(backup, { to: link, state, environment });
    expect(restored).toMatchObject({ vault: realpathSync(folder), notes: 2 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(folder).ino).toBe(number);
  });

  it('refuses a state folder inside the backup', async () => {
    const { root, backup, environment } = await backedUp();
    const [to, state] = [join(root, 'new'), join(backup, 'state/history.git/x')];
    await expect(restoreBackup(backup, { to, state, environment })).rejects.toThrow(/is inside the backup/);
    expect([to, state].filter(existsSync)).toEqual([]);
  });

  it('gives a copy next to the original its own id and history', async () => {
    const { root, vault, backup, environment, open } = await backedUp();
    const to = join(root, 'copy');
    expect(await restoreBackup(backup, { to, environment })).toMatchObject({ changes: 2, waiting: 1 });
    const copy = await open(to);
    onTestFinished(async () => void (await copy.close()));
    await write(copy, 'bucket/c.md', 'c');
    const original = await open();
    onTestFinished(async () => void (await original.close()));
    expect([copy, original].map(({ changes }) => changes.count())).toEqual([3, 2]);
    expect(existsSync(join(vault, 'bucket/c.md'))).toBe(false);
  });

  it('refuses an incomplete or damaged backup', async () => {
    const { root, backup, environment } = await backedUp();
    const to = join(root, 'new');
    const half = join(root, 'half');
    cpSync(backup, half, { recursive: true });
    rmSync(join(half, 'backup.json'));
    await expect(restoreBackup(half, { to, environment })).rejects.toThrow(/is not a complete backup/);
    const database = join(backup, 'state/keepsake.sqlite');
    const bytes = readFileSync(database);
    writeFileSync(database, bytes.fill(7, 4096));
    await expect(restoreBackup(backup, { to, environment })).rejects.toThrow(/malformed|damaged|cannot open/);
    expect(existsSync(to)).toBe(false);
  });
});

describe('doctor', () => {
  it('warns when a vault was copied without its history', async () => {
    const at = place();
    layOut(at.vault, { 'changelog.md': '# 2025-07-14\n\n## Began\n\nx\n' });
    const keepsake = await at.open();
    await write(keepsake, 'bucket/a.md', 'a');
    await keepsake.close();
    const history = async (vault: string, environment: Environment) =>
      (await diagnose({ vault, environment })).find(({ name }) => name === 'history');
    expect(await history(at.vault, at.environment)).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(
        /^changes: 1; \d+ B, all kept; it has 1 of 2 files, the rest are added while keepsake serve runs$/,
      ),
    });
    const elsewhere = readEnvironment({ PATH: process.env['PATH'], XDG_STATE_HOME: join(at.root, 'other') });
    expect(await history(at.vault, elsewhere)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('its state (history, queue, tokens) is missing'),
    });
  });
});

describe('a mirror of a folder', () => {
  it('calls `check` repeatedly while it copies one large file', () => {
    const root = temporaryFolder();
    layOut(join(root, 'a'), { 'long.bin': Buffer.alloc(8 * 1024 * 1024, 1) });
    let checks = 0;
    createMirror(join(root, 'a'), join(root, 'b'))({ check: () => void (checks += 1) });
    expect(checks).toBeGreaterThanOrEqual(8);
    expect(statSync(join(root, 'b/long.bin')).size).toBe(8 * 1024 * 1024);
  });

  it('neither removes nor replaces files that another program creates in the target', () => {
    const root = temporaryFolder();
    const [source, target] = [join(root, 'a'), join(root, 'b')];
    layOut(source, { 'a.md': '1', 'folder/x.md': '1', 'gone.md': '1' });
    const made = trackCreatedFiles();
    const mirror = createMirror(source, target, { made });
    mirror();
    layOut(target, {
      'theirs.md': 'theirs',
      'folder/theirs.md': 'theirs',
      'gone.md': 'edited',
      'new.md': 'theirs',
    });
    for (const name of ['folder', 'gone.md']) rmSync(join(source, name), { recursive: true });
    mirror();
    layOut(source, { 'new.md': '1' });
    expect(() => mirror()).toThrow(/another program created .*new\.md during the copy/);
    made.removeAll();
    const left = readdirSync(target, { recursive: true, encoding: 'utf8' }).toSorted();
    expect(left).toEqual(['folder', 'folder/theirs.md', 'gone.md', 'new.md', 'theirs.md']);
    expect(readFileSync(join(target, 'new.md'), 'utf8')).toBe('theirs');
  });

  it('copies changed files and removes deleted ones on the second run', () => {
    const root = temporaryFolder();
    const [source, target] = [join(root, 'a'), join(root, 'b')];
    layOut(source, {
      'same.md': '1',
      'changed.md': '1',
      'gone.md': '1',
      'folder/x.md': '1',
      'swap/y.md': '1',
    });
    symlinkSync('same.md', join(source, 'link'));
    const mirror = createMirror(source, target);
    mirror();
    writeFileSync(join(source, 'changed.md'), '2');
    for (const name of ['gone.md', 'folder', 'swap']) rmSync(join(source, name), { recursive: true });
    layOut(source, { 'new/z.md': '1', swap: 'now a file' });
    mirror();
    const names = readdirSync(target, { recursive: true, encoding: 'utf8' }).toSorted();
    expect(names).toEqual(['changed.md', 'link', 'new', 'new/z.md', 'same.md', 'swap']);
    expect(readFileSync(join(target, 'changed.md'), 'utf8')).toBe('2');
    expect(readFileSync(join(target, 'swap'), 'utf8')).toBe('now a file');
  });
});
