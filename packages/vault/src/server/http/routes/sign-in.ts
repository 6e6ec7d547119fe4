import { createRoute } from '@hono/zod-openapi';
import { parse, serialize } from 'hono/utils/cookie';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { checkPerson } from '../check-person.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { Caller } from '../../auth/auth.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['sign-in'];
const description = 'Served with keepsake serve --public.';
const own = `Only for the person: a token cannot. ${description}`;
const signedIn = { 204: { description: 'Sets the cookie of a session' } };

const ways = createRoute({
  method: 'get',
  path: '/api/sign-in',
  tags,
  summary: 'How one can sign in, besides a one-time link',
  responses: { 200: json(api.signInWays, 'Nothing without --public') },
});
const askPasskey = createRoute({
  method: 'post',
  path: '/api/sign-in/passkey/options',
  tags,
  summary: 'Begin to sign in with a passkey',
  description,
  responses: { 200: json(z.looseObject({}), 'For navigator.credentials.get') },
});
const showPasskey = createRoute({
  method: 'post',
  path: '/api/sign-in/passkey',
  tags,
  summary: 'Sign in with a passkey',
  description,
  request: { body: jsonBody(z.looseObject({})) },
  responses: signedIn,
});
const goToProvider = createRoute({
  method: 'get',
  path: '/api/sign-in/provider',
  tags,
  summary: 'Sign in with the OpenID provider that is configured',
  description,
  request: { query: z.object({ to: z.string().max(200).optional() }) },
  responses: { 303: { description: 'To the provider' } },
});
const comeBack = createRoute({
  method: 'get',
  path: '/api/sign-in/callback',
  tags,
  summary: 'Where the OpenID provider sends the browser back to',
  description,
  responses: { 303: { description: 'Sets the cookie of a session, and goes on' } },
});
const list = createRoute({
  method: 'get',
  path: `${base}/passkeys`,
  tags,
  summary: 'With which passkeys one can sign in',
  description: own,
  request: { params: api.vaultParams },
  responses: { 200: json(api.passkeys, 'The newest first') },
});
const offer = createRoute({
  method: 'post',
  path: `${base}/passkeys/options`,
  tags,
  summary: 'Begin to make a passkey',
  description: own,
  request: { params: api.vaultParams },
  responses: { 200: json(z.looseObject({}), 'For navigator.credentials.create') },
});
const add = createRoute({
  method: 'post',
  path: `${base}/passkeys`,
  tags,
  summary: 'Keep a passkey',
  description: own,
  request: { params: api.vaultParams, body: jsonBody(api.passkeyMade) },
  responses: { 204: { description: 'One can sign in with it' } },
});
const remove = createRoute({
  method: 'delete',
  path: `${base}/passkeys/{id}`,
  tags,
  summary: 'Forget a passkey',
  description: own,
  request: { params: api.grantParams },
  responses: { 204: { description: 'One cannot sign in with it any more' } },
});

const cookieName = 'keepsake-sign-in';

/** How the person shows that it is them: to their own server, or through a provider that they trust. */
export function signInRoutes(app: HttpApp, { auth, signIn, prefix = '' }: RouteParts): void {
  const served = () => {
    if (signIn === undefined) throw new Problem('no-such-route', { next: 'start keepsake serve --public' });
    return signIn;
  };
  const newSession = (headers: Headers, person: string | null): string =>
    auth.exchange(auth.createCode({ person, token: null }), headers) ?? '';
  const personOf = (caller: Caller | null): string | null => caller?.person ?? null;
  const unknown = (): Problem =>
    new Problem('unauthorized', { next: 'sign in by the link that keepsake open prints' });

  const silent = (cause: unknown): never => {
    throw new Problem('unavailable', { detail: 'the provider does not answer as it should', cause });
  };

  app.openapi(ways, (c) =>
    c.json(
      {
        passkey: signIn?.passkeys.hasSome() === true,
        provider: signIn?.provider?.name ?? null,
        hasPasskeys: signIn !== undefined,
      },
      200,
    ),
  );
  app.openapi(askPasskey, async (c) => c.json({ ...(await served().passkeys.ask()) }, 200));
  app.openapi(showPasskey, async (c) => {
    const person = await served().passkeys.check(c.req.valid('json'));
    if (person === undefined) throw unknown();
    return c.body(null, 204, { 'set-cookie': newSession(c.req.raw.headers, person) });
  });
  app.openapi(goToProvider, async (c) => {
    const { provider } = served();
    if (provider === null) throw new Problem('no-such-route');
    const { to = '/' } = c.req.valid('query');
    const isKnown = /^\/consent\/[\w-]+$/.test(to);
    const { url, secret } = await provider.begin(`${prefix}${isKnown ? to : '/'}`).catch(silent);
    const cookie = serialize(cookieName, secret, {
      path: `${prefix}/api/sign-in`,
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: 600,
      secure: signIn?.isSecure === true,
    });
    return c.body(null, 303, { location: url, 'set-cookie': cookie });
  });
  app.openapi(comeBack, async (c) => {
    const secret = parse(c.req.header('cookie') ?? '', cookieName)[cookieName];
    const back = new URL(c.req.url);
    const to = secret === undefined ? null : await served().provider?.finish(back, secret).catch(silent);
    if (to == null) throw unknown();
    return c.body(null, 303, { location: to, 'set-cookie': newSession(c.req.raw.headers, null) });
  });
  app.openapi(list, (c) => {
    checkPerson(c.get('caller'));
    return c.json({ passkeys: signIn?.passkeys.list(personOf(c.get('caller'))) ?? [] }, 200);
  });
  app.openapi(offer, async (c) => {
    checkPerson(c.get('caller'));
    return c.json({ ...(await served().passkeys.offer()) }, 200);
  });
  app.openapi(add, async (c) => {
    checkPerson(c.get('caller'));
    const { name, made } = c.req.valid('json');
    if (!(await served().passkeys.add(personOf(c.get('caller')), name, made)))
      throw new Problem('refused', { detail: 'it is not the passkey that was asked for' });
    return c.body(null, 204);
  });
  app.openapi(remove, (c) => {
    checkPerson(c.get('caller'));
    if (!served().passkeys.remove(personOf(c.get('caller')), c.req.valid('param').id))
      throw new Problem('no-such-route', { detail: 'there is no such passkey' });
    return c.body(null, 204);
  });
}
