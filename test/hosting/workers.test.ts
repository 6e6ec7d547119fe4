import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createServiceToken, registerVault, startNode } from '../../packages/service/src/hosting/index.ts';
import { killLeftWorkers, recordWorkers } from '../../packages/service/src/hosting/recorded-workers.ts';
import { runWorker } from '../../packages/service/src/hosting/run-worker.ts';
import type { FromWorker, ToWorker } from '../../packages/service/src/hosting/worker-messages.ts';
import { missing } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { startWorkers } from './start-workers.ts';
import { environmentIn, rootKey, startTestService } from './test-service.ts';
import type { TestService } from './test-service.ts';

let service: TestService;
let pool: pg.Pool;

beforeAll(async () => {
  service = await startTestService();
  ({ pool } = service);
});
afterAll(() => service.stop());

let nodes = 0;

async function aNode({ count = 2, pingIntervalMs = 500 } = {}) {
  const home = temporaryFolder();
  const { children, ...workers } = startWorkers(service, { count, home });
  const node = await startNode({
    pool,
    store: service.store,
    rootKey,
    name: `worked-${(nodes += 1)}`,
    host: '127.0.0.1',
    port: 0,
    cacheFolder: join(home, 'vaults'),
    environment: environmentIn(home),
    log: () => undefined,
    workers: { ...workers, pingIntervalMs },
  });
  onTestFinished(() => node.close());
  const metrics = async (): Promise<string> => (await fetch(`${node.address}/metrics`)).text();
  return { ...node, name: `worked-${nodes}`, children, metrics };
}
type Node = Awaited<ReturnType<typeof aNode>>;

async function aVault({ address }: Node) {
  const vault = await registerVault(pool, rootKey);
  const token = await createServiceToken({ pool, rootKey }, { vault, name: 'test', scope: 'write' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = async (path: string, more: RequestInit = {}): Promise<{ status: number; text: string }> => {
    const url = `${address}/v/${vault}/api/vaults/default${path}`;
    const response = await fetch(url, { headers, ...more });
    const text = await response.text();
    // On a busy machine, the node may have missed its heartbeats.
    if (text.includes('lost its connection')) return ask(path, more);
    return { status: response.status, text };
  };
  const write = async (name: string, content: string): Promise<void> => {
    const body = JSON.stringify({ input: { path: name, content } });
    expect((await ask('/tools/write', { method: 'POST', body })).text).toContain('"kind":"result"');
  };
  const read = (name: string) => ask(`/files/${name}`);
  /** Repeats the request while it is refused. */
  const readWhenBack = (name: string): Promise<string> =>
    vi.waitFor(
      async () => {
        const { status, text } = await read(name);
        expect(status).toBe(200);
        return text;
      },
      { timeout: 100_000 },
    );
  const claim = async (): Promise<{ owner: string | null; epoch: string } | undefined> =>
    (
      await pool.query<{ owner: string | null; epoch: string }>(
        'select owner, epoch from vaults where id = $1',
        [vault],
      )
    ).rows[0];
  return { vault, headers, ask, write, read, readWhenBack, claim };
}

/** Runs `work` again and again until `over`, and returns how often. */
async function repeatUntil(over: Promise<unknown>, work: () => Promise<void>): Promise<number> {
  const state = { isOver: false };
  over.finally(() => (state.isOver = true)).catch(() => undefined);
  let count = 0;
  for (; !state.isOver; count += 1) await work();
  return count;
}

describe.skipIf(missing('PostgreSQL'))('the workers of a node', () => {
  it('open one vault each, and answer through the port of the node', async () => {
    const node = await aNode();
    const [mine, other] = [await aVault(node), await aVault(node)];
    await mine.write('bucket/a.md', 'mine\n');
    await other.write('bucket/a.md', 'other\n');
    expect((await mine.read('bucket/a.md')).text).toContain('mine');
    expect((await other.read('bucket/a.md')).text).toContain('other');
    expect(await node.metrics()).toMatch(/keepsake_node_worker_vaults\{worker="0"\} 1\n.*worker="1"\} 1\n/s);

    const events = await fetch(`${node.address}/v/${mine.vault}/api/vaults/default/events`, {
      headers: mine.headers,
    });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    await mine.write('bucket/b.md', 'seen by the stream\n');
    let seen = '';
    while (!seen.includes('bucket/b.md')) seen += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect((await fetch(`${node.address}/v/unknown/api/health`)).status).toBe(404);
  });

  it('are replaced when they are stopped, while other vaults answer and no lease is lost', async () => {
    const node = await aNode();
    const [mine, other] = [await aVault(node), await aVault(node)];
    await mine.write('bucket/a.md', 'acknowledged\n');
    await other.write('bucket/a.md', 'other\n');
    const [stopped] = node.children as [ChildProcess];
    const before = await mine.claim();
    stopped.kill('SIGSTOP');
    const ended = once(stopped, 'exit');
    const answered = await repeatUntil(ended, async () => {
      expect((await other.read('bucket/a.md')).status).toBe(200);
      expect((await mine.claim())?.owner).toBe(node.name);
    });
    expect([answered > 2, stopped.signalCode]).toEqual([true, 'SIGKILL']);
    expect(await mine.readWhenBack('bucket/a.md')).toContain('acknowledged');
    const after = await mine.claim();
    // Claimed again by the same node, so that nothing the stopped worker has sent can be committed any more.
    expect([after?.owner, Number(after?.epoch)]).toEqual([node.name, Number(before?.epoch) + 1]);
    expect([node.children.length, (await other.claim())?.epoch]).toEqual([3, '1']);
    expect(await node.metrics()).toMatch(/^keepsake_node_worker_replacements_total 1$/m);
  });

  it('survive a pause, which delays only the vaults of their own', async () => {
    const node = await aNode({ pingIntervalMs: 10_000 });
    const [mine, other] = [await aVault(node), await aVault(node)];
    await mine.write('bucket/a.md', 'mine\n');
    await other.write('bucket/a.md', 'other\n');
    const [paused] = node.children as [ChildProcess];
    paused.kill('SIGSTOP');
    let isAnswered = false;
    const waiting = mine.read('bucket/a.md').finally(() => (isAnswered = true));
    for (let count = 0; count < 5; count += 1) expect((await other.read('bucket/a.md')).status).toBe(200);
    expect(isAnswered).toBe(false);
    paused.kill('SIGCONT');
    expect((await waiting).text).toContain('mine');
    expect([(await mine.claim())?.epoch, node.children.length]).toEqual(['1', 2]);
  });

  it('delay the vaults of other workers less than their own by a note that takes long', async () => {
    const node = await aNode();
    const [mine, other] = [await aVault(node), await aVault(node)];
    await other.write('bucket/a.md', 'other\n');
    await mine.write('bucket/a.md', 'mine\n');
    const start = performance.now();
    const saved = mine.ask('/files/bucket/long.md', {
      method: 'PUT',
      headers: { ...mine.headers, 'content-type': 'text/markdown', 'if-none-match': '*' },
      body: '[['.repeat(1_500_000),
    });
    const times: number[] = [];
    await repeatUntil(saved, async () => {
      const began = performance.now();
      expect((await other.read('bucket/a.md')).status).toBe(200);
      times.push(performance.now() - began);
    });
    const took = performance.now() - start;
    expect((await saved).status).toBe(201);
    expect(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(took / 4);
  });

  it('are replaced when they end, and their vaults are opened again without a request', async () => {
    const node = await aNode({ count: 1 });
    const mine = await aVault(node);
    await mine.write('bucket/a.md', 'acknowledged\n');
    node.children[0]?.kill('SIGKILL');
    await vi.waitUntil(async () => (await mine.claim())?.epoch === '2', { timeout: 100_000 });
    expect(await mine.readWhenBack('bucket/a.md')).toContain('acknowledged');
  });

  it('share no vault whose work has ended two of them', async () => {
    const node = await aNode({ count: 1 });
    const [bad, other] = [await aVault(node), await aVault(node)];
    let rounds = 0;
    for (; !(await node.metrics()).includes('worker="apart"'); rounds += 1) {
      await bad.write(`bucket/${rounds}.md`, 'kept\n');
      expect((await other.readWhenBack('overview.md')).length).toBeGreaterThan(0);
      const worker = node.children.at(-1) as ChildProcess;
      worker.kill('SIGSTOP');
      const asked = bad.read('bucket/0.md');
      await once(worker, 'exit');
      await asked;
      await bad.readWhenBack('bucket/0.md');
    }
    // More than two on a busy machine, where the node may have refused a request before the worker got it.
    expect(rounds).toBeGreaterThan(1);
    await other.readWhenBack('overview.md');
    expect(await node.metrics()).toMatch(
      /keepsake_node_worker_vaults\{worker="0"\} 1\n.*worker="apart"\} 1\n/s,
    );
    expect(await bad.readWhenBack('bucket/1.md')).toContain('kept');
  });

  it('release their vaults when the node stops', async () => {
    const node = await aNode();
    const mine = await aVault(node);
    await mine.write('bucket/a.md', 'moved\n');
    await node.close();
    expect(node.children.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const next = await aNode({ count: 1 });
    const again = { ...mine, address: next.address };
    expect(await mine.claim()).toMatchObject({ owner: null });
    const response = await fetch(
      `${next.address}/v/${mine.vault}/api/vaults/default/files/bucket/a.md`,
      again,
    );
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('moved')]);
  });
});

it.skipIf(missing('PostgreSQL'))('a worker answers only requests of its node', async () => {
  const home = temporaryFolder();
  const sent: FromWorker[] = [];
  const listeners: ((message: ToWorker) => void)[] = [];
  const tell = (message: ToWorker): void => listeners.forEach((listener) => listener(message));
  const running = runWorker({
    pool,
    store: service.store,
    environment: environmentIn(home),
    log: () => undefined,
    channel: {
      send: (message) => void sent.push(message),
      onMessage: (listener) => void listeners.push(listener),
    },
  });
  const mount = { host: '127.0.0.1', port: 1, cookieName: 'test' };
  tell({ kind: 'start', settings: { cacheFolder: home, keepFor: 0, mount, secret: 'the secret' } });
  await vi.waitUntil(() => sent.length > 0);
  const port = sent[0]?.kind === 'started' ? sent[0].port : 0;
  const ask = async (secret?: string): Promise<number> => {
    const headers = { 'x-keepsake-claim': 'any', ...(secret && { 'x-keepsake-worker': secret }) };
    return (await fetch(`http://127.0.0.1:${port}/api/health`, { headers })).status;
  };
  expect([await ask(), await ask('the-secret'), await ask('the secret')]).toEqual([404, 404, 503]);
  tell({ kind: 'stop' });
  await running;
});

it('a node ends the workers that an earlier process has left, also stopped ones', async () => {
  const folder = temporaryFolder();
  const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void other.kill('SIGKILL'));
  const recorded = recordWorkers(folder);
  for (const { pid = 0 } of [left, other]) recorded.add(pid);
  recorded.remove(other.pid ?? 0);
  left.kill('SIGSTOP');
  const ended = once(left, 'exit');
  await killLeftWorkers(folder);
  await ended;
  expect([left.signalCode, other.exitCode, other.signalCode]).toEqual(['SIGKILL', null, null]);
});
