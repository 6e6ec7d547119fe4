import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diagnose, startBackgroundSync, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { until } from '../upkeep/upkeep-vault.ts';
import { identity, createMachines } from './machines.ts';
import type { Machine } from './machines.ts';

const hour = 3_600_000;

function start(
  { keepsake }: Machine,
  timing: { intervalMs?: number; changeDebounceMs?: number; maxBackoffMs?: number },
) {
  const errors: string[] = [];
  const leftOut: string[][] = [];
  const { sync, events } = keepsake;
  let polls = 0;
  /** Start and end of each sync. */
  const syncs: { began: number; ended: number }[] = [];
  const counted = {
    status() {
      polls += 1;
      return sync.status();
    },
    async run(...request: Parameters<typeof sync.run>) {
      const began = performance.now();
      try {
        return await sync.run(...request);
      } finally {
        syncs.push({ began, ended: performance.now() });
      }
    },
  };
  const keeping = startBackgroundSync({
    sync: counted,
    events,
    onError: (error) => errors.push((error as Error).message),
    onLeftOut: (files) => leftOut.push(files.map(({ path }) => path)),
    timing: { intervalMs: hour, changeDebounceMs: hour, ...timing },
  });
  onTestFinished(() => keeping.stop());
  return { errors, leftOut, polls: () => polls, syncs, ...keeping };
}

async function two() {
  const all = createMachines();
  const laptop = await all.machine('laptop', { ...identity, 'a.md': 'a\n' });
  await laptop.sync();
  const desktop = await all.machine('desktop');
  await desktop.sync();
  return { ...all, laptop, desktop };
}

describe('automatic sync', () => {
  it('starts when it is turned on and stops when it is turned off', async () => {
    const { laptop, desktop } = await two();
    const keeping = start(desktop, { intervalMs: 20 });
    laptop.put({ 'b.md': 'b\n' });
    await laptop.sync();
    const seen = keeping.polls();
    await until(() => keeping.polls() > seen + 2, 'it has polled');
    expect(keeping.syncs).toEqual([]);
    await desktop.keepsake.sync.setWatched(true);
    await until(() => desktop.read('b.md') === 'b\n', 'the file has arrived');
    expect(await desktop.keepsake.sync.status()).toMatchObject({ isWatched: true, problem: null });
    const environment = readEnvironment({ PATH: process.env['PATH'] });
    const checks = await diagnose({ vault: desktop.folder, state: desktop.state, environment });
    expect(checks.find(({ name }) => name === 'sync')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^\S+remote\.git, automatic \(keepsake serve\), last synced 20/),
    });
    await keeping.stop();
    expect(keeping.errors).toEqual([]);
    await desktop.keepsake.sync.stop();
    expect(await desktop.keepsake.sync.status()).toBeNull();
  });

  it('names files that stay on this machine once, and doctor says whether history has them', async () => {
    const { desktop } = await two();
    const check = async () => {
      const environment = readEnvironment({ PATH: process.env['PATH'] });
      const checks = await diagnose({ vault: desktop.folder, state: desktop.state, environment });
      return (name: string) => checks.find((each) => each.name === name);
    };
    await desktop.keepsake.sync.setWatched(true);
    const keeping = start(desktop, { intervalMs: 20 });
    desktop.put({ 'film.mov': Buffer.alloc(21_000_000, 'x'), 'a:b.md': 'words\n' });
    await desktop.keepsake.changes.recordExternalEdits(['vault/a:b.md' as never]);
    await until(() => keeping.leftOut.flat().length > 1, 'it has left out both');
    const before = keeping.syncs.length;
    await until(() => keeping.syncs.length > before + 2, 'it has synced again');
    await keeping.stop();
    expect(keeping.leftOut.at(-1)?.toSorted()).toEqual(['vault/a:b.md', 'vault/film.mov']);
    expect(keeping.leftOut.length).toBeLessThan(3);
    const found = await check();
    expect(found('sync')).toMatchObject({ status: 'warning' });
    expect(found('sync')?.message.split('\n').slice(1)).toEqual([
      'files that stay on this machine: 2',
      'vault/a:b.md: the name "a:b.md" is not valid on every operating system; choose another; history has it',
      'vault/film.mov: it is 21.0 MB, more than the maximum of 20.0 MB; history does not have it either',
    ]);
    expect(found('history')?.message).toContain('without files larger than 20 MB: vault/film.mov');
    desktop.put({ 'film.mov': null, 'a:b.md': null });
    expect((await check())('sync')).toMatchObject({ status: 'ok' });
  });

  it('sends a local change soon, and is not triggered again by received changes', async () => {
    const { laptop, desktop } = await two();
    await desktop.keepsake.sync.setWatched(true);
    const keeping = start(desktop, { changeDebounceMs: 20 });
    await until(() => keeping.syncs.length === 1, 'it has synced');
    laptop.put({ 'b.md': 'b\n' });
    await laptop.sync();
    const run = desktop.keepsake.writeRun('person');
    run.transaction.write('vault/c.md' as never, null, Buffer.from('c\n'));
    await run.transaction.commit({ origin: 'test', summary: 'test' });
    await until(() => keeping.syncs.length === 2, 'it has synced again');
    expect(desktop.read('b.md')).toBe('b\n');
    await laptop.sync();
    expect(laptop.read('c.md')).toContain('c\n');
    expect(keeping.syncs).toHaveLength(2);
    expect(keeping.errors).toEqual([]);
  });

  it('backs off while the remote is unreachable and resumes when it returns', async () => {
    const { desktop, remote } = await two();
    await desktop.keepsake.sync.setWatched(true);
    renameSync(remote, `${remote}.away`);
    const intervalMs = 60;
    const keeping = start(desktop, { intervalMs, changeDebounceMs: 1 });
    // Edits do not make it retry more often.
    const edits = setInterval(() => desktop.keepsake.events.emit({ type: 'file-changed', paths: [] }), 10);
    onTestFinished(() => clearInterval(edits));
    await until(() => keeping.errors.length === 4, 'it has failed');
    expect(new Set(keeping.errors).size).toBe(1);
    expect(keeping.errors[0]).toContain('cannot be read');
    expect((await desktop.keepsake.sync.status())?.problem).toContain('cannot be read');
    for (const [index, { ended }] of keeping.syncs.slice(0, 3).entries())
      expect((keeping.syncs[index + 1]?.began ?? 0) - ended).toBeGreaterThan(
        intervalMs * 2 ** (index + 1) - 5,
      );
    renameSync(`${remote}.away`, remote);
    await until(async () => (await desktop.keepsake.sync.status())?.problem === null, 'it has synced');
  });

  it('stops immediately, even while the remote does not respond', async () => {
    const { laptop } = await two();
    await laptop.keepsake.sync.setWatched(true);
    let calls = 0;
    const server = createServer(() => (calls += 1)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const first = new AbortController();
    const given = laptop.keepsake.sync.run(`git://127.0.0.1:${port}/vault.git`, { signal: first.signal });
    await until(() => calls === 1, 'it waits');
    first.abort();
    await expect(given).rejects.toThrow('cannot be read');
    const keeping = start(laptop, { intervalMs: 20 });
    await until(() => calls === 2, 'it waits again');
    // Without an abort, the sync would wait forever.
    await keeping.stop();
    expect(keeping.errors).toEqual([]);
    expect((await laptop.keepsake.sync.status())?.problem).toBeNull();
  });
});
