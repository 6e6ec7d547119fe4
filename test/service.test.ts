import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  claimOwnership,
  findOwner,
  lookForServing,
  openKeepsake,
  readEnvironment,
} from '../packages/vault/src/app/index.ts';
import { markOf } from '../packages/vault/src/changes/index.ts';
import { startHost } from '../packages/vault/src/server/index.ts';
import type { Host } from '../packages/vault/src/server/index.ts';
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

async function hosting(place: Place): Promise<Host> {
  const host = await startHost({ ...place, environment, log: () => undefined, onLost: () => undefined });
  if (host === null) throw new Error('somebody serves it already');
  onTestFinished(() => host.close().catch(() => undefined));
  return host;
}

function keepsake({ vault, state }: Place, args: string[], input = ''): Promise<Ran> {
  return runCommand([...args, '--vault', vault, '--state', state], { input });
}

describe('the place of the one who serves a vault', () => {
  /** A state folder, its locks, and who claims its place. */
  const aPlaceToClaim = async () => {
    const { vault, state } = aPlace();
    const keeper = await openKeepsake({ vault, state, environment });
    onTestFinished(async () => void (await keeper.close()));
    const folder = keeper.state.adopt();
    const { locks } = keeper.state.databases();
    const claim = async (url: string, onLost = (): void => undefined) => {
      const claimed = await claimOwnership(locks, url, {
        secret: 's',
        clock: Date.now,
        onLost,
        onError: () => undefined,
      });
      onTestFinished(() => claimed?.release());
      return claimed;
    };
    return { folder, locks, claim, owner: () => findOwner(folder, Date.now) };
  };

  it('is given to one, found by others, and free again when it is given up', async () => {
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

  it('is lost to another who found no sign of life, and that is noticed', async () => {
    const { locks, claim, owner } = await aPlaceToClaim();
    const lost = Promise.withResolvers<void>();
    await claim('http://127.0.0.1:1', lost.resolve);
    // As another process does that found none.
    locks.exec(`update owner set fence = fence + 1, url = 'http://127.0.0.1:2'`);
    await lost.promise;
    expect(owner()?.url).toBe('http://127.0.0.1:2');
  });

  it('of a process in another container is left to it while it gives signs, and taken over when it gives none', async () => {
    const { locks, claim, owner } = await aPlaceToClaim();
    (await claim('http://127.0.0.1:1'))?.release();
    // There the pid of nobody here is somebody, and the clock may show any time.
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

  it('is not kept for a year by one who was there when the clock was a year ahead', async () => {
    const { folder, locks, claim } = await aPlaceToClaim();
    (await claim('http://127.0.0.1:1'))?.release();
    const aYear = 365 * 24 * 3_600_000;
    locks
      .prepare(`update owner set url = 'http://127.0.0.1:9', pid = 1, host = 'elsewhere', until = ?`)
      .run(Date.now() + aYear);
    expect(findOwner(folder, Date.now)).toBeNull();
    expect(await claim('http://127.0.0.1:2')).not.toBeNull();
    expect(findOwner(folder, Date.now)?.url).toBe('http://127.0.0.1:2');
  });

  it('is kept while the disk refuses the sign of life, and told', async () => {
    const { locks, owner } = await aPlaceToClaim();
    const [failed, lost] = [Promise.withResolvers<unknown>(), vi.fn<() => void>()];
    const claimed = await claimOwnership(locks, 'http://127.0.0.1:1', {
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

  it('falls to one of those who wait for it, and to the next when that one is gone or takes too long', async () => {
    const { vault, state } = aPlace();
    const keeper = await openKeepsake({ vault, state, environment });
    onTestFinished(async () => void (await keeper.close()));
    keeper.state.adopt();
    const { locks } = keeper.state.databases();
    const serving = await lookForServing({ vault, state, environment });
    if (serving === null) throw new Error('no vault');
    expect(serving.find()).toBeNull();
    expect([serving.isNext(), serving.isNext()]).toEqual([true, true]);
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const give = locks.prepare('update next_owner set pid = ?, host = ?, until = ?');
    const pid = other.pid ?? 0;
    give.run(pid, markOf(pid), Date.now() + 4_000);
    expect(serving.isNext()).toBe(false);
    give.run(pid, markOf(pid), Date.now() - 1);
    expect(serving.isNext()).toBe(true);
    give.run(pid, markOf(pid), Date.now() + 4_000);
    other.kill('SIGKILL');
    await once(other, 'close');
    expect(serving.isNext()).toBe(true);
  });

  it('is taken by one host only', async () => {
    const place = aPlace();
    const host = await hosting(place);
    expect(
      await startHost({ ...place, environment, log: () => undefined, onLost: () => undefined }),
    ).toBeNull();
    const health = await fetch(`${host.url}/api/health`);
    expect(await health.json()).toMatchObject({ status: 'ok' });
  });
});

describe('commands beside a host', () => {
  it('read and write through it', async () => {
    const place = aPlace({ 'a.md': 'one\n' });
    const host = await hosting(place);
    const changed: string[] = [];
    host.keepsake.events.listen((event) => {
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

it('a host makes a change once when the same call comes again', async () => {
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
  it('says where it is, refuses to be a second one, and stops when it is told to', async () => {
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
      err: expect.stringMatching(/this vault is served already, by process \d+ at http/),
    });
    serving.send('SIGTERM');
    expect(await serving.ended).toMatchObject({ code: 0 });
  });

  it('in another pid namespace is refused while the first lives, and takes over when it is gone', async (context) => {
    const isolated = ['--pid', '--fork', '--kill-child', '--mount-proc'];
    if (process.platform !== 'linux' || spawnSync('unshare', [...isolated, 'true']).status !== 0)
      return context.skip('no pid namespace can be made here');
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
    expect(said).toContain(`this vault is served already, by process ${process.pid} at ${first.url}`);
    await first.close();
    const third = serveThere();
    onTestFinished(() => void third.kill('SIGKILL'));
    await new Promise((ready) => third.stdout?.once('data', ready));
    third.kill('SIGKILL');
    await once(third, 'close');
    await hosting(place);
  });
});
