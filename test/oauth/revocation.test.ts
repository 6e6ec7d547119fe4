// Every role, credential and revocation, combined: once a revocation has been acknowledged, nothing that it ends works
// any more, also for requests that were sent before.
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBrowser } from './browser.ts';
import type { Browser } from './browser.ts';
import { refresh, registerClient, tokensFor } from './client.ts';
import { publicVault } from './public-vault.ts';
import type { PublicVault } from './public-vault.ts';
import { createSoftwarePasskey } from './software-passkey.ts';

const roles = ['owner', 'writer', 'reader'] as const;
type Role = (typeof roles)[number];
type Access = 'write' | 'read' | 'none';
type CredentialName = 'session' | 'linked session' | 'token' | 'session of token' | 'grant';
type Credential = { name: CredentialName; headers: Record<string, string> };

type Member = {
  role: Role;
  id: string;
  browser: Browser;
  credentials: Credential[];
  token: string | null;
  /** Whether the refresh token of the grant is accepted. */
  canRefresh(): Promise<boolean>;
  /** Whether the passkey signs in. */
  canSignIn(): Promise<boolean>;
  passkey: string;
};

const revocations = [
  'nothing',
  'remove member',
  'change role to reader',
  'sign out of all browsers',
  'revoke token',
  'revoke grant',
  'remove passkey',
] as const;
type Revocation = (typeof revocations)[number];

/** The access that a credential gives after a revocation. */
function accessAfter(revocation: Revocation, role: Role, credential: CredentialName): Access {
  const full = role === 'reader' ? 'read' : 'write';
  switch (revocation) {
    case 'remove member':
      return 'none';
    case 'change role to reader':
      return 'read';
    case 'sign out of all browsers':
      return credential.includes('session') ? 'none' : full;
    case 'revoke token':
      return credential === 'token' || credential === 'session of token' ? 'none' : full;
    case 'revoke grant':
      return credential === 'grant' ? 'none' : full;
    case 'nothing':
    case 'remove passkey':
      return full;
  }
}

async function invite(vault: PublicVault, owner: Browser, client: string, role: Role): Promise<Member> {
  const api = `${vault.url}/api/vaults/default`;
  const invited = await owner.ask(`${api}/people`, { json: { name: role, role } });
  const { id, url } = (await invited.json()) as { id: string; url: string };
  const browser = createBrowser();
  await browser.open(url);
  const openLinked = async (linkUrl: string): Promise<Browser> => {
    const linked = createBrowser();
    await linked.open(linkUrl);
    return linked;
  };
  const credentials: Credential[] = [{ name: 'session', headers: asBrowser(vault, browser) }];
  if (role !== 'reader') {
    const link = await browser.ask(`${api}/links`, { method: 'POST' });
    const linked = await openLinked(((await link.json()) as { url: string }).url);
    credentials.push({ name: 'linked session', headers: asBrowser(vault, linked) });
  }
  let token: string | null = null;
  if (role === 'owner') {
    const created = await browser.ask(`${api}/tokens`, { json: { name: 'script', scope: 'write' } });
    const made = (await created.json()) as { id: string; secret: string };
    token = made.id;
    const headers = { authorization: `Bearer ${made.secret}` };
    credentials.push({ name: 'token', headers });
    const link = await fetch(`${api}/links`, { method: 'POST', headers });
    const linked = await openLinked(((await link.json()) as { url: string }).url);
    credentials.push({ name: 'session of token', headers: asBrowser(vault, linked) });
  }
  const issued = await tokensFor({ ...vault, signedIn: async () => browser }, client, { scope: 'write' });
  credentials.push({ name: 'grant', headers: { authorization: `Bearer ${issued.access_token}` } });
  const passkey = createSoftwarePasskey(vault.url);
  const options = await browser.ask(`${api}/passkeys/options`, { method: 'POST' });
  const { challenge } = (await options.json()) as { challenge: string };
  const registered = await browser.ask(`${api}/passkeys`, {
    json: { name: 'phone', made: passkey.create(challenge) },
  });
  expect(registered.status).toBe(204);
  return {
    role,
    id,
    browser,
    credentials,
    token,
    passkey: passkey.id,
    canRefresh: async () => (await refresh(vault, client, issued.refresh_token)).ok,
    async canSignIn() {
      const stranger = createBrowser();
      const asked = await stranger.ask(`${vault.url}/api/sign-in/passkey/options`, { method: 'POST' });
      const sent = passkey.get(((await asked.json()) as { challenge: string }).challenge);
      return (await stranger.ask(`${vault.url}/api/sign-in/passkey`, { json: sent })).ok;
    },
  };
}

function asBrowser({ url }: PublicVault, browser: Browser): Record<string, string> {
  return { cookie: browser.cookies(), 'sec-fetch-site': 'same-origin', origin: url };
}

/** Revokes by the interfaces that people use, and returns once it is acknowledged. */
async function revoke(vault: PublicVault, owner: Browser, member: Member, what: Revocation): Promise<void> {
  const api = `${vault.url}/api/vaults/default`;
  const send = async (by: Browser, method: string, path: string, json?: object): Promise<void> => {
    const response = await by.ask(`${api}${path}`, { method, ...(json && { json }) });
    expect([path, response.status]).toEqual([path, 204]);
  };
  switch (what) {
    case 'nothing':
      return;
    case 'remove member':
      return send(owner, 'DELETE', `/people/${member.id}`);
    case 'change role to reader':
      return send(owner, 'PUT', `/people/${member.id}`, { role: 'reader' });
    case 'sign out of all browsers':
      return send(owner, 'DELETE', '/sessions');
    case 'revoke token':
      return member.token === null ? undefined : send(owner, 'DELETE', `/tokens/${member.token}`);
    case 'revoke grant': {
      const listed = await member.browser.ask(`${api}/grants`);
      const { grants } = (await listed.json()) as { grants: { id: string }[] };
      return send(member.browser, 'DELETE', `/grants/${grants[0]?.id}`);
    }
    case 'remove passkey':
      return send(member.browser, 'DELETE', `/passkeys/${member.passkey}`);
  }
}

function toolCall(name: string, input: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } });
}

const mcpHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function canRead({ resource }: PublicVault, { headers }: Credential): Promise<boolean> {
  const body = toolCall('vault_read', { paths: 'a.md' });
  const response = await fetch(resource, { method: 'POST', headers: { ...mcpHeaders, ...headers }, body });
  return (await response.text()).includes('Some words');
}

/** Sends half of a request; the returned function sends the rest and waits for the end. */
function begin(url: string, headers: Record<string, string>, body: string): () => Promise<void> {
  const outgoing = request(url, { method: 'POST', headers: { ...mcpHeaders, ...headers } });
  const ended = new Promise<void>((resolve) => {
    outgoing.on('response', (response) => response.resume().on('close', resolve));
    outgoing.on('error', () => resolve());
  });
  const half = body.length / 2;
  outgoing.write(body.slice(0, half));
  return async () => {
    outgoing.end(body.slice(half));
    await ended;
  };
}

function beginWrite({ resource }: PublicVault, { headers }: Credential, path: string): () => Promise<void> {
  return begin(resource, headers, toolCall('vault_write', { path, content: 'New words.' }));
}

/** A grant is valid only for MCP, which accepts no updates without a model. */
function beginUpdate({ url }: PublicVault, { name, headers }: Credential, text: string): () => Promise<void> {
  if (name === 'grant') return async () => undefined;
  return begin(`${url}/api/vaults/default/updates`, headers, JSON.stringify({ text }));
}

describe.each(revocations)('%s', (revocation) => {
  it('ends the access of every credential that depends on it, and of no other', async () => {
    const vault = await publicVault({ 'a.md': 'Some words\n' }, { host: 'localhost' });
    const owner = await vault.signedIn();
    const client = await registerClient(vault);
    const members: Member[] = [];
    for (const role of roles) members.push(await invite(vault, owner, client, role));
    const all = members.flatMap((member) =>
      member.credentials.map((credential) => {
        const path = (when: string) =>
          `bucket/${when}-${member.role}-${credential.name.replaceAll(' ', '-')}.md`;
        return { member, credential, path, access: accessAfter(revocation, member.role, credential.name) };
      }),
    );
    const exists = (path: string): boolean => existsSync(join(vault.folder, path));

    // Some requests have sent half of their body, others are queued behind other writes.
    const slow = all.flatMap(({ credential, path }) => [
      beginWrite(vault, credential, path('slow')),
      beginUpdate(vault, credential, path('update')),
    ]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const blocked = vault.keepsake.changes.withExclusiveAccess(() => released);
    const waiting = all.map(({ credential, path }) => beginWrite(vault, credential, path('waiting'))());
    // Once these later requests are answered, the earlier ones have been authenticated.
    for (const { credential } of all) expect(await canRead(vault, credential)).toBe(true);
    for (const member of members)
      if (revocation !== 'sign out of all browsers' || member.role === 'owner')
        await revoke(vault, owner, member, revocation);
    release();
    await blocked;
    await Promise.all([...slow.map((finish) => finish()), ...waiting]);
    for (const { credential, path } of all) await beginWrite(vault, credential, path('later'))();

    const { updates } = vault.keepsake.agents;
    const texts = new Set(updates.list({ limit: 50 }).map(({ input }) => input.text));
    for (const { member, credential, path, access } of all) {
      const found = {
        update: credential.name === 'grant' ? access === 'write' : texts.has(path('update')),
        slow: exists(path('slow')),
        waiting: exists(path('waiting')),
        later: exists(path('later')),
        reads: await canRead(vault, credential),
      };
      const writes = access === 'write';
      expect([member.role, credential.name, found]).toEqual([
        member.role,
        credential.name,
        { update: writes, slow: writes, waiting: writes, later: writes, reads: access !== 'none' },
      ]);
    }
    for (const member of members) {
      const isGone = revocation === 'remove member';
      expect([member.role, await member.canRefresh()]).toEqual([
        member.role,
        !isGone && revocation !== 'revoke grant',
      ]);
      expect([member.role, await member.canSignIn()]).toEqual([
        member.role,
        !isGone && revocation !== 'remove passkey',
      ]);
    }
  });
});
