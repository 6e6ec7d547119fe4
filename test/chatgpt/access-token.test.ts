import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { chatGptStatus } from '../../packages/vault/src/app/index.ts';
import { createChatGptTokenSource } from '../../packages/vault/src/app/chatgpt-access-token.ts';
import { signInTest } from './signed-in.ts';
import type { SignInTest } from './signed-in.ts';

/** Signed in with an access token that is about to expire. */
async function expiring(): Promise<SignInTest> {
  const test = await signInTest();
  test.service.accessTokenLifetime = 30;
  await test.signIn();
  test.service.accessTokenLifetime = 3_600;
  return test;
}

const refreshes = ({ service }: SignInTest): URLSearchParams[] =>
  service.tokenRequests.filter((asked) => asked.get('grant_type') === 'refresh_token');

describe('the access token of a ChatGPT account', () => {
  it('is used without a request as long as it is valid', async () => {
    const test = await signInTest();
    await test.signIn();
    test.service.close();
    expect(await createChatGptTokenSource(test.environment)()).toBe(test.account().tokens?.accessToken);
  });

  it('is renewed before it expires, and the new refresh token replaces the old one', async () => {
    const test = await expiring();
    const before = test.account();
    const getToken = createChatGptTokenSource(test.environment);
    const token = await getToken();
    expect(test.service.accepts(`Bearer ${token}`)).toBe(true);
    expect(test.account().tokens).toMatchObject({ accessToken: token });
    expect(test.account().tokens?.refreshToken).not.toBe(before.tokens?.refreshToken);
    expect(test.account()).toMatchObject({ registration: before.registration, email: before.email });
    expect(Object.fromEntries(refreshes(test)[0] ?? [])).toMatchObject({
      refresh_token: before.tokens?.refreshToken,
      client_id: before.registration?.clientId,
      resource: test.service.endpoints.resource,
    });
    expect(await getToken()).toBe(token);
    expect(refreshes(test)).toHaveLength(1);
  });

  it('is renewed once by concurrent callers', async () => {
    const test = await expiring();
    const sources = [1, 2, 3, 4].map(() => createChatGptTokenSource(test.environment));
    const tokens = await Promise.all(sources.map((getToken) => getToken()));
    expect(new Set(tokens).size).toBe(1);
    expect(refreshes(test)).toHaveLength(1);
  });

  it('is renewed once by two processes', async () => {
    const test = await expiring();
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, XDG_CONFIG_HOME: test.environment.variable('XDG_CONFIG_HOME') };
    const args = ['test/chatgpt/renew-token.ts', JSON.stringify(test.service.endpoints)];
    const run = () => promisify(execFile)(process.execPath, args, { env });
    const printed = (await Promise.all([run(), run()])).map(({ stdout }) => stdout);
    expect(new Set(printed)).toEqual(new Set([test.account().tokens?.accessToken]));
    expect(refreshes(test)).toHaveLength(1);
  });

  it('is renewed when the server rejects it, unless another process has done so', async () => {
    const test = await signInTest();
    await test.signIn();
    const rejected = test.account().tokens?.accessToken;
    const getToken = createChatGptTokenSource(test.environment);
    const renewed = await getToken(rejected);
    expect(renewed).not.toBe(rejected);
    expect(await getToken(rejected)).toBe(renewed);
    expect(refreshes(test)).toHaveLength(1);
  });

  it('is not renewed before the time that the server named', async () => {
    const test = await signInTest();
    test.service.accessTokenLifetime = 30;
    test.service.earliestRefresh = 3_600;
    await test.signIn();
    const { tokens } = test.account();
    const getToken = createChatGptTokenSource(test.environment);
    expect(await getToken()).toBe(tokens?.accessToken);
    await expect(getToken(tokens?.accessToken)).rejects.toThrow('the sign-in with ChatGPT has ended');
    expect(refreshes(test)).toHaveLength(0);
    expect(test.account().tokens).toEqual(tokens);
    const later = createChatGptTokenSource(test.environment, () => Date.now() + 3_700_000);
    expect(await later()).not.toBe(tokens?.accessToken);
  });

  it.each([
    ['', undefined],
    [' (error as an object)', { status: 401, body: '{"error":{"code":"refresh_token_expired"}}' }],
  ])('ends when the sign-in was revoked%s', async (_, tokenError) => {
    const test = await expiring();
    test.service.revokeAll();
    if (tokenError !== undefined) test.service.faults = { tokenError };
    await expect(createChatGptTokenSource(test.environment)()).rejects.toMatchObject({
      code: 'refused',
      hint: 'sign in again with: keepsake config login chatgpt',
    });
    expect(chatGptStatus(test.environment)).toEqual({ state: 'signed-out' });
    expect(test.account()).toMatchObject({ tokens: null });
    expect(test.account().registration).not.toBeNull();
  });

  it.each([
    ['an error of the server', { status: 500, body: '{}' }, 'unavailable'],
    ['the page of a proxy', { status: 403, body: '<p>no</p>', contentType: 'text/html' }, 'unavailable'],
    ['a limit', { status: 429, body: '{"error":"slow_down"}' }, 'unavailable'],
    ['an answer of another kind', { status: 200, body: '{"hello":1}' }, 'bad-answer'],
  ])('survives %s', async (_, tokenError, code) => {
    const test = await expiring();
    const { tokens } = test.account();
    test.service.faults = { tokenError };
    await expect(createChatGptTokenSource(test.environment)()).rejects.toMatchObject({ code });
    expect(test.account().tokens).toEqual(tokens);
  });

  it('survives a machine that is offline', async () => {
    const test = await expiring();
    const { tokens } = test.account();
    test.service.close();
    await expect(createChatGptTokenSource(test.environment)()).rejects.toMatchObject({
      code: 'unreachable',
      hint: 'check the network connection and try again',
    });
    expect(test.account().tokens).toEqual(tokens);
  });

  it('is not in an error', async () => {
    const test = await expiring();
    const { tokens } = test.account();
    const body = JSON.stringify({ error: 'slow_down', sent: tokens });
    test.service.faults = { tokenError: { status: 429, body } };
    const error = await createChatGptTokenSource(test.environment)().catch((thrown: unknown) => thrown);
    const { inspect } = await import('node:util');
    const shown = inspect(error, { depth: 10, showHidden: true });
    expect(shown).toContain('HTTP 429');
    expect(shown).not.toContain(tokens?.refreshToken);
    expect(shown).not.toContain(tokens?.accessToken);
  });

  it('is not read from a file that other users can read or that is damaged', async () => {
    const test = await signInTest();
    await test.signIn();
    chmodSync(test.accountFile, 0o644);
    const token = createChatGptTokenSource(test.environment);
    await expect(token()).rejects.toThrow('readable by other users');
    chmodSync(test.accountFile, 0o600);
    writeFileSync(test.accountFile, '{"version":2}');
    await expect(token()).rejects.toThrow('written by a newer version');
  });
});
