import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api } from '../../packages/vault/src/contract/index.ts';
import { httpVault, problemIn } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

const asPerson = (vault: HttpVault, path: string, given: Send = {}) =>
  vault.send(path, { token: vault.owner, ...given });
const configFolder = (vault: HttpVault): string => join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake');

describe('settings over HTTP', () => {
  it('are for the person, and for no token', async () => {
    const vault = await httpVault();
    const requests: [string, Send][] = [
      ['/model', {}],
      ['/model', { method: 'PUT', json: { name: 'openai/x', key: 'k' } }],
      ['/model/test', { method: 'POST' }],
      ['/exclusions', {}],
      ['/exclusions', { method: 'PUT', json: { patterns: [] } }],
      ['/clients', {}],
      ['/tokens', {}],
      ['/tokens', { json: { name: 'x', scope: 'write' } }],
      ['/tokens/x', { method: 'DELETE' }],
    ];
    for (const [path, given] of requests)
      expect({ path, ...(await problemIn(await vault.send(path, given))) }).toMatchObject({
        path,
        status: 403,
        code: 'not-the-person',
      });
  });

  it('choose a model, keep its key in a file of its own, and ask it something', async () => {
    const vault = await httpVault({}, { model: null });
    const before = api.modelSettings.parse(await (await asPerson(vault, '/model')).json());
    expect(before).toMatchObject({ name: null, isFromEnvironment: false, prices: null });
    expect(before.providers.map(({ name }) => name)).toContain('openai-compatible');
    expect(await problemIn(await asPerson(vault, '/model/test', { method: 'POST' }))).toMatchObject({
      status: 409,
      code: 'no-model',
    });
    const prices = { input: 1_000, output: 2_000 };
    const choice = { name: 'openai-compatible/test', key: 'a-key-of-mine', prices };
    const put = await asPerson(vault, '/model', { method: 'PUT', json: choice });
    const text = await put.text();
    expect(text).not.toContain('a-key-of-mine');
    expect(api.modelSettings.parse(JSON.parse(text))).toMatchObject({
      name: 'openai-compatible/test',
      prices,
    });
    const file = join(configFolder(vault), 'keys', 'openai-compatible');
    expect(readFileSync(file, 'utf8')).toBe('a-key-of-mine\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);

    vault.model.script({ calls: [{ tool: 'report', input: { left: 'yellow', right: 'blue' } }] });
    const trial = api.modelTrial.parse(
      await (await asPerson(vault, '/model/test', { method: 'POST' })).json(),
    );
    expect(trial).toMatchObject({ callsTools: true, blindBecause: null, name: 'openai-compatible/test' });
    expect(trial.reply).toContain('yellow');
    expect(trial.cost).toBeGreaterThan(0);

    vault.model.respond(() => ({ fault: 'status', status: 401, body: '{"error":{"message":"no"}}' }));
    expect(await problemIn(await asPerson(vault, '/model/test', { method: 'POST' }))).toMatchObject({
      status: 502,
      code: 'model-failed',
    });
    await asPerson(vault, '/model', { method: 'PUT', json: { name: null } });
    expect(api.modelSettings.parse(await (await asPerson(vault, '/model')).json()).name).toBeNull();
  });

  it('take no key over a connection that others can read, and no model of nobody', async () => {
    const vault = await httpVault({}, { model: null, allowedHosts: ['notes.example.org'] });
    const put = (json: object, origin = 'http://127.0.0.1:4100') =>
      asPerson(vault, '/model', { method: 'PUT', json, headers: { origin } });
    const open = await put({ name: 'openai/x', key: 'seen-by-all' }, 'http://notes.example.org');
    expect(await problemIn(open)).toMatchObject({ status: 422, code: 'refused' });
    expect((await put({ name: 'openai/x', key: 'behind-tls' }, 'https://notes.example.org')).status).toBe(
      200,
    );
    expect(await problemIn(await put({ name: 'nobody/x' }))).toMatchObject({ status: 422 });
    expect((await put({ name: 'openai/x', key: 'fine-here' })).status).toBe(200);
    for (const key of ['', 'with space', 'é', 'x'.repeat(1_001)])
      expect((await put({ name: 'openai/x', key })).status).toBe(422);
    expect(readFileSync(join(configFolder(vault), 'keys', 'openai'), 'utf8')).toBe('fine-here\n');
  });

  it('keep files from models, and count them', async () => {
    const vault = await httpVault({ 'private/a.md': 'a', 'private/b.md': 'b', 'c.md': 'c' });
    const put = (patterns: string[]) => asPerson(vault, '/exclusions', { method: 'PUT', json: { patterns } });
    const { patterns } = api.exclusions.parse(await (await put(['private/**', 'none/'])).json());
    expect(patterns).toEqual([
      { pattern: 'private/**', files: 2 },
      { pattern: 'none/', files: 0 },
    ]);
    await expect.poll(async () => (await vault.send('/files/private/a.md')).status).toBe(404);
    expect((await asPerson(vault, '/files/private/a.md')).status).toBe(200);
    expect(await problemIn(await put(['inbox/**']))).toMatchObject({
      status: 422,
      detail: expect.stringContaining('where the update agent has to write'),
    });
    expect(api.exclusions.parse(await (await asPerson(vault, '/exclusions')).json()).patterns).toEqual(
      patterns,
    );
  });

  it('let programs in and out', async () => {
    const vault = await httpVault({ 'a.md': 'a' });
    const made = api.tokenMade.parse(
      await (await asPerson(vault, '/tokens', { json: { name: 'my script', scope: 'read' } })).json(),
    );
    expect((await vault.send('/files/a.md', { token: made.secret })).status).toBe(200);
    const { tokens } = api.tokens.parse(await (await asPerson(vault, '/tokens')).json());
    expect(tokens.map(({ name }) => name)).toContain('my script');
    expect(JSON.stringify(tokens)).not.toContain(made.secret);
    const revoke = () => asPerson(vault, `/tokens/${made.id}`, { method: 'DELETE' });
    expect((await revoke()).status).toBe(204);
    expect((await vault.send('/files/a.md', { token: made.secret })).status).toBe(401);
    expect((await revoke()).status).toBe(404);
  });

  it('say how clients are connected, with addresses that install them', async () => {
    const vault = await httpVault();
    const { clients } = api.clients.parse(await (await asPerson(vault, '/clients')).json());
    const named = (name: string) => clients.find((client) => client.name === name);
    const entry = { command: 'keepsake', args: ['mcp', '--vault', vault.folder] };
    expect(named('claude-code')?.command).toBe(
      `claude mcp add --scope user keepsake -- keepsake mcp --vault ${vault.folder}`,
    );
    const cursor = new URL(named('cursor')?.link ?? '');
    expect(cursor.protocol).toBe('cursor:');
    expect(cursor.searchParams.get('name')).toBe('keepsake');
    const config = Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString();
    expect(JSON.parse(config)).toMatchObject(entry);
    const [scheme, query = ''] = (named('vscode')?.link ?? '').split('?');
    expect(scheme).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(query))).toMatchObject({ name: 'keepsake', ...entry });
    expect(named('codex')?.text).toContain('[mcp_servers.keepsake]');
  });
});
