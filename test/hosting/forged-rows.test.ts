import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  confirmAccess,
  createPlacement,
  createRootKey,
  createServiceToken,
  createVaultInvitation,
  readServiceLimits,
  registerVault,
  removeServiceToken,
  reviewAccess,
  rotateRootKey,
  setServiceLimits,
  startNode,
} from '../../packages/service/src/hosting/index.ts';
import type { RootKey, RunningNode } from '../../packages/service/src/hosting/index.ts';
import { hashSecret } from '../../packages/vault/src/server/index.ts';
import { missing } from '../missing.ts';
import { createBrowser } from '../oauth/browser.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { aBalancer } from './balancer.ts';
import { environmentIn, rootKey, rootKeyBytes, startTestService, textIn, write } from './test-service.ts';
import type { TestService } from './test-service.ts';

let service: TestService;
let pool: pg.Pool;

beforeAll(async () => {
  service = await startTestService();
  ({ pool } = service);
});
afterAll(() => service.stop());

let nodes = 0;

async function aNode(
  more: { rootKey?: RootKey; publicUrl?: string; group?: string } = {},
): Promise<RunningNode & { messages: string[] }> {
  const cacheFolder = temporaryFolder();
  const messages: string[] = [];
  const node = await startNode({
    pool,
    store: service.store,
    rootKey,
    name: `forged-${(nodes += 1)}`,
    host: '127.0.0.1',
    port: 0,
    cacheFolder,
    environment: environmentIn(cacheFolder),
    log: (entry) => messages.push(JSON.stringify(entry)),
    ...more,
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await node.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...node, close, messages };
}

/** Reads a note with a token; repeats the request when the node has missed its heartbeats on a busy machine. */
async function statusOf({ address }: { address: string }, vault: string, token: string): Promise<number> {
  const response = await fetch(`${address}/v/${vault}/api/vaults/default/files/overview.md`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  return text.includes('lost its connection') ? statusOf({ address }, vault, token) : response.status;
}

/** Nodes without a port, which count as alive until the test ends. */
async function twoNodes() {
  const both = [await service.aNode(), await service.aNode()] as const;
  onTestFinished(async () => {
    for (const node of both) await service.forget(node);
  });
  return both;
}

type Columns = Record<string, unknown>;

async function rowOf(table: 'vaults' | 'nodes', id: string): Promise<Columns> {
  const { rows } = await pool.query<Columns>(`select * from ${table} where id = $1`, [id]);
  if (rows[0] === undefined) throw new Error(`no ${id}`);
  return rows[0];
}

async function setColumns(table: 'vaults' | 'nodes', id: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns);
  await pool.query(
    `update ${table} set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
    [id, ...Object.values(columns)],
  );
}

async function aVault(more: { group?: string } = {}) {
  const vault = await registerVault(pool, rootKey, undefined, more);
  const token = await createServiceToken({ pool, rootKey }, { vault, name: 'owner', scope: 'write' });
  return { vault, token };
}

describe.skipIf(missing('PostgreSQL'))('a writer to the database without the root key', () => {
  it('cannot add a token, take one over from another vault, or bring a revoked one back', async () => {
    const node = await aNode();
    const [mine, other] = [await aVault(), await aVault()];
    const revoked = await createServiceToken(
      { pool, rootKey },
      { vault: mine.vault, name: 'old', scope: 'write' },
    );
    expect(await statusOf(node, mine.vault, revoked)).toBe(200);
    expect(await statusOf(node, other.vault, other.token)).toBe(200);
    const { access: earlier } = await rowOf('vaults', mine.vault);
    await removeServiceToken({ pool, rootKey }, { vault: mine.vault, name: 'old' });
    await vi.waitUntil(async () => (await statusOf(node, mine.vault, revoked)) === 401, { timeout: 60_000 });
    const { access } = await rowOf('vaults', mine.vault);
    const changed = Buffer.from(access as Buffer);
    changed[20] = (changed[20] ?? 0) ^ 1;

    await pool.query(
      "insert into tokens (id, vault, name, hash, scope) values ('forged', $1, 'forged', $2, 'write')",
      [mine.vault, hashSecret('keepsake_forged')],
    );
    const forgeries = {
      changed,
      copied: (await rowOf('vaults', other.vault))['access'],
      'rolled back': earlier,
      deleted: null,
    };
    // While the vault is open, the forged value is reported and what was granted before stays.
    await setColumns('vaults', mine.vault, { access: earlier });
    await vi.waitUntil(() => node.messages.join().includes('replaced by an earlier version'), {
      timeout: 60_000,
    });
    expect(await statusOf(node, mine.vault, mine.token)).toBe(200);
    for (const token of [revoked, 'keepsake_forged', other.token])
      expect(await statusOf(node, mine.vault, token)).toBe(401);
    // A node without a copy does not open it.
    await node.close();
    const next = await aNode();
    for (const forged of Object.values(forgeries)) {
      await setColumns('vaults', mine.vault, { access: forged });
      for (const token of [revoked, 'keepsake_forged', mine.token])
        expect(await statusOf(next, mine.vault, token)).toBe(503);
    }
    await setColumns('vaults', mine.vault, { access });
    expect(await statusOf(next, mine.vault, mine.token)).toBe(200);
  });

  it('cannot bring back an invitation, or change the address in a new link', async () => {
    const balancer = await aBalancer();
    const node = await aNode({ publicUrl: balancer.url });
    balancer.leadTo(node.address);
    const { vault } = await aVault();
    const invite = (name: string): Promise<string> =>
      createVaultInvitation({ pool, rootKey }, { vault, name, role: 'owner' });
    const [ada, bo] = [createBrowser(), createBrowser()];
    expect((await ada.open(await invite('Ada'))).status).toBe(303);
    const link = await invite('Bo');
    const { access: invited } = await rowOf('vaults', vault);
    expect((await bo.open(link)).status).toBe(303);
    const at = (rest: string): string => `${balancer.url}/v/${vault}/api/vaults/default/${rest}`;
    const { people } = (await (await ada.ask(at('people'))).json()) as {
      people: { id: string; name: string }[];
    };
    const id = people.find(({ name }) => name === 'Bo')?.id;
    expect((await ada.ask(at(`people/${id}`), { method: 'DELETE' })).status).toBe(204);
    // The document that invited Bo is put back, also after the vault was opened without a copy.
    await setColumns('vaults', vault, { access: invited });
    expect((await createBrowser().open(link)).status).not.toBe(303);
    await node.close();
    const next = await aNode({ publicUrl: balancer.url });
    balancer.leadTo(next.address);
    expect((await createBrowser().open(link)).status).not.toBe(303);
    expect((await bo.ask(at('tree'))).status).toBe(401);
    expect((await ada.ask(at('tree'))).status).toBe(200);

    await setColumns('nodes', `forged-${nodes}`, { public_url: 'https://attacker.example' });
    await expect(invite('Cy')).rejects.toMatchObject({ code: 'bad-settings' });
  });

  it('cannot raise limits or move a vault to nodes of another group', async () => {
    const node = await aNode();
    const clinic = await aNode({ group: 'clinic' });
    const { vault, token } = await aVault({ group: 'clinic' });
    await setServiceLimits({ pool, rootKey }, vault, { files: 5 });
    await setColumns('vaults', vault, { limits: { files: 5_000 } });
    expect(await readServiceLimits({ pool, rootKey }, vault)).toMatchObject({ files: 5 });
    expect(await statusOf(node, vault, token)).toBe(200);
    expect(clinic.activeVaults()).toEqual([vault]);
    await clinic.close();
    await setColumns('vaults', vault, { tenant_group: '' });
    expect(await statusOf(node, vault, token)).toBe(503);
    expect(node.messages.join()).toContain('belongs to another group');
  });

  it('receives no request and no credentials by changing addresses or claims', async () => {
    const received: string[] = [];
    const attacker = createServer((request, response) => {
      received.push(request.headers.authorization ?? '');
      response.end('{}');
    });
    await new Promise<void>((ready) => attacker.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void attacker.close());
    const address = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`;
    const [owner, gateway] = [await aNode(), await aNode()];
    const [ownerId, gatewayId] = [`forged-${nodes - 1}`, `forged-${nodes}`];
    const { vault, token } = await aVault();
    expect(await statusOf(owner, vault, token)).toBe(200);
    const row = await rowOf('nodes', ownerId);
    const other = await rowOf('nodes', gatewayId);
    const forgeries: Columns[] = [
      { address },
      { address, signature: null },
      { address, signature: Buffer.alloc(32) },
      { address, signature: other['signature'] },
      { address: other['address'], signature: other['signature'] },
    ];
    for (const columns of forgeries) {
      await setColumns('nodes', ownerId, columns);
      expect(await statusOf(gateway, vault, token)).toBe(503);
    }
    await setColumns('nodes', ownerId, { address: row['address'], signature: row['signature'] });
    expect(await statusOf(gateway, vault, token)).toBe(200);

    // A node of the attacker owns the vault, or should own it.
    await pool.query(
      "insert into nodes (id, address, signature, seen_at) values ('attacker', $1, $2, 'infinity')",
      [address, row['signature']],
    );
    onTestFinished(async () => {
      await pool.query("update vaults set owner = null where owner = 'attacker'");
      await pool.query("delete from nodes where id = 'attacker'");
    });
    await setColumns('vaults', vault, { owner: 'attacker' });
    expect(await statusOf(gateway, vault, token)).toBe(503);
    await setColumns('vaults', vault, { owner: null, wanted: 'attacker' });
    await vi.waitUntil(async () => (await statusOf(gateway, vault, token)) === 200, { timeout: 60_000 });
    for (let turn = 0; turn < 10; turn += 1) {
      const { vault: another, token: theirs } = await aVault();
      expect(await statusOf(gateway, another, theirs)).toBe(200);
    }
    expect(received).toEqual([]);
  });

  it('cannot change, copy, remove or shorten records and snapshots unnoticed', async () => {
    const [first, second] = await twoNodes();
    const [vault, other] = [await registerVault(pool, rootKey), await registerVault(pool, rootKey)];
    for (const id of [vault, other]) {
      const hosted = await first.open(id);
      await write(hosted.keepsake, 'a.md', 'one\n');
      await hosted.snapshot();
      await write(hosted.keepsake, 'b.md', 'two\n');
      await write(hosted.keepsake, 'c.md', 'three\n');
      await hosted.close();
    }
    await first.placement.release(await rowOfClaim(vault));
    const original = await rowOf('vaults', vault);
    const { rows: log } = await pool.query<{ seq: string; epoch: string; sealed: Buffer }>(
      'select seq, epoch, sealed from log where vault = $1 order by seq',
      [vault],
    );
    const last = log.length;
    const refuses = async (node: typeof second, forge: () => Promise<unknown>): Promise<void> => {
      await forge();
      await expect(node.open(vault)).rejects.toMatchObject({ code: 'damaged' });
      await pool.query('delete from log where vault = $1', [vault]);
      for (const { seq, epoch, sealed } of log)
        await pool.query('insert into log (vault, seq, epoch, sealed) values ($1, $2, $3, $4)', [
          vault,
          seq,
          epoch,
          sealed,
        ]);
      await setColumns('vaults', vault, original);
    };
    const sql = (text: string, ...values: unknown[]) => pool.query(text, [vault, ...values]);
    const bytes = log[last - 1]?.sealed ?? Buffer.alloc(0);
    await refuses(second, () =>
      sql(
        'update log set sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20)) where vault = $1 and seq = $2',
        last,
      ),
    );
    await refuses(second, () =>
      sql('update log set sealed = $3 where vault = $1 and seq = $2', last - 1, bytes),
    );
    await refuses(second, () =>
      sql(
        'update log set sealed = (select sealed from log as theirs where vault = $2 and theirs.seq = log.seq) where vault = $1',
        other,
      ),
    );
    await refuses(second, () => sql('delete from log where vault = $1 and seq = $2', last - 1));
    // The number of the snapshot would skip records or repeat them.
    await refuses(second, () => setColumns('vaults', vault, { snapshot_seq: last }));
    await refuses(second, () => setColumns('vaults', vault, { snapshot: null, snapshot_seq: last }));
    await refuses(second, async () =>
      setColumns('vaults', vault, { snapshot: (await rowOf('vaults', other))['snapshot'] }),
    );
    await refuses(second, async () =>
      setColumns('vaults', vault, { data_key: (await rowOf('vaults', other))['data_key'] }),
    );
    // Only the node that has applied the last records knows that there were more.
    await refuses(first, () => sql('delete from log where vault = $1 and seq = $2', last));
    const { keepsake } = await second.open(vault);
    expect(textIn(keepsake, 'c.md')).toBe('three\n');
  });

  it('cannot make a node use an old copy by putting back an earlier claim', async () => {
    const [first, second] = await twoNodes();
    const vault = await registerVault(pool, rootKey);
    const old = await first.open(vault);
    await write(old.keepsake, 'a.md', 'one\n');
    await old.close();
    const claim = await rowOf('vaults', vault);
    await service.forget(first);
    const hosted = await second.open(vault);
    await write(hosted.keepsake, 'a.md', 'two\n', 'one\n');
    await hosted.snapshot();
    await hosted.close();
    await setColumns('vaults', vault, {
      owner: null,
      epoch: claim['epoch'],
      claimed_as: claim['claimed_as'],
    });
    // As after the retention period.
    await pool.query('delete from log where vault = $1', [vault]);
    expect(textIn((await first.open(vault)).keepsake, 'a.md')).toBe('two\n');
  });
});

const rowOfClaim = async (vault: string): Promise<{ vault: string; epoch: number }> => ({
  vault,
  epoch: Number((await rowOf('vaults', vault))['epoch']),
});

describe.skipIf(missing('PostgreSQL'))('rows of an earlier version', () => {
  it('are refused until an operator has reviewed and sealed them, and keep what they grant', async () => {
    const node = await aNode();
    const { vault } = await aVault({});
    const parts = { pool, rootKey };
    await pool.query(
      "insert into tokens (id, vault, name, hash, scope) values ('t', $1, 'phone', $2, 'read')",
      [vault, hashSecret('keepsake_phone')],
    );
    await setColumns('vaults', vault, { access: null, limits: { files: 7 } });
    await setColumns('nodes', `forged-${nodes}`, { signature: null });
    expect(await statusOf(node, vault, 'keepsake_phone')).toBe(503);
    expect(node.messages.join()).toContain('are not sealed');

    const review = await reviewAccess(parts);
    expect(review).toMatchObject({
      vaults: [{ vault, state: 'unsealed', access: { limits: { files: 7 }, tokens: [{ name: 'phone' }] } }],
      nodes: [{ id: `forged-${nodes}`, address: node.address }],
    });
    // A row that was added after the review is not sealed with it.
    await pool.query(
      "insert into tokens (id, vault, name, hash, scope) values ('u', $1, 'added', $2, 'write')",
      [vault, hashSecret('keepsake_added')],
    );
    await expect(confirmAccess(parts, undefined, review.digest)).rejects.toMatchObject({
      code: 'bad-settings',
    });
    expect(await statusOf(node, vault, 'keepsake_added')).toBe(503);
    await pool.query("delete from tokens where id = 'u'");
    await confirmAccess(parts, undefined, review.digest);
    expect(await statusOf(node, vault, 'keepsake_phone')).toBe(200);
    expect(await readServiceLimits(parts, vault)).toMatchObject({ files: 7 });
    expect(await reviewAccess(parts)).toMatchObject({ vaults: [], nodes: [] });
    // Rows that are added to the old tables later grant nothing.
    await pool.query(
      "insert into tokens (id, vault, name, hash, scope) values ('u', $1, 'added', $2, 'write')",
      [vault, hashSecret('keepsake_added')],
    );
    expect(await reviewAccess(parts)).toMatchObject({ vaults: [] });
    expect(await statusOf(node, vault, 'keepsake_added')).toBe(401);
  });

  it('are served again after an operator has confirmed damaged or earlier access settings', async () => {
    const node = await aNode();
    const parts = { pool, rootKey };
    const { vault, token } = await aVault();
    const { access: earlier } = await rowOf('vaults', vault);
    await createServiceToken(parts, { vault, name: 'later', scope: 'read' });
    expect(await statusOf(node, vault, token)).toBe(200);
    await setColumns('vaults', vault, { access: earlier });
    // Changes to the earlier version do not make it valid, however many.
    for (let turn = 0; turn < 3; turn += 1) await setServiceLimits(parts, vault, { files: 10 + turn });
    await node.close();
    const next = await aNode();
    expect(await statusOf(next, vault, token)).toBe(503);
    await confirmAccess(parts, vault, (await reviewAccess(parts, vault)).digest);
    expect(await statusOf(next, vault, token)).toBe(200);

    await setColumns('vaults', vault, { access: Buffer.alloc(100) });
    const review = await reviewAccess(parts, vault);
    expect(review.vaults[0]).toMatchObject({ state: 'damaged', access: { tokens: [] } });
    await confirmAccess(parts, vault, review.digest);
    await vi.waitUntil(async () => (await statusOf(next, vault, token)) === 401, { timeout: 60_000 });
  });
});

describe.skipIf(missing('PostgreSQL'))('replacing the root key', () => {
  it('refuses nothing that is valid while nodes are restarted, and the old key is useless afterwards', async () => {
    const nextBytes = Buffer.alloc(32, 9);
    const [both, only] = [createRootKey(rootKeyBytes, nextBytes), createRootKey(nextBytes)];
    const parts = { pool, rootKey: both };
    const vaults = [await aVault(), await aVault()];
    const serves = async (running: readonly RunningNode[]): Promise<void> => {
      for (const node of running)
        for (const { vault, token } of vaults) expect(await statusOf(node, vault, token)).toBe(200);
    };
    await expect(rotateRootKey({ pool, rootKey })).rejects.toMatchObject({ code: 'bad-settings' });
    // Nodes with the old key next to nodes with both.
    const [old, second] = [await aNode(), await aNode({ rootKey: both })];
    await serves([old, second]);
    await expect(rotateRootKey(parts)).rejects.toMatchObject({ code: 'bad-settings' });
    await serves([old, second]);
    await old.close();
    const first = await aNode({ rootKey: both });
    await rotateRootKey(parts);
    // As if it had been interrupted.
    await rotateRootKey(parts);
    vaults.push({
      vault: await registerVault(pool, both),
      token: '',
    });
    const added = vaults.at(-1);
    if (added !== undefined)
      added.token = await createServiceToken(parts, { vault: added.vault, name: 'owner', scope: 'read' });
    await serves([first, second]);
    // Nodes with both keys next to nodes with the new one.
    await first.close();
    const third = await aNode({ rootKey: only });
    await serves([second, third]);
    await second.close();
    const fourth = await aNode({ rootKey: only });
    await serves([third, fourth]);

    for (const { vault } of vaults) {
      await expect(
        createServiceToken({ pool, rootKey }, { vault, name: 'stolen', scope: 'read' }),
      ).rejects.toMatchObject({ code: 'damaged' });
      const placement = createPlacement({ pool, node: 'thief', address: 'http://thief', rootKey });
      await expect(placement.claim(vault)).rejects.toMatchObject({ code: 'damaged' });
    }
    // The address of a node that was started with the old key.
    const stranger = createPlacement({ pool, node: 'thief', address: 'http://thief.invalid', rootKey });
    await stranger.join();
    onTestFinished(async () => {
      await pool.query("update vaults set owner = null where owner = 'thief'");
      await pool.query("delete from nodes where id = 'thief'");
    });
    await pool.query("update nodes set seen_at = 'infinity' where id = 'thief'");
    const { vault, token } = vaults[0] ?? { vault: '', token: '' };
    await setColumns('vaults', vault, { owner: 'thief' });
    const gateway = third.activeVaults().includes(vault) ? fourth : third;
    expect(await statusOf(gateway, vault, token)).toBe(503);
  });
});
