import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createServiceToken,
  createVaultInvitation,
  registerVault,
  startNode,
} from '../../packages/service/src/hosting/index.ts';
import type { RunningNode } from '../../packages/service/src/hosting/index.ts';
import type { Role } from '../../packages/vault/src/server/index.ts';
import { missing } from '../missing.ts';
import { call, textOf } from '../mcp/clients.ts';
import { createBrowser } from '../oauth/browser.ts';
import type { Browser } from '../oauth/browser.ts';
import {
  decideConsent,
  callback,
  codeFor,
  openConsent,
  exchange,
  refresh,
  register,
  registerClient,
  tokensFor,
  toolsWith,
} from '../oauth/client.ts';
import type { Issued, OAuthVault } from '../oauth/client.ts';
import { connectAs, createClientProvider } from '../oauth/sdk-client.ts';
import { serviceProgram } from '../process-variables.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { admitted, shut } from '../vaults/operations.ts';
import { aBalancer } from './balancer.ts';
import { startWorkers } from './start-workers.ts';
import { environmentIn, rootKey, rootKeyBytes, startTestService } from './test-service.ts';
import type { TestService } from './test-service.ts';

let shared: TestService;
let pool: pg.Pool;

beforeAll(async () => {
  shared = await startTestService();
  ({ pool } = shared);
});
afterAll(() => shared.stop());

let nodes = 0;

async function aNode(publicUrl: string, workers = 0): Promise<RunningNode> {
  const folder = temporaryFolder();
  layOut(folder, { 'web/index.html': '<title>Keepsake</title>', 'web/assets/app.js': 'export {};' });
  const node = await startNode({
    pool,
    store: shared.store,
    rootKey,
    name: `node-${(nodes += 1)}`,
    host: '127.0.0.1',
    port: 0,
    publicUrl,
    webAssetsFolder: join(folder, 'web'),
    cacheFolder: join(folder, 'vaults'),
    environment: environmentIn(folder),
    log: () => undefined,
    ...(workers > 0 && { workers: startWorkers(shared, { count: workers, home: folder }) }),
  });
  onTestFinished(() => node.close());
  return node;
}

type Service = Awaited<ReturnType<typeof aService>>;

/** Two nodes behind one name; the first owns the vaults, opens them in a worker, and the name forwards to the second. */
async function aService() {
  const balancer = await aBalancer();
  const first = await aNode(balancer.url, 1);
  balancer.leadTo(first.address);
  const aVault = async (): Promise<OAuthVault & { id: string; invited(role: Role): Promise<Browser> }> => {
    const id = await registerVault(pool, rootKey);
    const invited = async (role: Role): Promise<Browser> => {
      const browser = createBrowser();
      const link = await createVaultInvitation({ pool, rootKey }, { vault: id, name: 'Ada', role });
      expect((await browser.open(link)).status).toBe(303);
      return browser;
    };
    const url = `${balancer.url}/v/${id}`;
    return { id, url, resource: `${url}/mcp`, invited, signedIn: () => invited('owner') };
  };
  const passOn = async (): Promise<RunningNode> => {
    const second = await aNode(balancer.url);
    balancer.leadTo(second.address);
    return second;
  };
  return { balancer, first, aVault, passOn };
}

/** Two vaults on one node, reached through another node. */
async function twoVaults(): Promise<{ service: Service; mine: Vault; other: Vault; second: RunningNode }> {
  const service = await aService();
  const [mine, other] = [await service.aVault(), await service.aVault()];
  for (const { url } of [mine, other]) expect((await fetch(`${url}/api/health`)).status).toBe(200);
  const second = await service.passOn();
  expect(service.first.activeVaults().toSorted()).toEqual([mine.id, other.id].toSorted());
  return { service, mine, other, second };
}
type Vault = Awaited<ReturnType<Service['aVault']>>;

const tree = '/api/vaults/default/tree';
const people = '/api/vaults/default/people';

describe.skipIf(missing('PostgreSQL'))('members of a hosted vault', () => {
  it('sign in once with a link, through any node, and get the web interface', async () => {
    const { mine, second } = await twoVaults();
    const browser = createBrowser();
    const link = await createVaultInvitation(
      { pool, rootKey },
      { vault: mine.id, name: 'Ada', role: 'owner' },
    );
    const opened = await browser.open(link);
    expect([opened.status, opened.headers.get('location')]).toEqual([303, `/v/${mine.id}/`]);
    expect(opened.headers.get('set-cookie')).toContain(`Path=/v/${mine.id}/`);
    expect((await browser.ask(`${mine.url}${tree}`)).status).toBe(200);
    expect(await (await browser.ask(`${mine.url}/`)).text()).toContain('Keepsake');
    expect(await (await fetch(new URL('/assets/app.js', mine.url))).text()).toContain('export');
    const again = createBrowser();
    expect((await again.open(link)).status).not.toBe(303);
    expect((await again.ask(`${mine.url}${tree}`)).status).toBe(401);
    expect(await (await fetch(`${second.address}/metrics`)).text()).toMatch(/outcome="passed"\} [1-9]/);
    await expect(
      createVaultInvitation({ pool, rootKey }, { vault: 'nothing', name: 'Ada', role: 'owner' }),
    ).rejects.toMatchObject({ code: 'no-such-vault' });
  });

  it('receive events through a proxying node', async () => {
    const { mine } = await twoVaults();
    const browser = await mine.signedIn();
    const stream = await browser.ask(`${mine.url}/api/vaults/default/events`);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const written = await browser.ask(`${mine.url}/api/vaults/default/tools/write`, {
      json: { input: { path: 'bucket/a.md', content: 'new\n' } },
    });
    expect(written.status).toBe(200);
    let heard = '';
    for await (const part of stream.body ?? []) {
      heard += Buffer.from(part as Uint8Array).toString();
      if (heard.includes('bucket/a.md')) break;
    }
    expect(heard).toContain('bucket/a.md');
  });

  it('manage their vault, but not the machine that serves it', async () => {
    const service = await aService();
    const mine = await service.aVault();
    const given = await createServiceToken(
      { pool, rootKey },
      { vault: mine.id, name: 'backup', scope: 'read' },
    );
    const owner = await mine.signedIn();
    const at = (path: string): string => `${mine.url}/api/vaults/default${path}`;
    const put = (path: string, json: object) => owner.ask(at(path), { method: 'PUT', json });
    for (const response of [
      await put('/model', { name: null }),
      await put('/exclusions', { patterns: ['*'] }),
      await owner.ask(at('/model/test'), { method: 'POST' }),
      await owner.ask(at('/clients')),
    ])
      expect(await response.json()).toMatchObject({ status: 403, code: 'not-the-operator' });
    // They can revoke tokens that they have created, but not those of the service.
    const made = await owner.ask(at('/tokens'), { json: { name: 'phone', scope: 'read' } });
    const { secret } = (await made.json()) as { secret: string };
    const statusWith = async (token: string): Promise<number> =>
      (await fetch(`${mine.url}${tree}`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await statusWith(secret), await statusWith(given)]).toEqual([200, 200]);
    const { tokens } = (await (await owner.ask(at('/tokens'))).json()) as {
      tokens: { id: string; name: string }[];
    };
    const revoke = async (name: string): Promise<number> => {
      const id = tokens.find((token) => token.name === name)?.id;
      return (await owner.ask(at(`/tokens/${id}`), { method: 'DELETE' })).status;
    };
    expect([await revoke('phone'), await revoke('backup')]).toEqual([204, 404]);
    expect([await statusWith(secret), await statusWith(given)]).toEqual([401, 200]);
  });

  it('get 503 instead of an acknowledgement for a write that is not in the log, and so do their applications', async () => {
    const { mine } = await twoVaults();
    const owner = await mine.signedIn();
    await pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin return null; end $$`,
    );
    onTestFinished(async () => void (await pool.query('drop function refuse cascade')));
    const asks = [
      () => owner.ask(`${mine.url}${people}`, { json: { name: 'Bo', role: 'writer' } }),
      () => register(mine),
    ];
    for (const ask of asks) {
      await pool.query(
        `create trigger refusing before insert on log for each row when (new.vault = '${mine.id}') execute function refuse()`,
      );
      expect((await ask()).status).toBe(503);
      await pool.query('drop trigger refusing on log');
      await vi.waitUntil(async () => (await ask()).status === 201, { timeout: 60_000 });
    }
  });

  it('stay signed in, and removed members stay removed, when the node is killed and its disk is lost', async () => {
    const balancer = await aBalancer();
    const disk = temporaryFolder();
    writeFileSync(join(disk, 'key'), rootKeyBytes);
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = shared.settings;
    const environment = {
      PATH: process.env['PATH'],
      HOME: disk,
      KEEPSAKE_DATABASE_URL: shared.databases.urlOf('service'),
      KEEPSAKE_ROOT_KEY_FILE: join(disk, 'key'),
      KEEPSAKE_S3_ENDPOINT: endpoint,
      KEEPSAKE_S3_BUCKET: bucket,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    };
    const folder = join(disk, 'vaults');
    const options = ['--name', 'killed', '--port', '0', '--public', balancer.url];
    options.push('--workers', '1', '--folder', folder);
    const killed = spawn(process.execPath, [serviceProgram, 'node', ...options], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void killed.kill('SIGKILL'));
    let said = '';
    killed.stdout.on('data', (part: Buffer) => (said += part.toString()));
    await vi.waitUntil(() => said.includes('\n'), { timeout: 120_000 });
    balancer.leadTo(/http:\S+/.exec(said)?.[0] ?? '');

    const id = await registerVault(pool, rootKey);
    const at = (path: string): string => `${balancer.url}/v/${id}${path}`;
    const { stdout: printed } = await promisify(execFile)(
      process.execPath,
      [serviceProgram, 'cluster', 'invite', id, 'Ada', '--json'],
      { env: environment },
    );
    const owner = createBrowser();
    await owner.open((JSON.parse(printed) as { url: string }).url);
    const invited = await owner.ask(at(people), { json: { name: 'Bo', role: 'writer' } });
    const { id: bo, url: link } = (await invited.json()) as { id: string; url: string };
    const gone = createBrowser();
    await gone.open(link);
    expect((await gone.ask(at(tree))).status).toBe(200);
    const vault = { url: at(''), resource: at('/mcp'), signedIn: async () => owner };
    const client = await registerClient(vault);
    const issued = await tokensFor(vault, client);
    expect((await owner.ask(at(`${people}/${bo}`), { method: 'DELETE' })).status).toBe(204);

    killed.kill('SIGKILL');
    // Its workers, which end with it, have the same output.
    await once(killed, 'close');
    rmSync(disk, { recursive: true });
    const node = await aNode(balancer.url);
    balancer.leadTo(node.address);
    // Until the node counts as dead in the database.
    await vi.waitUntil(async () => (await owner.ask(at(tree))).status === 200, { timeout: 60_000 });
    expect((await gone.ask(at(tree))).status).toBe(401);
    expect(await toolsWith(vault, issued.access_token)).toContain('vault_write');
    expect((await refresh(vault, client, issued.refresh_token)).status).toBe(200);
    expect((await refresh(vault, client, issued.refresh_token)).status).toBe(400);
  });
});

describe.skipIf(missing('PostgreSQL'))('applications with access to a hosted vault', () => {
  it('can request authorization, read and write with the MCP SDK through a proxying node', async () => {
    const { mine } = await twoVaults();
    const provider = createClientProvider();
    await expect(connectAs(mine, provider)).rejects.toThrow(UnauthorizedError);
    const browser = await mine.signedIn();
    const back = await decideConsent(
      browser,
      await openConsent(mine, browser, String(provider.authorizationUrl)),
    );
    const transport = new StreamableHTTPClientTransport(new URL(mine.resource), { authProvider: provider });
    await transport.finishAuth(back.searchParams);
    const client = await connectAs(mine, provider);
    const written = await call(client, 'vault_write', { path: 'b.md', content: 'new\n' });
    expect(written.isError ?? false).toBe(false);
    provider.expire();
    const later = await connectAs(mine, provider);
    expect(textOf(await call(later, 'vault_read', { paths: 'b.md' }))).toContain('new');
  });

  it('see each vault as a separate server, and can redeem an authorization code only once, on any node', async () => {
    const { mine, other, service, second } = await twoVaults();
    const origin = service.balancer.url;
    for (const address of [service.first.address, second.address]) {
      service.balancer.leadTo(address);
      expect(
        await (await fetch(`${origin}/.well-known/oauth-protected-resource/v/${mine.id}/mcp`)).json(),
      ).toMatchObject({ resource: mine.resource, authorization_servers: [mine.url] });
      expect(
        await (await fetch(`${origin}/.well-known/oauth-authorization-server/v/${mine.id}`)).json(),
      ).toMatchObject({ issuer: mine.url, token_endpoint: `${mine.url}/oauth/token` });
    }
    const client = await registerClient(mine);
    const { code, verifier } = await codeFor(mine, client);
    const given = {
      grant_type: 'authorization_code',
      client_id: client,
      code,
      code_verifier: verifier,
      redirect_uri: callback,
    };
    const shown = await exchange(mine, given);
    expect(shown.status).toBe(200);
    const { access_token: token } = (await shown.json()) as Issued;
    expect(await toolsWith(mine, token)).toContain('vault_read');
    expect(await toolsWith(other, token)).toBe(401);
    service.balancer.leadTo(service.first.address);
    expect((await exchange(mine, given)).status).toBe(400);
    // Reuse of the code revokes the tokens issued for it.
    expect(await toolsWith(mine, token)).toBe(401);
  });
});

describe.skipIf(missing('PostgreSQL'))('every operation of a hosted vault', () => {
  it('rejects credentials of another vault and anonymous requests', async () => {
    const { mine, other } = await twoVaults();
    const token = await createServiceToken(
      { pool, rootKey },
      { vault: other.id, name: 'other', scope: 'write' },
    );
    const [owner, reader] = [await other.signedIn(), await other.invited('reader')];
    const asks: ((path: string, method: string) => Promise<Response>)[] = [
      { authorization: `Bearer ${token}` },
      ...[owner, reader].map((browser) => ({
        cookie: browser.cookies(),
        'sec-fetch-site': 'same-origin',
        origin: new URL(mine.url).origin,
      })),
      {},
    ].map(
      (headers: Record<string, string>) => (path, method) =>
        fetch(`${mine.url}${path}`, { method, headers, redirect: 'manual' }),
    );
    for (const ask of asks) expect(await admitted(shut, 401, ask)).toEqual([]);
    // The rejections above do not come from a broken service.
    expect((await owner.ask(`${other.url}${tree}`)).status).toBe(200);
    expect((await owner.ask(`${mine.url}${tree}`)).status).toBe(401);
  });
});
