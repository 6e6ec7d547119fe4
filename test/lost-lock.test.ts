import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findOwnerProcess, readEnvironment } from '../packages/vault/src/app/index.ts';
import { createFileChange } from '../packages/vault/src/changes/index.ts';
import { startVaultHost } from '../packages/vault/src/server/index.ts';
import type { VaultHost } from '../packages/vault/src/server/index.ts';
import { initVault } from '../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { startCommand } from './run-command.ts';
import { temporaryFolder } from './temporary-vault.ts';

type Place = { vault: string; state: string; locks: string };

function createVault(): Place {
  const place = temporaryFolder();
  const [vault, state] = [join(place, 'vault'), join(place, 'state')];
  initVault(vault, { language: 'en', home: place, clock: Date.now });
  return { vault, state, locks: join(state, 'lock.sqlite') };
}

async function startHost({ vault, state }: Place): Promise<{ host: VaultHost; lost: Promise<void> }> {
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  const environment = readEnvironment({ PATH: process.env['PATH'] });
  const host = await startVaultHost({
    vault,
    state,
    environment,
    log: () => undefined,
    onLeaseLost: resolve,
  });
  if (host === null) throw new Error('the vault is already served');
  onTestFinished(() => host.close().catch(() => undefined));
  return { host, lost };
}

async function healthOf(url: string): Promise<number> {
  return (await fetch(`${url}/api/health`)).status;
}

/** As a process that takes a lock over while this one is suspended. */
function takeOver({ locks }: Place, table: 'owner' | 'writer'): void {
  const database = new Database(locks);
  database.exec(`update ${table} set fence = fence + 1`);
  database.close();
}

describe('a service that has lost a lock', () => {
  it('is not healthy any more once it has lost the vault', async () => {
    const place = createVault();
    const { host, lost } = await startHost(place);
    expect(await healthOf(host.url)).toBe(200);
    takeOver(place, 'owner');
    await lost;
    expect(await healthOf(host.url)).toBe(503);
  });

  it('is not healthy any more once a change was refused because of a lost lock', async () => {
    const place = createVault();
    const { host, lost } = await startHost(place);
    const change = createFileChange('vault/a.md' as VaultPath, null, Buffer.from('a\n'));
    const writing = host.keepsake.changes.writer.write(change === null ? [] : [change], {
      origin: 'test',
      summary: 'a note',
      assertAllowed: () => takeOver(place, 'writer'),
    });
    await expect(writing).rejects.toMatchObject({ code: 'lost-lock' });
    await lost;
    expect(await healthOf(host.url)).toBe(503);
  });

  it('notices that no other process sees its lease', async () => {
    const place = createVault();
    const { host, lost } = await startHost(place);
    // Releases the locks of SQLite, so that the next process to close the database deletes its log.
    for (const suffix of ['', '-shm']) closeSync(openSync(place.locks + suffix, 'r'));
    const module = join(import.meta.dirname, '../node_modules/better-sqlite3');
    const script = `
      const database = new (require(${JSON.stringify(module)}))(${JSON.stringify(place.locks)});
      database.prepare('select 1 from owner').get();
      database.close();`;
    expect(spawnSync(process.execPath, ['-e', script]).status).toBe(0);
    await lost;
    expect(await healthOf(host.url)).toBe(503);
  });

  it('ends with an error', async () => {
    const place = createVault();
    const serving = startCommand(['serve', '--port', '0', '--vault', place.vault, '--state', place.state]);
    await serving.saying(/open http/);
    expect(findOwnerProcess(place.state, Date.now)?.pid).toBe(process.pid);
    takeOver(place, 'owner');
    expect(await serving.ended).toMatchObject({ code: 1, err: expect.stringContaining('took over') });
  });
});
