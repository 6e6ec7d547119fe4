import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { toUrl, host, httpVault, port, readProblem } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

/** Listed here independently of the routes: every route that is not on this list must require the scope write. */
const changesNothing = [
  'POST /api/vaults/{vault}/answers',
  // A principal may stop and delete its own answers.
  'POST /api/vaults/{vault}/answers/{id}/stop',
  'DELETE /api/vaults/{vault}/answers/{id}',
  'DELETE /api/vaults/{vault}/answers',
  'POST /api/vaults/{vault}/search',
  'POST /api/vaults/{vault}/verify',
  // These check the scope of each call; each has its own test below.
  'POST /api/vaults/{vault}/tools/{tool}',
  'POST /mcp',
  'DELETE /mcp',
];
const needsNothing = [
  'GET /api/health',
  'GET /open',
  'GET /openapi.json',
  // Sign-in has no credential yet. Without a public URL these routes return 404; with one they are tested in test/oauth.
  'GET /api/sign-in',
  'POST /api/sign-in/passkey/options',
  'POST /api/sign-in/passkey',
  'GET /api/sign-in/provider',
  'GET /api/sign-in/callback',
];

type Operation = { requestBody?: { content: Record<string, unknown> } };
type Route = { name: string; method: string; address: string; types: string[] };

const values: Record<string, string> = {
  vault: 'notes',
  id: 'ID',
  item: 'item',
  tool: 'write',
  path: 'a.md',
};
/** Parameters that are checked before the body. */
const queries: Record<string, string> = {
  'POST /api/vaults/{vault}/imports': '?id=00000000-0000-4000-8000-000000000000&name=notes.zip',
};

async function routesOf(vault: HttpVault): Promise<Route[]> {
  const { paths } = await vault.get<{ paths: Record<string, Record<string, Operation>> }>('//openapi.json');
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([each, { requestBody }]) => {
      const method = each.toUpperCase();
      const name = `${method} ${path}`;
      const address = path.replaceAll(/\{(\w+)\}/g, (_, value: string) => values[value] ?? 'x');
      const types = Object.keys(requestBody?.content ?? {});
      return { name, method, address: `/${address}${queries[name] ?? ''}`, types };
    }),
  );
}

const takesBody = ({ types }: Route): boolean => types.length > 0;

/** A body with a media type that the route accepts. */
function bodyFor({ types }: Route): Send {
  const [type] = types;
  if (type === undefined) return {};
  return {
    headers: { 'content-type': type, 'if-match': '*' },
    body: type === 'application/json' ? '{}' : 'x',
  };
}

function fingerprint({ folder }: HttpVault): string {
  return execFileSync('bash', ['-c', 'find . -type f -exec sha256sum {} + | sort'], {
    cwd: folder,
    encoding: 'utf8',
  });
}

describe('every route', () => {
  let vault: HttpVault;
  let routes: Route[];

  // Every test has its own vault, so that effects of a rejected request are visible. Returns the unexpected responses.
  const eachRoute = async (
    check: (route: Route) => Promise<string[]>,
    which: (route: Route) => boolean = () => true,
  ): Promise<string[]> => {
    vault = await httpVault({ 'a.md': 'text\n' });
    routes = await routesOf(vault);
    const before = fingerprint(vault);
    const chosen = routes.filter(which);
    expect(chosen.length).toBeGreaterThan(0);
    const wrong: string[] = [];
    for (const route of chosen) wrong.push(...(await check(route)));
    expect(fingerprint(vault)).toBe(before);
    expect(vault.keepsake.changes.list({ limit: 10 })).toEqual([]);
    expect(vault.keepsake.agents.updates.list({ limit: 10 })).toEqual([]);
    return wrong;
  };
  const refuse = async (route: Route, send: Send, status: number, code: string): Promise<string[]> => {
    const response = await vault.send(route.address, { method: route.method, ...send });
    const { code: actualCode } = await readProblem(response);
    if (response.status === status && actualCode === code) return [];
    return [`${route.name}: ${response.status} ${actualCode} instead of ${status} ${code}`];
  };
  const all = async (refusals: Promise<string[]>[]): Promise<string[]> =>
    (await Promise.all(refusals)).flat();

  it('is in the OpenAPI document, including SSE and MCP', async () => {
    expect(await eachRoute(async () => [])).toEqual([]);
    const names = routes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...changesNothing, ...needsNothing]));
    expect(names).toEqual(
      expect.arrayContaining([
        'GET /api/vaults/{vault}/events',
        'GET /mcp',
        'PUT /api/vaults/{vault}/files/{path}',
      ]),
    );
    const registered = vault.app.routes
      .filter(({ method, path }) => method !== 'ALL' && path !== '/*')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{.+\})?/g, '{$1}')}`);
    expect([...new Set(registered)].filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each([
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `0.0.0.0:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    `localhost.:${port}`,
    `[::]:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    '',
  ])('rejects the host %j', async (wrong) => {
    const headers = { host: wrong };
    expect(await eachRoute((route) => refuse(route, { headers }, 403, 'wrong-host'))).toEqual([]);
  });

  it.each([
    'null',
    `http://0.0.0.0:${port}`,
    `http://127.0.0.1.evil.example:${port}`,
    'http://127.0.0.1.evil.example',
    `http://127.0.0.1:${port + 1}`,
    'http://127.0.0.1',
    `https://127.0.0.1:${port}`,
    'http://evil.example',
    `http://127.0.0.1:${port}.evil.example`,
    `http://user@127.0.0.1:${port}`,
    'file://',
    '',
  ])('rejects the origin %j', async (wrong) => {
    const headers = { origin: wrong };
    expect(await eachRoute((route) => refuse(route, { headers }, 403, 'wrong-origin'))).toEqual([]);
  });

  it('rejects a missing or invalid token', async () => {
    const isClosed = ({ name }: Route): boolean => !needsNothing.includes(name);
    const check = (route: Route): Promise<string[]> => {
      const wrongTokens = [null, 'wrong', `${vault.writer}x`, vault.writer.slice(0, -1), ''];
      const others = [`Basic ${vault.writer}`, vault.writer, `Bearer ${vault.writer} x`, 'Bearer'];
      const cookie = `keepsake-${port}=wrong; keepsake=${vault.writer}`;
      const sent: Send[] = [
        ...wrongTokens.map((token) => ({ token, ...bodyFor(route) })),
        ...others.map((authorization) => ({ token: null, headers: { authorization } })),
        { token: null, headers: { cookie } },
      ];
      return all(sent.map((send) => refuse(route, send, 401, 'unauthorized')));
    };
    expect(await eachRoute(check, isClosed)).toEqual([]);
  });

  it('rejects a read-only token if the route changes anything', async () => {
    const isChange = ({ name, method }: Route): boolean =>
      method !== 'GET' && !changesNothing.includes(name) && !needsNothing.includes(name);
    const check = (route: Route) =>
      refuse(route, { token: vault.reader, ...bodyFor(route) }, 403, 'wrong-scope');
    expect(await eachRoute(check, isChange)).toEqual([]);
  });

  it('rejects a wrong or missing content type', async () => {
    const types = [
      'text/html',
      'application/x-www-form-urlencoded',
      'application/xml',
      'image/png',
      'x',
      null,
    ];
    const check = (route: Route): Promise<string[]> =>
      all(
        types.map((type) => {
          const headers = { 'if-match': '*', ...(type !== null && { 'content-type': type }) };
          return refuse(route, { headers, body: new Blob(['{"a":1}']).stream() }, 415, 'wrong-type');
        }),
      );
    expect(await eachRoute(check, takesBody)).toEqual([]);
  });

  it('rejects JSON sent as text/plain (CSRF)', async () => {
    const headers = { 'content-type': 'text/plain' };
    const check = (route: Route) => refuse(route, { headers, body: '{}' }, 415, 'wrong-type');
    expect(await eachRoute(check, ({ types }) => types.includes('application/json'))).toEqual([]);
  });

  it('rejects a body that is too large, whatever its Content-Length', async () => {
    const large: Record<string, number> = {
      'application/json': 2_000_001,
      'multipart/form-data': 60_000_001,
      'text/markdown': 20_000_001,
      'application/zip': 90_000_001,
    };
    const check = (route: Route): Promise<string[]> =>
      all(
        route.types.flatMap((type) => {
          const size = route.address === '//mcp' ? 30_000_001 : (large[type] ?? 0);
          const headers = { 'content-type': type, 'if-match': '*' };
          return [
            refuse(
              route,
              { headers: { ...headers, 'content-length': `${size}` }, body: 'x' },
              413,
              'too-large',
            ),
            refuse(route, { headers, body: endless(size) }, 413, 'too-large'),
          ];
        }),
      );
    expect(await eachRoute(check, takesBody)).toEqual([]);
  });

  it('rejects a browser session from another site, and a change without an origin', async () => {
    const check = async (route: Route): Promise<string[]> => {
      const { cookie } = await aSession(vault);
      const sites = ['cross-site', 'same-site', ...(route.method === 'GET' ? [] : ['none', null])];
      return all(
        sites.map((site) => {
          const headers = { cookie, ...(site !== null && { 'sec-fetch-site': site }) };
          return refuse(route, { token: null, headers }, 403, 'wrong-origin');
        }),
      );
    };
    expect(await eachRoute(check, ({ name }) => !needsNothing.includes(name))).toEqual([]);
  });

  it('returns 404 for a vault that does not exist', async () => {
    const check = (route: Route) =>
      refuse(
        { ...route, address: route.address.replace('/notes/', '/other/') },
        bodyFor(route),
        404,
        'no-such-vault',
      );
    expect(await eachRoute(check, ({ address }) => address.includes('/notes/'))).toEqual([]);
  });
});

describe('routes that check the scope of each call', () => {
  it('allow read-only tokens to call only read tools', async () => {
    const vault = await httpVault({ 'a.md': 'text\n' });
    const call = (tool: string, input: unknown) =>
      vault.send(`/tools/${tool}`, { token: vault.reader, json: { input } });
    for (const tool of ['write', 'edit', 'append', 'move', 'delete'])
      expect(await readProblem(await call(tool, {}))).toMatchObject({ status: 403, code: 'wrong-scope' });
    expect((await call('read', { paths: 'a.md' })).status).toBe(200);
  });

  it("pass the caller's scope to MCP", async () => {
    const vault = await httpVault();
    const call = (token: string) => vault.get('//mcp', { token, json: { ping: 1 } });
    expect(await call(vault.reader)).toEqual({ scope: 'read', method: 'POST', body: '{"ping":1}' });
    expect(await call(vault.writer)).toMatchObject({ scope: 'write' });
    expect(await call(vault.owner)).toMatchObject({ scope: 'write' });
  });
});

describe('an unknown route', () => {
  it('returns 401 without a token, like any other route', async () => {
    const vault = await httpVault();
    for (const path of [
      '//',
      '//nothing',
      '/nothing',
      '//api',
      '//openapi.json/',
      '//API/health',
      '//%61pi/health',
    ]) {
      const response = await vault.send(path, { token: null });
      expect((await readProblem(response)).status).toBe(401);
      expect((await readProblem(await vault.send(path))).code).toBe('no-such-route');
    }
  });

  it('is distinguished from a route with a wrong method', async () => {
    const vault = await httpVault();
    const response = await vault.send('/updates', { method: 'PATCH' });
    expect(response.headers.get('allow')).toBe('POST, GET, HEAD');
    expect(await readProblem(response)).toMatchObject({ status: 405, code: 'wrong-method' });
    expect((await readProblem(await vault.send('/files/a/b.md', { method: 'POST' }))).code).toBe(
      'wrong-method',
    );
    expect((await readProblem(await vault.send('/updates', { method: 'OPTIONS' }))).code).toBe(
      'wrong-method',
    );
  });
});

async function aSession({ app, auth }: HttpVault): Promise<{ cookie: string }> {
  const response = await app.request(toUrl(`//open?code=${auth.createLoginCode()}`), {
    headers: { host },
  });
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

/** A stream of `size` bytes without a declared length. */
function endless(size: number): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(100_000).fill(32);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= size) return controller.close();
      controller.enqueue(chunk.subarray(0, Math.min(chunk.length, size - sent)));
      sent += chunk.length;
    },
  });
}
