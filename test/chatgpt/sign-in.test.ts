import { existsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  chatGptStatus,
  readEnvironment,
  signInToChatGpt,
  signOutOfChatGpt,
} from '../../packages/vault/src/app/index.ts';
import { signInTest } from './signed-in.ts';
import type { SignInService } from './sign-in-service.ts';

describe('signing in with ChatGPT', () => {
  it('registers Keepsake, verifies the identity and stores the tokens in a private file', async () => {
    const { service, environment, accountFile, account, signIn } = await signInTest();
    expect(chatGptStatus(environment)).toEqual({ state: 'signed-out' });
    expect(await signIn()).toEqual({ email: 'ana@example.org', page: expect.stringContaining('signed in') });
    expect(chatGptStatus(environment)).toEqual({ state: 'signed-in', email: 'ana@example.org' });
    const asked = Object.fromEntries(service.authorizations[0] ?? []);
    expect(asked).toMatchObject({
      client_id: 'dynamic_agent_client',
      agent_name_hint: 'Keepsake',
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: service.endpoints.resource,
      scope: 'openid profile email offline_access resource.invoke chatgpt.tokens.use.direct',
    });
    expect(asked['redirect_uri']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth\/callback$/);
    expect(asked['ext_agent_host_id']).toBe(account().hostId);
    expect(service.tokenRequests[0]?.get('client_id')).toBe(account().registration?.clientId);
    expect(statSync(accountFile).mode & 0o777).toBe(0o600);
  });

  it('uses the same host and client for the next sign-in', async () => {
    const { service, environment, account, signIn } = await signInTest();
    await signIn();
    const { hostId, registration } = account();
    await signOutOfChatGpt(environment);
    await signIn();
    const asked = service.authorizations[1];
    expect(asked?.get('client_id')).toBe(registration?.clientId);
    expect(asked?.get('ext_agent_host_id')).toBe(hostId);
    expect(asked?.has('agent_name_hint')).toBe(false);
    expect(account()).toMatchObject({ hostId, registration });
  });

  it('refuses another account for the same registration, and registers again with --new', async () => {
    const { service, account, signIn } = await signInTest();
    await signIn();
    const first = account();
    service.setUser({ subject: 'user-2', email: 'ben@example.org' });
    await expect(signIn()).rejects.toThrow('not the ChatGPT account that Keepsake is registered for');
    expect(account()).toEqual(first);
    expect((await signIn({ isNew: true })).email).toBe('ben@example.org');
    expect(account().hostId).toBe(first.hostId);
    expect(account().registration?.clientId).not.toBe(first.registration?.clientId);
    expect(service.revocations.at(-1)?.get('token')).toBe(first.tokens?.refreshToken);
  });

  const refusals: [string, SignInService['faults'], string][] = [
    ['an ID token for another sign-in', { nonce: 'another' }, 'nonce'],
    ['an ID token for another client', { audience: 'oaiapp_other' }, 'aud'],
    ['an ID token of another issuer', { issuer: 'https://example.org' }, 'iss'],
    ['an expired ID token', { idTokenLifetime: -3_600 }, 'timestamp'],
    ['an ID token with a wrong signature', { isForged: true }, 'signature'],
    ['a sign-in that the user did not allow', { isDenied: true }, 'access_denied'],
    ['a callback without a registered client', { hasNoClient: true }, 'did not register Keepsake'],
    ['a sign-in without permission to use the plan', { scope: 'openid offline_access' }, 'may not use this'],
    [
      'an error of the token endpoint',
      { tokenError: { status: 503, body: '{}' } },
      'returned HTTP 503; try again later',
    ],
  ];

  it.each(refusals)('refuses %s and stores no tokens', async (_, faults, message) => {
    const { service, environment, account, signIn } = await signInTest();
    service.faults = faults;
    await expect(signIn()).rejects.toThrow(message.split(';')[0]);
    expect(chatGptStatus(environment)).toEqual({ state: 'signed-out' });
    expect(account()).toMatchObject({ registration: null, tokens: null });
  });

  it('revokes the tokens of a sign-in without permission to use the plan', async () => {
    const { service, signIn } = await signInTest();
    service.faults = { scope: 'openid offline_access' };
    await expect(signIn()).rejects.toThrow('may not use this ChatGPT plan');
    expect(service.revocations).toHaveLength(1);
  });

  it('ignores a callback with a wrong state and still accepts the right one, once', async () => {
    const { service, environment } = await signInTest();
    const pages: { status: number; text: string; location: string | null }[] = [];
    const open = async (url: string | URL): Promise<void> => {
      const response = await fetch(url, { redirect: 'manual' });
      const { status, headers } = response;
      pages.push({ status, text: await response.text(), location: headers.get('location') });
    };
    const browse = async (link: string): Promise<void> => {
      const redirect = new URL(new URL(link).searchParams.get('redirect_uri') ?? '');
      await open(new URL(`${redirect.pathname}?state=wrong&code=stolen&client_id=oaiapp_x`, redirect));
      await open(new URL('/other?to=https://example.org', redirect));
      const arrived = await fetch(link, { redirect: 'manual' });
      const callback = arrived.headers.get('location') ?? '';
      const [first, second] = [open(callback), open(callback)];
      await Promise.all([first, second]);
    };
    let browsing: Promise<void> = Promise.resolve();
    await signInToChatGpt(environment, {
      signal: new AbortController().signal,
      onLink: (link) => void (browsing = browse(link)),
    });
    await browsing;
    expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 404]);
    expect(pages.every(({ location }) => location === null)).toBe(true);
    expect(pages.map(({ text }) => text).join()).not.toContain('stolen');
    expect(service.tokenRequests).toHaveLength(1);
  });

  it('rejects a callback under another host name', async () => {
    const { environment } = await signInTest();
    const stopping = new AbortController();
    let status = Promise.resolve(0);
    const signingIn = signInToChatGpt(environment, {
      signal: stopping.signal,
      onLink(link) {
        const asked = new URL(link).searchParams;
        const { port, pathname } = new URL(asked.get('redirect_uri') ?? '');
        const url = `http://localhost:${port}${pathname}?state=${asked.get('state') ?? ''}&code=x&client_id=y`;
        status = fetch(url).then((response) => response.status);
        void status.then(() => stopping.abort(new Error('stopped')));
      },
    });
    await expect(signingIn).rejects.toThrow('stopped');
    expect(await status).toBe(404);
  });

  it('does not wait for a connection that the browser opened in advance', async () => {
    const { service, environment } = await signInTest();
    const closed = Promise.withResolvers<void>();
    await signInToChatGpt(environment, {
      signal: new AbortController().signal,
      onLink(link) {
        const { port } = new URL(new URL(link).searchParams.get('redirect_uri') ?? '');
        const socket = connect(Number(port), '127.0.0.1', () => void service.visit(link));
        socket.on('error', () => undefined).on('close', () => closed.resolve());
      },
    });
    await closed.promise;
    expect(chatGptStatus(environment)).toMatchObject({ state: 'signed-in' });
  });

  it('ends when the browser does not return in time', async () => {
    const { environment } = await signInTest();
    const { signal } = new AbortController();
    const signingIn = signInToChatGpt(environment, { signal, onLink: () => undefined, timeoutMs: 1 });
    await expect(signingIn).rejects.toThrow('did not return from ChatGPT within 5 minutes');
  });

  it('says that ChatGPT cannot be reached', async () => {
    const { service, environment, signIn } = await signInTest();
    const { endpoints } = service;
    environment.chatGpt = { ...endpoints, token: 'http://127.0.0.1:9/token' };
    await expect(signIn()).rejects.toThrow(/cannot reach http:\/\/127\.0\.0\.1:\d+ \(/);
    expect(chatGptStatus(environment)).toEqual({ state: 'signed-out' });
  });

  it('shows a French page to a French user', async () => {
    const { signIn } = await signInTest({ LC_ALL: 'fr_FR.UTF-8' });
    expect((await signIn()).page).toContain('Vous êtes connecté');
  });

  it('sends tokens to OpenAI, whatever the environment variables say', () => {
    const variables = new Proxy({}, { get: () => 'http://127.0.0.1:9/', has: () => true });
    const { chatGpt } = readEnvironment(variables);
    const urls = Object.values(chatGpt);
    expect(urls).toHaveLength(6);
    for (const url of urls) expect(url).toMatch(/^https:\/\/(auth|api)\.openai\.com(\/|$)/);
  });
});

describe('signing out of ChatGPT', () => {
  it('revokes the refresh token and deletes the tokens', async () => {
    const { service, environment, account, signIn } = await signInTest();
    await signIn();
    const { tokens, registration } = account();
    expect(await signOutOfChatGpt(environment)).toEqual({ wasSignedIn: true, problem: null });
    expect(Object.fromEntries(service.revocations[0] ?? [])).toMatchObject({
      token: tokens?.refreshToken,
      token_type_hint: 'refresh_token',
      client_id: registration?.clientId,
    });
    expect(account()).toMatchObject({ email: null, tokens: null, registration });
    expect(await signOutOfChatGpt(environment)).toEqual({ wasSignedIn: false, problem: null });
  });

  it('deletes the tokens and says so when ChatGPT cannot be reached', async () => {
    const { service, environment, account, signIn } = await signInTest();
    await signIn();
    service.close();
    const { problem } = await signOutOfChatGpt(environment);
    expect(problem).toContain('cannot reach');
    expect(account().tokens).toBeNull();
  });
});

it('a server for other people has no sign-in', async () => {
  const { environment, accountFile } = await signInTest();
  const hosted = { ...environment, servesOthers: true };
  expect(chatGptStatus(hosted)).toEqual({ state: 'unavailable' });
  const { signal } = new AbortController();
  const signingIn = signInToChatGpt(hosted, { signal, onLink: () => undefined });
  await expect(signingIn).rejects.toThrow('cannot use the ChatGPT plan of one person');
  expect(existsSync(accountFile)).toBe(false);
});
