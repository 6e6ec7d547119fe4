import { describe, expect, it } from 'vitest';
import { createAuth, openSessionStore, openTokens } from '../../packages/vault/src/server/index.ts';
import type { Auth } from '../../packages/vault/src/server/index.ts';
import { host, httpVault, origin, port, readProblem } from './http-vault.ts';
import type { HttpVault } from './http-vault.ts';

const ownPage = { origin, 'sec-fetch-site': 'same-origin' };

/** Follows the link and returns the cookie it sets. */
async function open(vault: HttpVault, code: string): Promise<{ response: Response; cookie: string }> {
  const response = await vault.send(`//open?code=${code}`, { token: null });
  return { response, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

/** The headers of a request with this token. */
function callerOf(vault: HttpVault, token: string): ReturnType<Auth['authenticate']> {
  return vault.auth.authenticate(new Headers({ authorization: `Bearer ${token}` }));
}

describe('one-time link', () => {
  it('opens a session with write access for same-origin pages only', async () => {
    const vault = await httpVault();
    const { response, cookie } = await open(vault, vault.auth.createLoginCode());
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/');
    expect(response.headers.get('set-cookie')).toMatch(
      new RegExp(`^keepsake-${port}=[\\w-]{43}; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict$`),
    );
    const send = (headers: Record<string, string>, json?: unknown) =>
      vault.send('/updates', {
        token: null,
        headers: { cookie, ...headers },
        ...(json !== undefined && { json }),
      });
    expect((await send({})).status).toBe(200);
    expect((await send({ 'sec-fetch-site': 'none' })).status).toBe(200);
    expect((await send(ownPage, { text: 'x' })).status).toBe(202);
    expect((await send({ origin }, { text: 'x' })).status).toBe(202);
    expect((await send({ 'sec-fetch-site': 'same-origin' }, { text: 'x' })).status).toBe(202);
    expect(
      await readProblem(await send({ origin, 'sec-fetch-site': 'same-site' }, { text: 'x' })),
    ).toMatchObject({
      code: 'wrong-origin',
    });
    expect(vault.keepsake.agents.updates.list({ limit: 1 })[0]?.input.source).toEqual({
      kind: 'person',
      name: 'web',
    });
  });

  it('works once and expires', async () => {
    let now = 1_000_000;
    const vault = await httpVault({}, { now: () => now });
    const code = vault.auth.createLoginCode();
    expect((await open(vault, code)).response.status).toBe(303);
    expect(await readProblem((await open(vault, code)).response)).toMatchObject({
      status: 401,
      code: 'link-expired',
    });
    const late = vault.auth.createLoginCode();
    now += 5 * 60_000;
    expect((await open(vault, late)).response.status).toBe(401);
    for (const wrong of ['', 'x', late.slice(1)])
      expect((await open(vault, wrong)).response.status).toBe(401);
    expect((await vault.send('//open', { token: null })).status).toBe(422);
  });

  it('is not consumed by a HEAD request', async () => {
    const vault = await httpVault();
    const code = vault.auth.createLoginCode();
    expect((await vault.send(`//open?code=${code}`, { token: null, method: 'HEAD' })).status).toBe(401);
    expect((await open(vault, code)).response.status).toBe(303);
  });

  it('opens a session that ends after a week', async () => {
    let now = 1_000_000;
    const vault = await httpVault({}, { now: () => now });
    const { cookie } = await open(vault, vault.auth.createLoginCode());
    const status = async () => (await vault.send('/inbox', { token: null, headers: { cookie } })).status;
    expect(await status()).toBe(200);
    now += 7 * 24 * 60 * 60_000;
    expect(await status()).toBe(401);
  });

  it('opens a session that survives a restart and is stored only as a hash', async () => {
    const vault = await httpVault();
    const { keepsake } = vault;
    const { cookie } = await open(vault, vault.auth.createLoginCode());
    const { cookie: other } = await open(vault, vault.auth.createLoginCode(callerOf(vault, vault.writer)));
    const next = () =>
      createAuth({
        host: '127.0.0.1',
        port,
        secret: 'another',
        tokens: openTokens(keepsake),
        sessions: openSessionStore(keepsake),
        clock: () => performance.now(),
      });
    const restarted = next();
    const known = (auth: Auth, shown: string) => auth.authenticate(new Headers({ cookie: shown }));
    expect(known(restarted, cookie)).toMatchObject({ kind: 'session', isUser: true });
    expect(known(restarted, other)).toMatchObject({ kind: 'session', isUser: false });
    expect(known(restarted, `${cookie}x`)).toBeNull();
    const secret = cookie.split('=')[1] ?? '';
    const rows = openSessionStore(keepsake)().list();
    expect(rows).toHaveLength(2);
    expect(
      JSON.stringify(rows.map(({ hash, ...row }) => ({ ...row, hash: hash.toString('latin1') }))),
    ).not.toContain(secret);
    const tokens = openTokens(keepsake)();
    for (const { id } of tokens.list()) tokens.revoke(id);
    expect(known(restarted, other)).toBeNull();
    expect(known(next(), other)).toBeNull();
    const page = { token: null, headers: { cookie, ...ownPage } };
    expect((await vault.send('/sessions', { ...page, method: 'DELETE' })).status).toBe(204);
    expect((await vault.send('/inbox', page)).status).toBe(401);
    expect(known(next(), cookie)).toBeNull();
  });

  it('is rejected as a bearer token, and so is a session cookie', async () => {
    const vault = await httpVault();
    const code = vault.auth.createLoginCode();
    const { cookie } = await open(vault, vault.auth.createLoginCode());
    for (const token of [code, cookie, cookie.split('=')[1] ?? ''])
      expect((await vault.send('/inbox', { token })).status).toBe(401);
    // An invalid token is rejected even with a valid cookie.
    expect((await vault.send('/inbox', { token: 'wrong', headers: { cookie } })).status).toBe(401);
  });
});

describe('token', () => {
  it('is rejected after it is revoked', async () => {
    const vault = await httpVault();
    const { id, secret } = openTokens(vault.keepsake)().create('phone', 'read');
    expect((await vault.send('/inbox', { token: secret })).status).toBe(200);
    openTokens(vault.keepsake)().revoke(id);
    const response = await vault.send('/inbox', { token: secret });
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="keepsake"');
    expect(response.status).toBe(401);
  });
});

describe('host allowlist', () => {
  const headers = (name: string, from?: string) => new Headers({ host: name, ...(from && { origin: from }) });
  const auth = (bound: string, allowedHosts?: string[], at = port) =>
    createAuth({
      host: bound,
      port: at,
      allowedHosts,
      secret: 's',
      tokens: () => ({ verify: () => null, verifyCalendar: () => null, find: () => null }),
      sessions: () => ({ add: () => undefined, list: () => [], removeAll: () => undefined }),
      clock: Date.now,
    });

  it('includes the loopback names with the port, ignoring case', () => {
    const refusal = (sent: Headers) => auth('127.0.0.1').checkOrigin(sent);
    for (const name of [host, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect(refusal(headers(name))).toBeNull();
      expect(refusal(headers(name, `http://${name}`))).toBeNull();
    }
    expect(refusal(headers(`192.168.1.5:${port}`))).toBe('wrong-host');
    expect(auth('127.0.0.1', [], 80).checkOrigin(headers('localhost', 'http://localhost'))).toBeNull();
  });

  it('includes the bind address and explicitly allowed hosts', () => {
    expect(auth('192.168.1.5').checkOrigin(headers(`192.168.1.5:${port}`))).toBeNull();
    expect(auth('0.0.0.0').checkOrigin(headers(`0.0.0.0:${port}`))).toBe('wrong-host');
    expect(auth('::').checkOrigin(headers(`[::]:${port}`))).toBe('wrong-host');
    const allowed = auth('0.0.0.0', ['notes.example.org', 'other.example:8443']);
    const refusal = (sent: Headers) => allowed.checkOrigin(sent);
    expect(refusal(headers('notes.example.org', 'https://notes.example.org'))).toBeNull();
    expect(refusal(headers(`notes.example.org:${port}`, `http://notes.example.org:${port}`))).toBeNull();
    expect(refusal(headers('other.example:8443', 'https://other.example:8443'))).toBeNull();
    for (const name of [
      'other.example',
      'notes.example.org.evil',
      'evil.notes.example.org',
      'notes.example.org:1',
    ])
      expect(refusal(headers(name))).toBe('wrong-host');
    expect(refusal(headers('notes.example.org', 'https://notes.example.org.evil'))).toBe('wrong-origin');
    expect(refusal(headers(host, `https://${host}`))).toBe('wrong-origin');
  });
});
