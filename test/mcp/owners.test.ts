import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findOwnerProcess, readEnvironment, resolveStateFolder } from '../../packages/vault/src/app/index.ts';
import type { OwnerProcess } from '../../packages/vault/src/app/index.ts';
import { processVariables, program } from '../process-variables.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { call, connectCommand, connectRunning, mcpCommand } from './clients.ts';

// Which of several `keepsake mcp` processes serves the vault, and how the others reach it.

type Place = { folder: string; state: string };

/** A vault that no process has opened yet. */
function aPlace(): Place {
  const root = temporaryFolder();
  layOut(join(root, 'vault'), { 'log.md': 'log\n' });
  return { folder: join(root, 'vault'), state: join(root, 'state') };
}

const environment = readEnvironment({ PATH: process.env['PATH'], HOME: '/dev/null' });

function ownerOf({ folder, state }: Place): OwnerProcess | null {
  return findOwnerProcess(resolveStateFolder({ vault: folder, state, environment }), Date.now);
}

const append = (client: Client, content: string) =>
  call(client, 'vault_append', { path: 'log.md', content, position: 'bottom' });

/** The number of occurrences of each word in the file to which `append` writes. */
function counts({ folder }: Place, words: readonly string[]): number[] {
  const text = readFileSync(join(folder, 'log.md'), 'utf8');
  return words.map((word) => text.split(word).length - 1);
}

describe('keepsake mcp in separate processes', () => {
  it('serves three concurrently started clients from one owner, and from a new owner when that one is killed', async () => {
    const place = aPlace();
    const env = { ...processVariables, HOME: place.state };
    const started = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        connectCommand('modern', { ...mcpCommand(place), env }).then((client) => ({ name, client })),
      ),
    );
    await Promise.all(started.map(({ name, client }) => append(client, `${name}-first`)));
    const owner = ownerOf(place);
    const pids = started.map(({ client }) => pidOf(client));
    expect(pids).toContain(owner?.pid);
    process.kill(owner?.pid ?? 0, 'SIGKILL');
    const others = started.filter(({ client }) => pidOf(client) !== owner?.pid);
    await Promise.all(others.map(({ name, client }) => append(client, `${name}-second`)));
    expect(others.map(({ client }) => pidOf(client))).toContain(ownerOf(place)?.pid);
    const words = [
      ...started.map(({ name }) => `${name}-first`),
      ...others.map(({ name }) => `${name}-second`),
    ];
    expect(counts(place, words)).toEqual(words.map(() => 1));
  });

  it('takes over immediately from a killed server whose lease has not expired', async () => {
    const place = aPlace();
    const args = [program, 'serve', '--port', '0', '--vault', place.folder, '--state', place.state];
    const serving = spawn(process.execPath, args, { env: { ...processVariables, HOME: place.state } });
    onTestFinished(() => void serving.kill('SIGKILL'));
    await once(serving.stdout, 'data');
    const { client } = await connectRunning(place);
    await append(client, 'before');
    expect(ownerOf(place)).toMatchObject({ pid: serving.pid });
    serving.kill('SIGKILL');
    await append(client, 'after');
    expect(ownerOf(place)).toMatchObject({ pid: process.pid });
    expect(counts(place, ['before', 'after'])).toEqual([1, 1]);
  });
});

describe('keepsake mcp in this process', () => {
  // Processes start one after the other, but commands in one process start together: all of them start a host, and one keeps it.
  it('connects to the command that serves the vault when several commands try to serve it at once', async () => {
    const place = aPlace();
    const names = ['one', 'two', 'three'];
    const all = await Promise.all(names.map(() => connectRunning(place)));
    await Promise.all(names.map((name, at) => append(all[at]?.client as Client, name)));
    expect(counts(place, names)).toEqual([1, 1, 1]);
    for (const [at, { running }] of all.entries()) {
      running.send('SIGTERM');
      expect(await running.ended).toMatchObject({ code: 0, err: '' });
      const left = all.slice(at + 1);
      await Promise.all(left.map(({ client }, index) => append(client, `left-${at}-${index}`)));
      expect(ownerOf(place) === null).toBe(left.length === 0);
    }
    expect(counts(place, ['left-0-0', 'left-0-1', 'left-1-0'])).toEqual([1, 1, 1]);
  });

  it('continues after another process has taken over and exited', async () => {
    const place = aPlace();
    const { client } = await connectRunning(place);
    await append(client, 'before');
    const first = ownerOf(place);
    const locks = new Database(join(place.state, 'lock.sqlite'));
    locks.exec('update owner set fence = fence + 1, url = null');
    locks.close();
    await expect.poll(() => ownerOf(place)?.url ?? first?.url, { timeout: 10_000 }).not.toBe(first?.url);
    await append(client, 'after');
    expect(counts(place, ['before', 'after'])).toEqual([1, 1]);
  });

  it('restricts only the read-only client, even if its process serves the vault', async () => {
    const place = aPlace();
    const { client: reader } = await connectRunning(place, '--read-only');
    const { client: writer } = await connectRunning(place);
    const namesOf = async (client: Client): Promise<string[]> =>
      (await client.listTools()).tools.map(({ name }) => name);
    expect(await namesOf(reader)).not.toContain('vault_append');
    expect(await namesOf(writer)).toContain('vault_append');
  });
});

function pidOf({ transport }: Client): number | null {
  return transport instanceof StdioClientTransport ? transport.pid : null;
}
