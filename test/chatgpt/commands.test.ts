import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { offerModels } from '../../packages/vault/src/cli/config-model.ts';
import { configCommand } from '../../packages/vault/src/cli/config.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { createCli, runCommand, startCommand } from '../run-command.ts';
import { readServedModel } from '../served-model.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { signInTest } from './signed-in.ts';
import type { SignInTest } from './signed-in.ts';

/** Runs `keepsake config …` in this process; `onOutput` acts as the user. */
async function config(
  { environment }: SignInTest,
  args: string[],
  onOutput: (text: string, signals: EventEmitter) => void = () => undefined,
): Promise<{ code: number; out: string; err: string }> {
  let [code, out, err] = [-1, '', ''];
  const signals = new EventEmitter();
  const cli = {
    ...createCli(),
    environment,
    signals,
    stdout: collect((text) => {
      out += text;
      onOutput(text, signals);
    }),
    stderr: collect((text) => void (err += text)),
    finish: (done: number) => void (code = done),
  };
  await configCommand(cli).parseAsync(args, { from: 'user' });
  return { code, out, err };
}

function collect(add: (text: string) => void): Writable {
  return new Writable({
    write(chunk, _, done) {
      add(String(chunk));
      done();
    },
  });
}

const linkIn = (text: string): string | undefined => /^http\S+authorize\S+$/m.exec(text)?.[0];

describe('keepsake config login chatgpt', () => {
  it('prints the link, waits for the browser and says what to do next', async () => {
    const test = await signInTest();
    const { code, out } = await config(test, ['login', 'chatgpt'], (text) => {
      const link = linkIn(text);
      if (link !== undefined) void test.service.visit(link);
    });
    expect(code).toBe(0);
    expect(out).toContain('Sign in within 5 minutes at:');
    expect(out).toContain(
      'signed in with ChatGPT as ana@example.org; models of openai/ use your ChatGPT plan',
    );
    expect(out).toContain('choose a model with: keepsake config model openai/<name>');
    const tokens = test.account().tokens;
    for (const token of [tokens?.accessToken, tokens?.refreshToken]) expect(out).not.toContain(token);
  });

  it('can be interrupted', async () => {
    const test = await signInTest();
    const running = config(test, ['login', 'chatgpt'], (text, signals) => {
      if (linkIn(text) !== undefined) signals.emit('SIGINT');
    });
    await expect(running).rejects.toThrow('the sign-in was stopped');
  });

  it('is followed by config, which shows the sign-in instead of a key', async () => {
    const test = await signInTest({ KEEPSAKE_MODEL: 'openai/gpt-5.5' });
    expect((await config(test, [])).out).toContain('or sign in with: keepsake config login chatgpt');
    await test.signIn();
    expect((await config(test, [])).out).toContain('key       not needed: signed in with ChatGPT');
  });

  it('is named by config model if no model is found', async () => {
    let err = '';
    offerModels({ ...createCli(), stderr: collect((text) => void (err += text)) }, []);
    expect(err).toContain('none was found on this machine');
    expect(err).toContain('with a ChatGPT plan: keepsake config login chatgpt');
  });

  it('accepts no other service', async () => {
    const ran = await runCommand(['config', 'login', 'other'], { variables: { HOME: temporaryFolder() } });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('Allowed choices are chatgpt');
  });
});

describe('keepsake config logout chatgpt', () => {
  it('signs out', async () => {
    const test = await signInTest();
    await test.signIn();
    expect(await config(test, ['logout', 'chatgpt'])).toMatchObject({
      code: 0,
      out: 'signed out of ChatGPT\n',
    });
    expect(test.service.revocations).toHaveLength(1);
    expect((await config(test, ['logout', 'chatgpt'])).out).toBe('not signed in with ChatGPT\n');
  });

  it('warns if the tokens could not be revoked', async () => {
    const test = await signInTest();
    await test.signIn();
    test.service.close();
    const { code, err } = await config(test, ['logout', 'chatgpt']);
    expect(code).toBe(1);
    expect(err).toContain('not revoked (cannot reach');
    expect(err).toContain('remove Keepsake in the settings of ChatGPT');
  });
});

describe.each([
  [[], 'openai/gpt-5.5'],
  [['--public', 'https://notes.example.org'], null],
  [['--allow-host', 'notes.example.org'], null],
  [['--host', '0.0.0.0'], null],
  [['--vaults'], null],
])('keepsake serve %j', (options, name) => {
  it(`${name === null ? 'does not use' : 'uses'} the ChatGPT plan of its user`, async () => {
    const { environment, variables, signIn } = await signInTest({ KEEPSAKE_MODEL: 'openai/gpt-5.5' });
    await signIn();
    const folder = temporaryFolder();
    const vault = join(folder, 'vault');
    initVault(vault, { language: 'en', home: folder, clock: Date.now });
    // Without a token, a server does not listen on an address that others can reach.
    await runCommand(['token', 'create', 'phone', '--scope', 'read', '--vault', vault], { variables });
    const served = options[0] === '--vaults' ? ['--vaults', folder] : ['--vault', vault, ...options];
    const { saying, send, ended } = startCommand(['serve', '--port', '0', ...served], { variables });
    const [, address = ''] = await saying(/^MCP .*at (\S+)$/m);
    // The first request opens the vault of a folder.
    if (options[0] === '--vaults') await fetch(address);
    const used = await readServedModel(vault, environment);
    send('SIGINT');
    await ended;
    expect(used).toBe(name);
  });
});
