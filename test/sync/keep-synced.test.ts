import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diagnose, keepSynced, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { until } from '../upkeep/upkeep-vault.ts';
import { identity, someMachines } from './machines.ts';
import type { Machine } from './machines.ts';

const hour = 3_600_000;

function start({ keepsake }: Machine, timing: { every?: number; afterChange?: number; longest?: number }) {
  const errors: string[] = [];
  const { sync, events } = keepsake;
  let looks = 0;
  /** When each began and ended. */
  const syncs: { began: number; ended: number }[] = [];
  const counted = {
    look() {
      looks += 1;
      return sync.look();
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
  const keeping = keepSynced({
    sync: counted,
    events,
    onError: (error) => errors.push((error as Error).message),
    timing: { every: hour, afterChange: hour, ...timing },
  });
  onTestFinished(() => keeping.stop());
  return { errors, looks: () => looks, syncs, ...keeping };
}

async function two() {
  const all = someMachines();
  const laptop = await all.machine('laptop', { ...identity, 'a.md': 'a\n' });
  await laptop.sync();
  const desktop = await all.machine('desktop');
  await desktop.sync();
  return { ...all, laptop, desktop };
}

describe('a service that syncs by itself', () => {
  it('does so only once it is told to, and then as long as it is not told otherwise', async () => {
    const { laptop, desktop } = await two();
    const keeping = start(desktop, { every: 20 });
    laptop.put({ 'b.md': 'b\n' });
    await laptop.sync();
    const seen = keeping.looks();
    await until(() => keeping.looks() > seen + 2, 'it has looked');
    expect(keeping.syncs).toEqual([]);
    await desktop.keepsake.sync.setWatched(true);
    await until(() => desktop.read('b.md') === 'b\n', 'it has come');
    expect(await desktop.keepsake.sync.look()).toMatchObject({ isWatched: true, problem: null });
    const environment = readEnvironment({ PATH: process.env['PATH'] });
    const checks = await diagnose({ vault: desktop.folder, state: desktop.state, environment });
    expect(checks.find(({ name }) => name === 'sync')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^with \S+remote\.git, by keepsake serve, last at 20/),
    });
    await keeping.stop();
    expect(keeping.errors).toEqual([]);
    await desktop.keepsake.sync.stop();
    expect(await desktop.keepsake.sync.look()).toBeNull();
  });

  it('sends a change soon, and what comes in is no reason for another', async () => {
    const { laptop, desktop } = await two();
    await desktop.keepsake.sync.setWatched(true);
    const keeping = start(desktop, { afterChange: 20 });
    await until(() => keeping.syncs.length === 1, 'it has synced');
    laptop.put({ 'b.md': 'b\n' });
    await laptop.sync();
    const run = desktop.keepsake.writeRun('person');
    run.transaction.put('vault/c.md' as never, null, Buffer.from('c\n'));
    await run.transaction.commit({ origin: 'test', summary: 'test' });
    await until(() => keeping.syncs.length === 2, 'it has synced again');
    expect(desktop.read('b.md')).toBe('b\n');
    await laptop.sync();
    expect(laptop.read('c.md')).toContain('c\n');
    expect(keeping.syncs).toHaveLength(2);
    expect(keeping.errors).toEqual([]);
  });

  it('tries ever less often while the remote is away, tells why, and goes on when it is back', async () => {
    const { desktop, remote } = await two();
    await desktop.keepsake.sync.setWatched(true);
    renameSync(remote, `${remote}.away`);
    const every = 60;
    const keeping = start(desktop, { every, afterChange: 1 });
    // Edits do not make it try more often.
    const edits = setInterval(() => desktop.keepsake.events.emit({ type: 'file-changed', paths: [] }), 10);
    onTestFinished(() => clearInterval(edits));
    await until(() => keeping.errors.length === 4, 'it has failed');
    expect(new Set(keeping.errors).size).toBe(1);
    expect(keeping.errors[0]).toContain('cannot be read');
    expect((await desktop.keepsake.sync.look())?.problem).toContain('cannot be read');
    for (const [index, { ended }] of keeping.syncs.slice(0, 3).entries())
      expect((keeping.syncs[index + 1]?.began ?? 0) - ended).toBeGreaterThan(every * 2 ** (index + 1) - 5);
    renameSync(`${remote}.away`, remote);
    await until(async () => (await desktop.keepsake.sync.look())?.problem === null, 'it has synced');
  });

  it('stops at once, also while a remote does not answer', async () => {
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
    const keeping = start(laptop, { every: 20 });
    await until(() => calls === 2, 'it waits again');
    // Without an end of its own it would wait for ever.
    await keeping.stop();
    expect(keeping.errors).toEqual([]);
    expect((await laptop.keepsake.sync.look())?.problem).toBeNull();
  });
});
