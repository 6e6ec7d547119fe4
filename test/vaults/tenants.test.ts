import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createBrowser } from '../oauth/browser.ts';
import type { Browser } from '../oauth/browser.ts';
import { admitted, changes, shut } from './operations.ts';
import { vaultsServer } from './vaults-server.ts';
import type { VaultsServer } from './vaults-server.ts';

async function signedIn(server: VaultsServer, vault: string): Promise<{ owner: Browser; operator: Browser }> {
  const [owner, operator] = [createBrowser(), createBrowser()];
  await operator.open(server.createLoginLink());
  const made = await operator.ask(`${server.url}/api/vaults/${vault}/links`, { method: 'POST' });
  await owner.open(((await made.json()) as { url: string }).url);
  return { owner, operator };
}

async function invited(server: VaultsServer, owner: Browser, vault: string, role: string): Promise<Browser> {
  const at = `${server.url}/v/${vault}`;
  const made = await owner.ask(`${at}/api/vaults/default/people`, { json: { name: 'Léa', role } });
  expect(made.status).toBe(201);
  const browser = createBrowser();
  await browser.open(((await made.json()) as { url: string }).url);
  expect((await browser.ask(`${at}/api/vaults/default/tree`)).status).toBe(200);
  return browser;
}

describe('every operation', () => {
  it('rejects credentials of another vault and anonymous requests', async () => {
    expect(shut.length).toBeGreaterThan(50);
    const server = await vaultsServer({ mine: { 'a.md': '# A\n' }, other: { 'a.md': '# A\n' } });
    const mine = `${server.url}/v/mine`;
    const tokens = [await server.tokenOf('other', 'write'), await server.tokenOf('other', 'read')];
    const { owner, operator } = await signedIn(server, 'other');
    const people = [
      owner,
      operator,
      await invited(server, owner, 'other', 'owner'),
      await invited(server, owner, 'other', 'reader'),
    ];
    const bare = (path: string, method: string) => fetch(`${mine}${path}`, { method, redirect: 'manual' });
    expect(await admitted(shut, 401, bare)).toEqual([]);
    for (const token of tokens) {
      const headers = { authorization: `Bearer ${token}` };
      const ask = (path: string, method: string) =>
        fetch(`${mine}${path}`, { method, headers, redirect: 'manual' });
      expect(await admitted(shut, 401, ask)).toEqual([]);
    }
    for (const browser of people) {
      // Sends all cookies, whatever their path: a client can ignore the path.
      const cookie = browser.cookies();
      expect(cookie).not.toBe('');
      const headers = { cookie, 'sec-fetch-site': 'same-origin', origin: server.url };
      const ask = (path: string, method: string) =>
        fetch(`${mine}${path}`, { method, headers, redirect: 'manual' });
      expect(await admitted(shut, 401, ask)).toEqual([]);
    }
    // Proves that the operations succeed with the right credentials.
    const token = await server.tokenOf('mine');
    const tree = await fetch(`${mine}/api/vaults/default/tree`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(tree.status).toBe(200);
  });

  it('rejects changes by a reader, in the browser and with a token', async () => {
    expect(changes.length).toBeGreaterThan(20);
    const server = await vaultsServer({ mine: { 'a.md': '# A\n' } });
    const { owner } = await signedIn(server, 'mine');
    const reader = await invited(server, owner, 'mine', 'reader');
    const mine = `${server.url}/v/mine`;
    const inBrowser = (path: string, method: string) => reader.ask(`${mine}${path}`, { method });
    expect(await admitted(changes, 403, inBrowser)).toEqual([]);
    const headers = { authorization: `Bearer ${await server.tokenOf('mine', 'read')}` };
    const byToken = (path: string, method: string) => fetch(`${mine}${path}`, { method, headers });
    expect(await admitted(changes, 403, byToken)).toEqual([]);
  });
});

describe('an invited owner of one vault', () => {
  it('sees the settings that concern it, and decides nothing for the machine and its other vaults', async () => {
    const server = await vaultsServer({
      mine: { 'private/a.md': '# A\n' },
      other: { 'salaries/a.md': '# A\n' },
    });
    const { owner: operator } = await signedIn(server, 'mine');
    const owner = await invited(server, operator, 'mine', 'owner');
    const base = `${server.url}/v/mine/api/vaults/default`;
    const hidden = { method: 'PUT', json: { patterns: ['private/**', 'salaries/**'] } };
    const model = { method: 'PUT', json: { name: 'openai-compatible/test', url: 'http://127.0.0.1:1/v1' } };
    expect((await operator.ask(`${base}/exclusions`, hidden)).status).toBe(200);
    expect((await operator.ask(`${base}/model`, model)).status).toBe(200);
    const before = readFileSync(server.environment.configFile, 'utf8');

    const url = 'http://127.0.0.1:2/v1';
    const refused = [
      await owner.ask(`${base}/model`, { method: 'PUT', json: { name: 'openai/gpt-5', url, key: 'sk-own' } }),
      await owner.ask(`${base}/model`, { method: 'PUT', json: { name: null } }),
      await owner.ask(`${base}/model/test`, { method: 'POST' }),
      await owner.ask(`${base}/exclusions`, { method: 'PUT', json: { patterns: [] } }),
      await owner.ask(`${base}/clients`),
    ];
    for (const response of refused)
      expect(await response.json()).toMatchObject({
        status: 403,
        code: 'not-the-operator',
      });
    expect(readFileSync(server.environment.configFile, 'utf8')).toBe(before);
    expect(await (await owner.ask(`${base}/model`)).json()).toMatchObject(model.json);
    expect(await (await owner.ask(`${base}/exclusions`)).json()).toEqual({
      patterns: [{ pattern: 'private/**', files: 1 }],
    });
    expect((await owner.ask(`${base}/people`)).status).toBe(200);
  });
});
