import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api } from '../../packages/vault/src/contract/index.ts';
import { httpVault, readProblem } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

const sendAsOwner = (vault: HttpVault, path: string, options: Send = {}) =>
  vault.send(path, { token: vault.owner, ...options });
const configFolder = (vault: HttpVault): string => join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake');

describe('the settings API', () => {
  it('is accessible to the user, not to tokens', async () => {
    const vault = await httpVault();
    const requests: [string, Send][] = [
      ['/model', {}],
      ['/model', { method: 'PUT', json: { name: 'openai/x', key: 'k' } }],
      ['/model/test', { method: 'POST' }],
      ['/exclusions', {}],
      ['/exclusions', { method: 'PUT', json: { patterns: [] } }],
      ['/clients', {}],
      ['/tokens', {}],
      ['/brief', {}],
      ['/tokens', { json: { name: 'x', scope: 'write' } }],
      ['/tokens/x', { method: 'DELETE' }],
    ];
    for (const [path, options] of requests)
      expect({ path, ...(await readProblem(await vault.send(path, options))) }).toMatchObject({
        path,
        status: 403,
        code: 'not-the-person',
      });
  });

  it('shows the brief of a project to the user', async () => {
    const vault = await httpVault({ 'projects/x/state.md': 'Two customers use it.\n' });
    const read = async (path: string) => api.brief.parse(await (await sendAsOwner(vault, path)).json());
    expect(await read('/brief?project=x')).toMatchObject({
      text: expect.stringContaining('1  | Two customers use it.'),
      message: 'Keepsake: x; 0 tasks open',
    });
    expect((await read('/brief')).text ?? '').not.toContain('customers');
  });

  it('refuses a tool whose terms only the command line shows', async () => {
    const vault = await httpVault({}, { model: null });
    const settings = api.modelSettings.parse(await (await sendAsOwner(vault, '/model')).json());
    expect(settings.providers.map(({ name }) => name)).not.toContain('claude-code');
    const json = { name: 'claude-code/sonnet' };
    expect(await readProblem(await sendAsOwner(vault, '/model', { method: 'PUT', json }))).toMatchObject({
      status: 422,
      code: 'refused',
      detail: expect.stringContaining('claude-code is chosen on the command line'),
    });
  });

  it('sets a model, stores its key in a separate file, and tests the model', async () => {
    const vault = await httpVault({}, { model: null });
    const before = api.modelSettings.parse(await (await sendAsOwner(vault, '/model')).json());
    expect(before).toMatchObject({ name: null, isFromEnvironment: false, prices: null });
    expect(before.providers.map(({ name }) => name)).toContain('openai-compatible');
    expect(await readProblem(await sendAsOwner(vault, '/model/test', { method: 'POST' }))).toMatchObject({
      status: 409,
      code: 'no-model',
    });
    const prices = { input: 1_000, output: 2_000 };
    const choice = { name: 'openai-compatible/test', key: 'a-key-of-mine', prices };
    const put = await sendAsOwner(vault, '/model', { method: 'PUT', json: choice });
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
    const trial = api.modelTestResult.parse(
      await (await sendAsOwner(vault, '/model/test', { method: 'POST' })).json(),
    );
    expect(trial).toMatchObject({ callsTools: true, blindBecause: null, name: 'openai-compatible/test' });
    expect(trial.reply).toContain('yellow');
    expect(trial.cost).toBeGreaterThan(0);

    vault.model.respond(() => ({ fault: 'status', status: 401, body: '{"error":{"message":"no"}}' }));
    expect(await readProblem(await sendAsOwner(vault, '/model/test', { method: 'POST' }))).toMatchObject({
      status: 502,
      code: 'model-failed',
    });
    await sendAsOwner(vault, '/model', { method: 'PUT', json: { name: null } });
    expect(api.modelSettings.parse(await (await sendAsOwner(vault, '/model')).json()).name).toBeNull();
  });

  it('rejects a key over an unencrypted connection, and an unknown provider', async () => {
    const vault = await httpVault({}, { model: null, allowedHosts: ['notes.example.org'] });
    const put = (json: object, origin = 'http://127.0.0.1:4100') =>
      sendAsOwner(vault, '/model', { method: 'PUT', json, headers: { origin } });
    const open = await put({ name: 'openai/x', key: 'seen-by-all' }, 'http://notes.example.org');
    expect(await readProblem(open)).toMatchObject({ status: 422, code: 'refused' });
    expect((await put({ name: 'openai/x', key: 'behind-tls' }, 'https://notes.example.org')).status).toBe(
      200,
    );
    expect(await readProblem(await put({ name: 'unknown/x' }))).toMatchObject({ status: 422 });
    expect((await put({ name: 'openai/x', key: 'fine-here' })).status).toBe(200);
    for (const key of ['', 'with space', 'é', 'x'.repeat(1_001)])
      expect((await put({ name: 'openai/x', key })).status).toBe(422);
    expect(readFileSync(join(configFolder(vault), 'keys', 'openai'), 'utf8')).toBe('fine-here\n');
  });

  it('sends no key that the server has to an address for which it was not entered', async () => {
    const url = 'https://models.example.org/v1';
    const open = (more: Record<string, string> = {}): Promise<HttpVault> => {
      const variables = () => ({ KEEPSAKE_MODEL_API_KEY: '', KEEPSAKE_MODEL_BASE_URL: '', ...more });
      return httpVault({}, { model: null, variables });
    };
    const vault = await open();
    const put = (json: object) => sendAsOwner(vault, '/model', { method: 'PUT', json });
    const config = () => readFileSync(join(configFolder(vault), 'config.yaml'), 'utf8');
    expect((await put({ name: 'openai/x', key: 'of-openai' })).status).toBe(200);
    const before = config();
    expect(await readProblem(await put({ name: 'openai/x', url }))).toMatchObject({
      status: 422,
      code: 'refused',
      next: `enter the key again, or run on the server: keepsake config model openai/x --url ${url}`,
    });
    expect(config()).toBe(before);
    expect((await put({ name: 'openai/x', url: 'https://api.openai.com/v1' })).status).toBe(200);
    expect((await put({ name: 'openai/x', url, key: 'of-both' })).status).toBe(200);
    expect((await put({ name: 'openai/y', url })).status).toBe(200);
    // The address belongs to the other provider.
    expect((await put({ name: 'anthropic/z', key: 'of-anthropic' })).status).toBe(200);
    expect((await put({ name: 'openai/y', url })).status).toBe(422);

    const inherited = await open({ OPENAI_API_KEY: 'of-machine' });
    const json = { name: 'openai/x', url, key: 'of-mine' };
    expect(await readProblem(await sendAsOwner(inherited, '/model', { method: 'PUT', json }))).toMatchObject({
      status: 422,
      next: `run on the server: keepsake config model openai/x --url ${url}`,
    });
  });

  it('hides files from models and counts them', async () => {
    const vault = await httpVault({ 'private/a.md': 'a', 'private/b.md': 'b', 'c.md': 'c' });
    const put = (patterns: string[]) =>
      sendAsOwner(vault, '/exclusions', { method: 'PUT', json: { patterns } });
    const { patterns } = api.exclusions.parse(await (await put(['private/**', 'none/'])).json());
    expect(patterns).toEqual([
      { pattern: 'private/**', files: 2 },
      { pattern: 'none/', files: 0 },
    ]);
    await expect.poll(async () => (await vault.send('/files/private/a.md')).status).toBe(404);
    expect((await sendAsOwner(vault, '/files/private/a.md')).status).toBe(200);
    expect(await readProblem(await put(['inbox/**']))).toMatchObject({
      status: 422,
      detail: expect.stringContaining('which the update agent must write to'),
    });
    expect(api.exclusions.parse(await (await sendAsOwner(vault, '/exclusions')).json()).patterns).toEqual(
      patterns,
    );
  });

  it('creates and revokes tokens', async () => {
    const vault = await httpVault({ 'a.md': 'a' });
    const made = api.createdToken.parse(
      await (await sendAsOwner(vault, '/tokens', { json: { name: 'my script', scope: 'read' } })).json(),
    );
    expect((await vault.send('/files/a.md', { token: made.secret })).status).toBe(200);
    const { tokens } = api.tokens.parse(await (await sendAsOwner(vault, '/tokens')).json());
    expect(tokens.map(({ name }) => name)).toContain('my script');
    expect(JSON.stringify(tokens)).not.toContain(made.secret);
    const revoke = () => sendAsOwner(vault, `/tokens/${made.id}`, { method: 'DELETE' });
    expect((await revoke()).status).toBe(204);
    expect((await vault.send('/files/a.md', { token: made.secret })).status).toBe(401);
    expect((await revoke()).status).toBe(404);
  });

  it('lists clients with links that install the connection', async () => {
    const vault = await httpVault();
    const { clients } = api.clients.parse(await (await sendAsOwner(vault, '/clients')).json());
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
