import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { contentBefore, createWriterLock } from '../packages/vault/src/changes/index.ts';
import type { WriterLock } from '../packages/vault/src/changes/writer-lock.ts';
import { tools } from '../packages/vault/src/tools/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { roomVault } from './room-vault.ts';
import { layOut, temporaryFolder, temporaryVault } from './temporary-vault.ts';
import { undoRandomChanges } from './undo-random-changes.ts';

async function commit(keepsake: Pick<Keepsake, 'writeRun'>, ...calls: [string, unknown][]): Promise<string> {
  const run = keepsake.writeRun('model');
  for (const [name, input] of calls) {
    const outcome = await tools.find((tool) => tool.name === name)?.call(input, run);
    if (outcome?.kind !== 'result' || outcome.result.value.errors.length > 0)
      throw new Error(JSON.stringify(outcome));
  }
  const written = await run.transaction.commit({ origin: 'test', summary: 'test' });
  return written.kind === 'written' ? written.id : expect.unreachable(JSON.stringify(written));
}

const bytes = ({ folder }: { folder: string }, path: string): string =>
  readFileSync(join(folder, path), 'latin1');

describe('history', () => {
  it("stores exact bytes, whatever the user's git configuration is", async () => {
    const vault = await roomVault({
      '.gitignore': '*\n',
      '.gitattributes': '* text eol=crlf filter=shout ident\n',
      'crlf.md': '---\r\ntype: x\r\n---\r\n$Id$ one\r\ntwo\r\n',
      'a.md': 'one\ntwo\n',
    });
    const home = temporaryFolder();
    layOut(home, {
      '.gitconfig':
        '[core]\n autocrlf = true\n hooksPath = /nonexistent\n[commit]\n gpgsign = true\n[filter "shout"]\n clean = tr a-z A-Z\n smudge = tr a-z A-Z\n required = true\n',
    });
    execFileSync('git', ['init', '-q'], { cwd: vault.folder });
    const own = readdirSync(join(vault.folder, '.git'), { recursive: true, encoding: 'utf8' }).toSorted();
    const [home0, config0] = [process.env['HOME'], process.env['GIT_CONFIG_GLOBAL']];
    Object.assign(process.env, { HOME: home, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') });
    try {
      const before = ['a.md', 'crlf.md'].map((path) => bytes(vault, path));
      const id = await commit(
        vault,
        ['read', { paths: ['a.md', 'crlf.md'] }],
        ['edit', { path: 'a.md', old: 'two', new: 'TWO' }],
        ['edit', { path: 'crlf.md', old: 'two', new: 'zwei' }],
      );
      await vault.changes.record();
      const changes = await vault.changes.find(id)?.changes();
      expect(changes?.map((change) => [change.path, contentBefore(change)?.toString('latin1')])).toEqual([
        ['vault/a.md', before[0]],
        ['vault/crlf.md', before[1]],
      ]);
      expect((await vault.changes.undo(id)).kind).toBe('written');
      expect(['a.md', 'crlf.md'].map((path) => bytes(vault, path))).toEqual(before);
    } finally {
      process.env['HOME'] = home0 ?? '';
      if (config0 === undefined) delete process.env['GIT_CONFIG_GLOBAL'];
    }
    expect(readdirSync(join(vault.folder, '.git'), { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(
      own,
    );
  });

  it('is shown within limits: omitted parts of a large change are marked, and can be shown alone', async () => {
    const names = Array.from({ length: 15 }, (_, index) => `${String(index).padStart(2, '0')}.md`);
    const long = Array.from({ length: 6_000 }, (_, index) => `line ${index} of it\n`).join('');
    const vault = await roomVault({});
    const id = await commit(
      vault,
      ...names.map((path): [string, unknown] => ['write', { path, content: `# ${path}\n${long}` }]),
    );
    const found = vault.changes.find(id);
    const diffs = (await found?.diffs()) ?? [];
    expect(diffs.map(({ path }) => path)).toEqual(names.map((name) => `vault/${name}`));
    expect(diffs.map(({ diff }) => diff).join('').length).toBeLessThan(1_200_000);
    const [omitted] = diffs.slice(-1);
    expect(omitted?.diff).toBe(
      '--- /dev/null\n+++ vault/14.md\n\\ omitted: the change is too large to show at once; request this file alone',
    );
    const alone = (await found?.diffs('vault/14.md' as VaultPath)) ?? [];
    expect(alone.map(({ diff }) => diff).join('')).toMatch(
      /^\+# 14\.md$[^]*\d+ more lines omitted: the diff is too long/m,
    );
  });

  it('records external edits in a separate commit before the commit of the change', async () => {
    const vault = await roomVault({ 'a.md': 'one\ntwo\n' });
    await commit(vault, ['read', { paths: 'a.md' }], ['edit', { path: 'a.md', old: 'one', new: 'ONE' }]);
    await vault.changes.record();
    writeFileSync(join(vault.folder, 'a.md'), `${readFileSync(join(vault.folder, 'a.md'), 'utf8')}outside\n`);
    await commit(vault, ['read', { paths: 'a.md' }], ['edit', { path: 'a.md', old: 'two', new: 'TWO' }]);
    await vault.changes.record();
    const log = execFileSync('git', ['log', '--format=%s', '--reverse'], {
      env: { PATH: process.env['PATH'] ?? '', GIT_DIR: join(vault.state, 'history.git') },
      encoding: 'utf8',
    });
    expect(log.trim().split('\n')).toEqual(['As it was found', 'test', 'edited vault/a.md', 'test']);
    const show = execFileSync('git', ['show', '--format=', 'HEAD~1'], {
      env: { PATH: process.env['PATH'] ?? '', GIT_DIR: join(vault.state, 'history.git') },
      encoding: 'utf8',
    });
    expect(show).toMatch(/^\+outside$/m);
  });

  it('recovers from the lock files of a killed git process', async () => {
    const vault = await roomVault({ 'a.md': 'one\n' });
    await commit(vault, ['append', { path: 'a.md', content: 'x', position: 'bottom' }]);
    await vault.changes.record();
    writeFileSync(join(vault.state, 'history.git', 'HEAD.lock'), '');
    writeFileSync(join(vault.state, 'history.git', 'refs/heads/main.lock'), '');
    const id = await commit(vault, ['append', { path: 'a.md', content: 'y', position: 'bottom' }]);
    await vault.changes.record();
    expect(await vault.changes.find(id)?.changes()).toHaveLength(1);
  });

  it('is not needed for undo: without git, the journal is used', async () => {
    const root = temporaryFolder();
    layOut(root, { 'vault/a.md': 'one\n' });
    const keepsake = await openKeepsake({
      vault: join(root, 'vault'),
      state: join(root, 'state'),
      environment: readEnvironment({ PATH: '/nonexistent' }),
    });
    const id = await commit(keepsake, ['delete', { path: 'a.md' }]);
    await keepsake.changes.record();
    expect(existsSync(join(root, 'vault/a.md'))).toBe(false);
    expect((await keepsake.changes.undo(id)).kind).toBe('written');
    expect(readFileSync(join(root, 'vault/a.md'), 'utf8')).toBe('one\n');
    expect(await keepsake.close()).toEqual({ recordError: null });
  });
});

describe('undo', () => {
  it('reverts only the lines of the transaction, or fails and names the conflict', async () => {
    const vault = await roomVault();
    const tally = await undoRandomChanges(vault, 60);
    expect(tally.undone).toBeGreaterThan(25);
    expect(tally.refused).toBeGreaterThan(1);
  }, 180_000);

  it('restores a single file to its exact state after an earlier change', async () => {
    const vault = await roomVault({ 'a.md': 'one\n' });
    const first = await commit(vault, ['append', { path: 'a.md', content: 'two', position: 'bottom' }]);
    const then = bytes(vault, 'a.md');
    await commit(vault, ['delete', { path: 'a.md' }]);
    expect((await vault.changes.restore(first, 'vault/a.md' as VaultPath)).kind).toBe('written');
    expect(bytes(vault, 'a.md')).toBe(then);
    expect((await vault.changes.restore(first, 'vault/b.md' as VaultPath)).kind).toBe('not-found');
  });

  it('restores the exact state before a move, before the deletion of a folder and before another undo', async () => {
    const vault = await roomVault({ 'p/a.md': 'a\n', 'p/q/b.md': 'b\n', 'x.md': '---\nk: 1\n---\nx\n' });
    const all = (): string[] =>
      readdirSync(vault.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('.keepsake'))
        .map(
          (entry) =>
            `${entry.parentPath}/${entry.name}: ${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`,
        )
        .toSorted();
    const before = all();
    const id = await commit(
      vault,
      ['move', { from: 'p/a.md', to: 'moved/' }],
      ['delete', { path: 'p/q' }],
      ['append', { path: 'x.md', content: 'y', position: 'bottom' }],
    );
    const changed = all();
    const undone = await vault.changes.undo(id);
    expect(all()).toEqual(before);
    expect((await vault.changes.undo(undone.kind === 'written' ? undone.id : '')).kind).toBe('written');
    expect(all()).toEqual(changed);
    expect((await vault.changes.undo('0000-none')).kind).toBe('not-found');
  });
});

describe('undoing a change that created folders', () => {
  it('removes the folders, unless they contain other files by then', async () => {
    const vault = await roomVault({ 'kept/a.md': 'a\n', empty: null });
    const made = await commit(
      vault,
      ['write', { path: 'new/deep/n.md', content: 'n' }],
      ['write', { path: 'new/other/o.md', content: 'o' }],
      ['write', { path: 'empty/e.md', content: 'e' }],
      ['write', { path: 'kept/b.md', content: 'b' }],
    );
    writeFileSync(join(vault.folder, 'new/other/mine.md'), 'mine\n');
    await vault.changes.undo(made);
    const left = readdirSync(vault.folder, { recursive: true, encoding: 'utf8' });
    expect(left.filter((path) => !path.startsWith('.keepsake')).toSorted()).toEqual([
      'empty',
      'kept',
      'kept/a.md',
      'new',
      'new/other',
      'new/other/mine.md',
    ]);
  });

  it('is recorded for each file, until the undo is undone', async () => {
    const keepsake = await roomVault();
    const made = await commit(
      keepsake,
      ['write', { path: 'a/a.md', content: 'a' }],
      ['write', { path: 'b.md', content: 'b' }],
    );
    const one = await keepsake.changes.undo(made, { path: 'vault/a/a.md' as VaultPath });
    expect([...keepsake.changes.undonePaths(made)]).toEqual(['vault/a/a.md']);
    await keepsake.changes.undo(one.kind === 'written' ? one.id : '');
    expect([...keepsake.changes.undonePaths(made)]).toEqual([]);
    expect((await keepsake.changes.undo(made)).kind).toBe('written');
    expect(keepsake.changes.undonePaths(made)).toContain('vault/b.md');
  });
});

describe('the state of a vault', () => {
  const open = (home: string, vault: string): Promise<Keepsake> =>
    openKeepsake({
      vault,
      environment: { ...readEnvironment({ PATH: process.env['PATH'], XDG_STATE_HOME: home }), home },
    });

  it('is not shared with a copy of the vault, and is kept when the vault is moved', async () => {
    const root = temporaryFolder();
    const [home, first, second, third] = ['home', 'first', 'second', 'third'].map((name) =>
      join(root, name),
    ) as [string, string, string, string];
    layOut(first, { 'a.md': 'one\n' });
    let keepsake = await open(home, first);
    const id = await commit(keepsake, ['append', { path: 'a.md', content: 'two', position: 'bottom' }]);
    await keepsake.close();

    cpSync(first, second, { recursive: true });
    keepsake = await open(home, second);
    expect(keepsake.changes.list({ limit: 9 })).toEqual([]);
    await commit(keepsake, ['append', { path: 'a.md', content: 'three', position: 'bottom' }]);
    expect(keepsake.changes.list({ limit: 9 })).toHaveLength(1);
    await keepsake.close();
    const ids = [first, second].map(
      (vault) => (JSON.parse(readFileSync(join(vault, '.keepsake/vault.json'), 'utf8')) as { id: string }).id,
    );
    expect(ids[0]).not.toBe(ids[1]);

    renameSync(first, third);
    keepsake = await open(home, third);
    expect(keepsake.changes.list({ limit: 9 }).map((entry) => entry.id)).toEqual([id]);
    expect((await keepsake.changes.undo(id)).kind).toBe('written');
    await keepsake.close();
  });

  it('is rejected if a newer version of Keepsake created it', async () => {
    const vault = await temporaryVault({ 'a.md': 'one\n' });
    await commit(vault.keepsake, ['append', { path: 'a.md', content: 'two', position: 'bottom' }]);
    const database = new Database(join(vault.state, 'keepsake.sqlite'));
    database.pragma('user_version = 99');
    database.close();
    await expect(
      openKeepsake({ vault: vault.folder, state: vault.state, environment: readEnvironment({}) }),
    ).rejects.toThrow(/created by a newer version/);
  });
});

describe('the writer lock', () => {
  it('is taken over from a suspended holder, which cannot write afterwards', async () => {
    const file = join(temporaryFolder(), 'lock.sqlite');
    let now = 1_000_000;
    const [asleep, awake] = [
      createWriterLock({ database: new Database(file), clock: Date.now, monotonicNow: () => now }),
      createWriterLock({ database: new Database(file), clock: Date.now, monotonicNow: () => now }),
    ];
    const [holding, waking] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sleeping = asleep.withLease(async (grant) => {
      grant.assertHeld();
      holding.resolve();
      await waking.promise;
      grant.assertHeld();
    });
    await holding.promise;
    const next = awake.withLease(async ({ fence }) => fence);
    const waiting = setInterval(() => (now += 1_000), 20); // no heartbeat of the other owner while time passes
    expect(await next).toBe(2);
    clearInterval(waiting);
    waking.resolve();
    await expect(sleeping).rejects.toMatchObject({ code: 'lost-lock' });
  });

  it('admits one holder at a time, within one process and among several', async () => {
    const file = join(temporaryFolder(), 'lock.sqlite');
    const locks = [
      createWriterLock({ database: new Database(file), clock: Date.now }),
      createWriterLock({ database: new Database(file), clock: Date.now }),
    ];
    let [inside, maxInside] = [0, 0];
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (locks[index % 2] as WriterLock).withLease(async () => {
          maxInside = Math.max(maxInside, (inside += 1));
          await new Promise((done) => setTimeout(done, 1));
          inside -= 1;
        }),
      ),
    );
    expect(maxInside).toBe(1);
    rmSync(file);
    mkdirSync(file, { recursive: true });
  });
});
