import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  acquireOwnerLease,
  findOwnerProcess,
  createOwnerLookup,
  openKeepsake,
  readEnvironment,
} from '../packages/vault/src/app/index.ts';
import { processMarker } from '../packages/vault/src/changes/index.ts';
import { startVaultHost } from '../packages/vault/src/server/index.ts';
import type { VaultHost } from '../packages/vault/src/server/index.ts';
import { initVault } from '../packages/vault/src/vault/index.ts';
import { program } from './process-variables.ts';
import { runCommand, startCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';
import type { Files } from './temporary-vault.ts';

type Place = { vault: string; state: string };

function aPlace(files: Files = {}): Place {
  const root = temporaryFolder();
  const place = { vault: join(root, 'vault'), state: join(root, 'state') };
  initVault(place.vault, { language: 'en', home: root, clock: Date.now });
  layOut(place.vault, files);
  return place;
}

const environment = readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: temporaryFolderAtStart() });

function temporaryFolderAtStart(): string {
  return join(process.cwd(), 'node_modules', '.none');
}

async function hosting(place: Place): Promise<VaultHost> {
  const host = await startVaultHost({
    ...place,
    environment,
    log: () => undefined,
    onLeaseLost: () => undefined,
  });
  if (host === null) throw new Error('the vault is already served');
  onTestFinished(() => host.close().catch(() => undefined));
  return host;
}

function keepsake({ vault, state }: Place, args: string[], input = ''): Promise<Ran> {
  return runCommand([...args, '--vault', vault, '--state', state], { input });
}

describe('the owner lease of a vault', () => {
  /** A state folder, its lock database, and a function that claims the lease. */
  const aPlaceToClaim = async () => {
    const { vault, state } = aPlace();
    const keeper = await openKeepsake({ vault, state, environment });
    onTestFinished(async () => void (await keeper.close()));
    const folder = keeper.state.ensureAdopted();
    const { locks } = keeper.state.databases();
    const claim = async (url: string, onLost = (): void => undefined) => {
      const claimed = await acquireOwnerLease(locks, url, {
        secret: 's',
        clock: Date.now,
        onLost,
        onError: () => undefined,
      });
      onTestFinished(() => claimed?.release());
      return claimed;
    };
    return { folder, locks, claim, owner: () => findOwnerProcess(folder, Date.now) };
  };

  it('is granted to one process, visible to others, and free again after its release', async () => {
    const { claim, owner } = await aPlaceToClaim();
    expect(owner()).toBeNull();
    const first = await claim('http://127.0.0.1:1');
    expect(first).not.toBeNull();
    expect(owner()).toEqual({ url: 'http://127.0.0.1:1', secret: 's', pid: process.pid });
    expect(await claim('http://127.0.0.1:2')).toBeNull();
    first?.release();
    expect(owner()).toBeNull();
    expect(await claim('http://127.0.0.1:3')).not.toBeNull();
  });

  it('is lost to another process that found no heartbeat, and the loss is detected', async () => {
    const { locks, claim, owner } = await aPlaceToClaim();
    const lost = Promise.withResolvers<void>();
    await claim('http://127.0.0.1:1', lost.resolve);
    // As another process does that found no heartbeat.
    locks.exec(`update owner set fence = fence + 1, url = 'http://127.0.0.1:2'`);
    await lost.promise;
    expect(owner()?.url).toBe('http://127.0.0.1:2');
  });

  it('of a process in another container is respected while its heartbeat continues, and taken over when it stops', async () => {
    const { locks, claim, owner } = await aPlaceToClaim();
    (await claim('http://127.0.0.1:1'))?.release();
    // In another container, the pid may not exist here, and the clock may differ.
    const give = locks.prepare(
      `update owner set url = 'http://127.0.0.1:9', pid = 99999999, host = 'box other-boot pid:[1]#5', until = ?`,
    );
    give.run(Date.now() + 4_000);
    expect(owner()?.url).toBe('http://127.0.0.1:9');
    let sign = Date.now() - 365 * 24 * 3_600_000;
    const giving = setInterval(() => give.run((sign += 1_000)), 200);
    expect(await claim('http://127.0.0.1:2')).toBeNull();
    clearInterval(giving);
    expect(await claim('http://127.0.0.1:3')).not.toBeNull();
    expect(owner()?.url).toBe('http://127.0.0.1:3');
  });

  it('does not last a year when its owner claimed it while the clock was a year ahead', async () => {
    const { folder, locks, claim } = await aPlaceToClaim();
    (await claim('http://127.0.0.1:1'))?.release();
    const aYear = 365 * 24 * 3_600_000;
    locks
      .prepare(`update owner set url = 'http://127.0.0.1:9', pid = 1, host = 'elsewhere', until = ?`)
      .run(Date.now() + aYear);
    expect(findOwnerProcess(folder, Date.now)).toBeNull();
    expect(await claim('http://127.0.0.1:2')).not.toBeNull();
    expect(findOwnerProcess(folder, Date.now)?.url).toBe('http://127.0.0.1:2');
  });

  it('is kept while the disk rejects the heartbeat, and the failure is reported', async () => {
    const { locks, owner } = await aPlaceToClaim();
    const [failed, lost] = [Promise.withResolvers<unknown>(), vi.fn<() => void>()];
    const claimed = await acquireOwnerLease(locks, 'http://127.0.0.1:1', {
      secret: 's',
      clock: Date.now,
      onLost: lost,
      onError: failed.resolve,
    });
    locks.pragma('query_only = true');
    expect(String(await failed.promise)).toContain('readonly database');
    locks.pragma('query_only = false');
    expect(lost).not.toHaveBeenCalled();
    claimed?.release();
    expect(owner()).toBeNull();
  });

  it('passes to one of the waiting processes, and to the next when that one exits or takes too long', async () => {
    const { vault, state } = aPlace();
    const keeper = await openKeepsake({ vault, state, environment });
    onTestFinished(async () => void (await keeper.close()));
    keeper.state.ensureAdopted();
    const { locks } = keeper.state.databases();
    const serving = await createOwnerLookup({ vault, state, environment });
    if (serving === null) throw new Error('no vault');
    expect(serving.find()).toBeNull();
    expect([serving.isNext(), serving.isNext()]).toEqual([true, true]);
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const give = locks.prepare('update next_owner set pid = ?, host = ?, until = ?');
    const pid = other.pid ?? 0;
    give.run(pid, processMarker(pid), Date.now() + 4_000);
    expect(serving.isNext()).toBe(false);
    give.run(pid, processMarker(pid), Date.now() - 1);
    expect(serving.isNext()).toBe(true);
    give.run(pid, processMarker(pid), Date.now() + 4_000);
    other.kill('SIGKILL');
    await once(other, 'close');
    expect(serving.isNext()).toBe(true);
  });

  it('is granted to only one vault host', async () => {
    const place = aPlace();
    const host = await hosting(place);
    expect(
      await startVaultHost({ ...place, environment, log: () => undefined, onLeaseLost: () => undefined }),
    ).toBeNull();
    const health = await fetch(`${host.url}/api/health`);
    expect(await health.json()).toMatchObject({ status: 'ok' });
  });
});

describe('commands on a served vault', () => {
  it('read and write through the process that serves it', async () => {
    const place = aPlace({ 'a.md': 'one\n' });
    const host = await hosting(place);
    const changed: string[] = [];
    host.keepsake.events.subscribe((event) => {
      if (event.type === 'file-changed') changed.push(...event.paths);
    });
    expect((await keepsake(place, ['read', 'a.md'])).out).toContain('1  | one');
    expect(await keepsake(place, ['edit', 'a.md', '--old', 'one', '--new', 'two'])).toMatchObject({
      code: 0,
    });
    expect(await keepsake(place, ['write', 'b.md'], 'b\n')).toMatchObject({ code: 0 });
    expect(await keepsake(place, ['write', 'b.md'], 'c\n')).toMatchObject({ code: 1 });
    expect(await keepsake(place, ['write', 'b.md', '--force'], 'c\n')).toMatchObject({ code: 0 });
    expect(changed.length).toBeGreaterThanOrEqual(3);
    expect(new Set(changed)).toEqual(new Set(['vault/a.md', 'vault/b.md']));
    expect((await keepsake(place, ['history'])).out).toContain('keepsake edit');
  });
});

it('a vault host applies a change once when the same call is repeated', async () => {
  const host = await hosting(aPlace({ 'log.md': 'log\n' }));
  const call = {
    tool: 'append',
    input: { path: 'log.md', content: 'once', position: 'bottom' },
    reader: 'model' as const,
    origin: 'test',
    id: '11111111-2222-4333-8444-555555555555',
  };
  await host.backend.callTool(call);
  await host.backend.callTool(call);
  const file = await host.backend.readFile('vault/log.md' as never);
  expect(file.kind === 'file' && file.bytes.toString().match(/once/g)).toHaveLength(1);
});

describe('keepsake serve', () => {
  it('prints its address, refuses to run twice, and stops on a signal', async () => {
    const place = aPlace();
    const args = ['serve', '--port', '0', '--vault', place.vault, '--state', place.state];
    const serving = startCommand(args);
    onTestFinished(() => serving.send('SIGTERM'));
    await serving.saying(
      /^serving .*\nopen http:\/\/127\.0\.0\.1:\d+\/open\?code=\S+\nMCP at http:\/\/127\.0\.0\.1:\d+\/mcp\n$/,
    );
    const { out: link } = await keepsake(place, ['open']);
    const opened = await fetch(link.trim(), { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/']);
    const second = await keepsake(place, ['serve', '--port', '0']);
    expect(second).toMatchObject({
      code: 2,
      err: expect.stringMatching(/the vault is already being served by process \d+ at http/),
    });
    serving.send('SIGTERM');
    expect(await serving.ended).toMatchObject({ code: 0 });
  });

  it('in another pid namespace is rejected while the first one is alive, and takes over when it is gone', async (context) => {
    const isolated = ['--pid', '--fork', '--kill-child', '--mount-proc'];
    if (process.platform !== 'linux' || spawnSync('unshare', [...isolated, 'true']).status !== 0)
      return context.skip('pid namespaces are not available');
    const place = aPlace();
    const serveThere = (): ChildProcess =>
      spawn('unshare', [
        ...isolated,
        process.execPath,
        program,
        'serve',
        '--port',
        '0',
        '--vault',
        place.vault,
        '--state',
        place.state,
      ]);
    const first = await hosting(place);
    const second = serveThere();
    let said = '';
    second.stderr?.on('data', (chunk) => (said += String(chunk)));
    expect((await once(second, 'close'))[0]).toBe(2);
    expect(said).toContain(`the vault is already being served by process ${process.pid} at ${first.url}`);
    await first.close();
    const third = serveThere();
    onTestFinished(() => void third.kill('SIGKILL'));
    await new Promise((ready) => third.stdout?.once('data', ready));
    third.kill('SIGKILL');
    await once(third, 'close');
    await hosting(place);
  });
});
