import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { vaultLimits } from '../../packages/vault/src/contract/index.ts';
import {
  createServiceToken,
  exportVault,
  readServiceLimits,
  registerVault,
  setServiceLimits,
  startNode,
} from '../../packages/service/src/hosting/index.ts';
import type { RunningNode } from '../../packages/service/src/hosting/index.ts';
import { missing } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { environmentIn, rootKey, startTestService } from './test-service.ts';
import type { TestService } from './test-service.ts';

let service: TestService;
let pool: pg.Pool;

async function aNode(name: string): Promise<RunningNode> {
  const cacheFolder = temporaryFolder();
  const node = await startNode({
    pool,
    store: service.store,
    rootKey,
    name,
    host: '127.0.0.1',
    port: 0,
    cacheFolder,
    environment: environmentIn(cacheFolder),
    log: () => undefined,
  });
  onTestFinished(() => node.close());
  return node;
}

type Asked = { status: number; retryAfter: string | null; text: string };

async function aVault() {
  const vault = await registerVault(pool, rootKey);
  const token = await createServiceToken({ pool, rootKey }, { vault, name: 'test', scope: 'write' });
  const ask = async (node: RunningNode, path: string, input?: object): Promise<Asked> => {
    const response = await fetch(`${node.address}/v/${vault}/api/vaults/default/${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(input && { method: 'POST', body: JSON.stringify({ input }) }),
    });
    const text = await response.text();
    // On a busy machine, the node may have missed its heartbeats.
    if (response.status === 503) return ask(node, path, input);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
  };
  const write = (node: RunningNode, path: string) => ask(node, 'tools/write', { path, content: 'a\n' });
  return { vault, ask, write };
}

it('the documentation lists the current limits', () => {
  const page = readFileSync('docs/operate/hosting.md', 'utf8');
  for (const [name, { default: value }] of Object.entries(vaultLimits))
    expect(page).toMatch(new RegExp(`^\\| .*\`--${name}\`.*${value.toLocaleString('en')}`, 'm'));
});

describe.skipIf(missing('PostgreSQL'))('the limits of a hosted vault', () => {
  beforeAll(async () => {
    service = await startTestService();
    ({ pool } = service);
  });
  afterAll(() => service.stop());

  it('have their default values until they are set and after they are reset', async () => {
    const vault = await registerVault(pool, rootKey);
    const limits = async () => readServiceLimits({ pool, rootKey }, vault);
    expect(await limits()).toMatchObject({
      files: vaultLimits.files.default,
      bytes: vaultLimits.bytes.default,
    });
    await setServiceLimits({ pool, rootKey }, vault, { files: 5, bytes: 6 });
    await setServiceLimits({ pool, rootKey }, vault, { bytes: 7, files: null });
    expect(await limits()).toMatchObject({ files: vaultLimits.files.default, bytes: 7 });
    await expect(setServiceLimits({ pool, rootKey }, 'unknown', { files: 1 })).rejects.toThrow(
      'vault unknown does not exist',
    );
  });

  it('are applied within seconds, even to proxied requests, and do not affect an export', async () => {
    const [first, second] = [await aNode('a'), await aNode('b')];
    const { vault, ask, write } = await aVault();
    expect((await write(first, 'bucket/kept.md')).status).toBe(200);
    await setServiceLimits({ pool, rootKey }, vault, { files: 1 });
    let number = 0;
    await vi.waitUntil(async () => (await write(first, `bucket/${(number += 1)}.md`)).status === 507, {
      timeout: 60_000,
      interval: 200,
    });
    const refused = await write(second, 'bucket/more.md');
    expect(refused.status).toBe(507);
    expect(refused.text).toContain('the vault is full: limit of 1 files');
    expect((await ask(second, 'files/bucket/kept.md')).status).toBe(200);
    const folder = join(temporaryFolder(), 'exported');
    await exportVault(
      { pool, store: service.store, rootKey, environment: environmentIn(folder) },
      vault,
      folder,
    );
    expect(readFileSync(join(folder, 'vault/bucket/kept.md'), 'utf8')).toContain('a\n');
    for (const name of [number, 'more'])
      expect(existsSync(join(folder, `vault/bucket/${name}.md`))).toBe(false);
    expect((await ask(second, 'tools/delete', { path: 'bucket/kept.md' })).status).toBe(200);
    await setServiceLimits({ pool, rootKey }, vault, { files: null, requests: 1 });
    await vi.waitUntil(async () => (await ask(second, 'inbox')).status === 429, {
      timeout: 60_000,
      interval: 200,
    });
    const limited = await ask(first, 'inbox');
    expect(limited).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^[1-9]\d*$/) });
  });
});
