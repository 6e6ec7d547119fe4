import { createRoute } from '@hono/zod-openapi';
import { parse, serialize } from 'hono/utils/cookie';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { requireUser } from '../authorize.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { Principal } from '../../auth/auth.ts';
import type { RouteContext } from '../http-options.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['sign-in'];
const description = 'Requires keepsake serve --public.';
const own = `For the signed-in user only, not for tokens. ${description}`;
const signedIn = { 204: { description: 'Sets the session cookie' } };

const signInMethods = createRoute({
  method: 'get',
  path: '/api/sign-in',
  tags,
  summary: 'List sign-in methods other than one-time links',
  responses: { 200: jsonContent(api.signInMethods, 'None without --public') },
});
const passkeyAuthenticationOptions = createRoute({
  method: 'post',
  path: '/api/sign-in/passkey/options',
  tags,
  summary: 'Start signing in with a passkey',
  description,
  responses: { 200: jsonContent(z.looseObject({}), 'Options for navigator.credentials.get') },
});
const signInWithPasskey = createRoute({
  method: 'post',
  path: '/api/sign-in/passkey',
  tags,
  summary: 'Sign in with a passkey',
  description,
  request: { body: jsonBody(z.looseObject({})) },
  responses: signedIn,
});
const startProviderSignIn = createRoute({
  method: 'get',
  path: '/api/sign-in/provider',
  tags,
  summary: 'Sign in with the configured OpenID provider',
  description,
  request: { query: z.object({ to: z.string().max(200).optional() }) },
  responses: { 303: { description: 'Redirects to the provider' } },
});
const providerCallback = createRoute({
  method: 'get',
  path: '/api/sign-in/callback',
  tags,
  summary: 'Callback of the OpenID provider',
  description,
  responses: { 303: { description: 'Sets the session cookie and redirects' } },
});
const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/passkeys`,
  tags,
  summary: 'List passkeys',
  description: own,
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.passkeys, 'Newest first') },
});
const passkeyRegistrationOptions = createRoute({
  method: 'post',
  path: `${vaultBasePath}/passkeys/options`,
  tags,
  summary: 'Start registering a passkey',
  description: own,
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(z.looseObject({}), 'Options for navigator.credentials.create') },
});
const add = createRoute({
  method: 'post',
  path: `${vaultBasePath}/passkeys`,
  tags,
  summary: 'Register a passkey',
  description: own,
  request: { params: api.vaultParams, body: jsonBody(api.passkeyRegistration) },
  responses: { 204: { description: 'Registered' } },
});
const remove = createRoute({
  method: 'delete',
  path: `${vaultBasePath}/passkeys/{id}`,
  tags,
  summary: 'Delete a passkey',
  description: own,
  request: { params: api.grantParams },
  responses: { 204: { description: 'Deleted' } },
});

const cookieName = 'keepsake-sign-in';

/** Sign-in with passkeys or through an OpenID provider. */
export function signInRoutes(app: HttpApp, { auth, signIn, prefix = '' }: RouteContext): void {
  const getSignIn = () => {
    if (signIn === undefined) throw new Problem('no-such-route', { hint: 'start keepsake serve --public' });
    return signIn;
  };
  const newSession = (headers: Headers, memberId: string | null): string =>
    auth.redeemLoginCode(auth.createLoginCode({ memberId, credentialId: null }), headers) ?? '';
  const getMemberId = (caller: Principal | null): string | null => caller?.memberId ?? null;
  const unknown = (): Problem =>
    new Problem('unauthorized', { hint: 'sign in with the link that keepsake open prints' });

  const rethrowUnavailable = (cause: unknown): never => {
    throw new Problem('unavailable', { detail: 'the identity provider returned an invalid response', cause });
  };

  app.openapi(signInMethods, (c) =>
    c.json(
      {
        passkey: signIn?.passkeys.hasAny() === true,
        provider: signIn?.provider?.name ?? null,
        hasPasskeys: signIn !== undefined,
      },
      200,
    ),
  );
  app.openapi(passkeyAuthenticationOptions, async (c) =>
    c.json({ ...(await getSignIn().passkeys.createAuthenticationOptions()) }, 200),
  );
  app.openapi(signInWithPasskey, async (c) => {
    const memberId = await getSignIn().passkeys.verify(c.req.valid('json'));
    if (memberId === undefined) throw unknown();
    return c.body(null, 204, { 'set-cookie': newSession(c.req.raw.headers, memberId) });
  });
  app.openapi(startProviderSignIn, async (c) => {
    const { provider } = getSignIn();
    if (provider === null) throw new Problem('no-such-route');
    const { to = '/' } = c.req.valid('query');
    const isKnown = /^\/consent\/[\w-]+$/.test(to);
    const { url, secret } = await provider.start(`${prefix}${isKnown ? to : '/'}`).catch(rethrowUnavailable);
    const cookie = serialize(cookieName, secret, {
      path: `${prefix}/api/sign-in`,
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: 600,
      secure: signIn?.isSecure === true,
    });
    return c.body(null, 303, { location: url, 'set-cookie': cookie });
  });
  app.openapi(providerCallback, async (c) => {
    const secret = parse(c.req.header('cookie') ?? '', cookieName)[cookieName];
    const back = new URL(c.req.url);
    const to =
      secret === undefined
        ? null
        : await getSignIn().provider?.complete(back, secret).catch(rethrowUnavailable);
    if (to == null) throw unknown();
    return c.body(null, 303, { location: to, 'set-cookie': newSession(c.req.raw.headers, null) });
  });
  app.openapi(list, (c) => {
    requireUser(c.get('caller'));
    return c.json({ passkeys: signIn?.passkeys.list(getMemberId(c.get('caller'))) ?? [] }, 200);
  });
  app.openapi(passkeyRegistrationOptions, async (c) => {
    requireUser(c.get('caller'));
    const memberId = getMemberId(c.get('caller'));
    return c.json({ ...(await getSignIn().passkeys.createRegistrationOptions(memberId)) }, 200);
  });
  app.openapi(add, async (c) => {
    requireUser(c.get('caller'));
    const { name, made } = c.req.valid('json');
    if (!(await getSignIn().passkeys.register(getMemberId(c.get('caller')), name, made)))
      throw new Problem('refused', { detail: 'passkey verification failed' });
    return c.body(null, 204);
  });
  app.openapi(remove, (c) => {
    requireUser(c.get('caller'));
    if (!getSignIn().passkeys.remove(getMemberId(c.get('caller')), c.req.valid('param').id))
      throw new Problem('no-such-route', { detail: 'passkey not found' });
    return c.body(null, 204);
  });
}
