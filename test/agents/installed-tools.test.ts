import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  diagnose,
  findAvailableModels,
  readEnvironment,
  resolveAgentModel,
} from '../../packages/vault/src/app/index.ts';
import { describeError } from '../../packages/vault/src/contract/index.ts';
import { findLocalServers } from '../../packages/vault/src/models/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { missing } from '../missing.ts';
import { runCommand, startCommand } from '../run-command.ts';
import { readServedModel } from '../served-model.ts';
import { temporaryFolder } from '../temporary-vault.ts';

type Tools = { claude?: 'signed in' | 'signed out'; codex?: 'signed in' | 'signed out' };

/** The environment of a user with these tools; they answer questions about themselves, and nothing else. */
function userWith({ claude, codex }: Tools = {}, variables: Record<string, string> = {}) {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  mkdirSync(join(home, '.codex'));
  const add = (name: string, ...lines: string[]): void => {
    const file = join(bin, name);
    writeFileSync(file, ['#!/bin/sh', `echo x >> "${join(home, 'started')}"`, ...lines, ''].join('\n'));
    chmodSync(file, 0o755);
  };
  const status = JSON.stringify({ loggedIn: claude === 'signed in' });
  if (claude !== undefined)
    add('claude', `case "$1" in auth) echo '${status}';; *) echo '2.1.400 (Claude Code)';; esac`);
  if (codex !== undefined) add('codex', "echo 'codex-cli 0.200.0'");
  if (codex === 'signed in') writeFileSync(join(home, '.codex', 'auth.json'), '{}');
  const all = {
    HOME: home,
    PATH: `${bin}:/usr/bin:/bin`,
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
    ...variables,
  };
  return { home, variables: all, environment: readEnvironment(all) };
}

function whyMissing(environment: ReturnType<typeof readEnvironment>): string {
  const chosen = resolveAgentModel(environment);
  return 'missing' in chosen ? describeError(chosen.missing) : `chosen: ${chosen.model.name}`;
}

describe.skipIf(missing('POSIX') !== null)('a tool that is installed', () => {
  it('is named when no model is configured, without being started', () => {
    const { environment, home } = userWith(
      { claude: 'signed out', codex: 'signed in' },
      { OPENAI_API_KEY: 'k' },
    );
    expect(whyMissing(environment)).toBe(
      'no model is configured for the agents; choose one with: keepsake config model claude-code/sonnet or codex/<model> or openai/<name>',
    );
    expect(whyMissing(userWith().environment)).toMatch(/keepsake config model anthropic\/<name>$/);
    expect(existsSync(join(home, 'started'))).toBe(false);
  });

  it('is not used by a server that others can reach', () => {
    const { environment } = userWith({ claude: 'signed in' }, { KEEPSAKE_MODEL: 'claude-code/sonnet' });
    expect(whyMissing(environment)).toBe('chosen: claude-code/sonnet');
    const shared = { ...environment, servesOthers: true };
    expect(whyMissing(shared)).toContain('Claude Code is for your own use on your own machine');
    expect(whyMissing({ ...shared, variable: () => undefined })).not.toContain('claude-code');
  });

  it.each([
    [['--public', 'https://notes.example.org'], null],
    [['--allow-host', 'notes.example.org'], null],
    [[], 'claude-code/sonnet'],
  ])('is used by keepsake serve %j only on this machine', async (options, name) => {
    const { variables, home } = userWith({ claude: 'signed in' }, { KEEPSAKE_MODEL: 'claude-code/sonnet' });
    const vault = join(home, 'vault');
    initVault(vault, { language: 'en', home, clock: Date.now });
    const { saying, send, ended } = startCommand(['serve', '--vault', vault, '--port', '0', ...options], {
      variables,
    });
    await saying(/^open \S+$/m);
    const environment = readEnvironment(variables);
    const served = await readServedModel(vault, environment);
    send('SIGINT');
    await ended;
    expect(served).toBe(name);
  });

  it('is missing if it is not installed', () => {
    const { environment } = userWith({}, { KEEPSAKE_MODEL: 'codex/m' });
    expect(whyMissing(environment)).toBe(
      'Codex is not installed: codex is not in PATH; install it, or choose another model with: keepsake config model',
    );
  });

  it('is checked by doctor with its version and sign-in', async () => {
    const check = async (tools: Tools, model: string) => {
      const { environment, home } = userWith(tools, { KEEPSAKE_MODEL: model });
      const vault = join(home, 'vault');
      initVault(vault, { language: 'en', home, clock: Date.now });
      const checks = await diagnose({ vault, state: join(home, 'state'), environment });
      return checks.find(({ name }) => name === 'agents');
    };
    expect(await check({ claude: 'signed in' }, 'claude-code/sonnet')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(
        /^claude-code\/sonnet by \S+claude: version 2\.1\.400 is signed in \(tested with/,
      ),
    });
    expect(await check({ claude: 'signed out' }, 'claude-code/sonnet')).toMatchObject({
      status: 'failed',
      message: 'claude-code/sonnet: Claude Code is not signed in',
      hint: 'run: claude auth login',
    });
    expect(await check({ codex: 'signed out' }, 'codex/m')).toMatchObject({
      status: 'failed',
      hint: 'run: codex login',
    });
  });
});

describe.skipIf(missing('POSIX') !== null)('keepsake config model', () => {
  it('lists what works on this machine if no model is configured', async () => {
    const { variables } = userWith({ claude: 'signed in', codex: 'signed out' }, { MISTRAL_API_KEY: 'k' });
    const { code, out, err } = await runCommand(['config', 'model'], { variables });
    expect(code).toBe(1);
    expect(err).toBe('no model is configured; found on this machine:\n');
    const lines = out.split('\n');
    expect(lines[0]).toMatch(
      /^keepsake config model claude-code\/sonnet {2}\(Claude Code version 2\.1\.400 is signed in/,
    );
    expect(lines[1]).toMatch(
      /^keepsake config model codex\/<model> {2}\(not yet: Codex is not signed in .*run: codex login\)$/,
    );
    expect(out).toContain('keepsake config model mistral/<name>  (API key from MISTRAL_API_KEY)\n');
  });

  it('prints the terms of the vendor before a tool is tested', async () => {
    const { variables } = userWith({ claude: 'signed in' });
    const { err } = await runCommand(['config', 'model', 'claude-code/sonnet', '--no-test'], { variables });
    expect(err).toMatch(
      /^note: If your plan includes API credits, use anthropic\/<name> with a key instead\. .*Anthropic asks products to use API keys/,
    );
    const other = await runCommand(['config', 'model', 'ollama/qwen3', '--no-test'], { variables });
    expect(other.err).toBe('');
  });
});

it('lists the models of servers on this machine, and ignores other servers', async () => {
  const bodies: Record<string, string> = {
    '/api/tags': '{"models":[{"name":"qwen3:8b"}]}',
    '/v1/models': '{"data":[{"id":"gemma-3"}]}',
    '/web': '<html>',
  };
  const server = createServer((request, response) => response.end(bodies[request.url ?? ''] ?? '{}'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const candidate = (title: string, listUrl: string) =>
    ({ title, provider: 'openai-compatible', url: `${origin}/v1`, listUrl }) as const;
  const found = await findLocalServers([
    { title: 'Ollama', provider: 'ollama', url: null, listUrl: `${origin}/api/tags` },
    candidate('LM Studio', `${origin}/v1/models`),
    candidate('a website', `${origin}/web`),
    candidate('nothing', 'http://127.0.0.1:1/v1/models'),
  ]);
  expect(found.map(({ title, models }) => [title, models])).toEqual([
    ['Ollama', ['qwen3:8b']],
    ['LM Studio', ['gemma-3']],
  ]);
  expect(await findAvailableModels(userWith().environment, async () => found)).toEqual([
    { arguments: 'ollama/qwen3:8b', reason: 'Ollama on this machine' },
    { arguments: `openai-compatible/gemma-3 --url ${origin}/v1`, reason: 'LM Studio on this machine' },
  ]);
});
