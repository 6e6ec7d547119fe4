import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { checkOwner } from '../check-person.ts';
import { base, bytes, json } from '../describe.ts';
import { describeApi } from '../openapi.ts';
import type { RouteParts } from '../parts.ts';
import type { HttpApp } from '../request-env.ts';
import { Problem } from '../problem.ts';

const health = createRoute({
  method: 'get',
  path: '/api/health',
  tags: ['status'],
  summary: 'Whether it is alive',
  responses: { 200: json(api.health, 'It is') },
});
const openapi = createRoute({
  method: 'get',
  path: '/openapi.json',
  tags: ['status'],
  summary: 'This description',
  responses: { 200: json(z.looseObject({}), 'OpenAPI 3.1') },
});
const open = createRoute({
  method: 'get',
  path: '/open',
  tags: ['status'],
  summary: 'Open a browser session with a one-time code',
  request: { query: z.object({ code: z.string().max(200) }) },
  responses: { 303: { description: 'Sets the cookie, and goes to /' } },
});

const link = createRoute({
  method: 'post',
  path: `${base}/links`,
  tags: ['status'],
  summary: 'Make a link that opens a browser session, once, within five minutes',
  request: { params: api.vaultParams },
  responses: { 201: json(api.link, 'To be opened in a browser on this machine') },
});

const signOut = createRoute({
  method: 'delete',
  path: `${base}/sessions`,
  tags: ['status'],
  summary: 'Sign every browser out',
  request: { params: api.vaultParams },
  responses: { 204: { description: 'No session is open any more' } },
});

export function outsideRoutes(app: HttpApp, parts: RouteParts): void {
  const { auth, version, oauth, prefix = '' } = parts;
  app.openapi(health, (c) => c.json({ status: 'ok' as const, version }, 200));
  let described: Record<string, unknown> | null = null;
  app.openapi(openapi, (c) => c.json((described ??= describeApi(app, version)), 200));
  app.openapi(open, (c) => {
    // A look at the headers alone must not use the code up.
    const code = c.req.method === 'HEAD' ? '' : c.req.valid('query').code;
    const cookie = auth.exchange(code, c.req.raw.headers);
    if (cookie === null) throw new Problem('link-expired');
    return c.body(null, 303, { location: `${prefix}/`, 'set-cookie': cookie });
  });
  app.openapi(link, (c) => {
    const place = oauth?.url ?? `${new URL(c.req.url).origin}${prefix}`;
    const url = `${place}/open?code=${auth.createCode(c.get('caller'))}`;
    return c.json({ url }, 201);
  });
  app.openapi(signOut, (c) => {
    checkOwner(c.get('caller'));
    auth.endSessions();
    return c.body(null, 204);
  });
  mcpRoutes(app, parts);
}

const mcpMethods = {
  get: 'Listen to messages of the server',
  post: 'Send a message',
  delete: 'End a session',
} as const;

/** What is said there is MCP's own affair; only who may say it, and how much, is decided here. */
function mcpRoutes(app: HttpApp, { mcp, streams, closing, people }: RouteParts): void {
  for (const [method, summary] of Object.entries(mcpMethods) as [keyof typeof mcpMethods, string][])
    app.openAPIRegistry.registerPath({
      method,
      path: '/mcp',
      tags: ['mcp'],
      summary: `${summary} (MCP, streamable HTTP)`,
      ...(method === 'post' && {
        request: { body: { required: true, content: bytes('application/json', '').content } },
      }),
      responses: { 200: { description: 'As MCP describes it' } },
    });
  app.all('/mcp', async (c) => {
    const caller = c.get('caller');
    if (mcp === null || caller === null) throw new Problem('no-such-route', { detail: 'MCP is not served' });
    if (c.req.method === 'POST' && !/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
      throw new Problem('wrong-type', { detail: 'MCP is sent as application/json' });
    streams.check(caller);
    const { url, method, headers, signal } = c.req.raw;
    const body = await c.req.text();
    const message = parsed(body);
    // What was read already is not read again; what is no JSON is told so as MCP does.
    const request =
      message === undefined
        ? new Request(url, { method, headers, signal, ...(body !== '' && { body }) })
        : c.req.raw;
    const person = caller.person === null ? undefined : people().find(caller.person)?.name;
    const response = await mcp.fetch(request, caller.scope, message, person);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    // What only listens ends with the server; what still answers may finish.
    const ending = method === 'GET' ? closing : undefined;
    const sent =
      isStream && response.body !== null ? streams.count(response.body, caller, ending) : response.body;
    return new Response(sent, { status: response.status, headers: response.headers });
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
