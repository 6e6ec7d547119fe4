import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { requireAccess, requireOwner } from '../authorize.ts';
import { vaultBasePath, binaryContent, jsonContent } from '../route-schemas.ts';
import { buildOpenApiDocument } from '../openapi.ts';
import type { RouteContext } from '../http-options.ts';
import type { HttpApp } from '../request-env.ts';
import { redeemLoginLink } from '../login-link.ts';
import { Problem } from '../problem.ts';

const health = createRoute({
  method: 'get',
  path: '/api/health',
  tags: ['status'],
  summary: 'Health check',
  responses: { 200: jsonContent(api.health, 'Healthy') },
});
const openapi = createRoute({
  method: 'get',
  path: '/openapi.json',
  tags: ['status'],
  summary: 'Get this OpenAPI document',
  responses: { 200: jsonContent(z.looseObject({}), 'OpenAPI 3.1') },
});
const open = createRoute({
  method: 'get',
  path: '/open',
  tags: ['status'],
  summary: 'Open a browser session with a one-time code',
  request: { query: z.object({ code: z.string().max(200) }) },
  responses: { 303: { description: 'Sets the session cookie and redirects to /' } },
});

const link = createRoute({
  method: 'post',
  path: `${vaultBasePath}/links`,
  tags: ['status'],
  summary: 'Create a one-time sign-in link that expires after five minutes',
  request: { params: api.vaultParams },
  responses: { 201: jsonContent(api.link, 'The link, to be opened in a browser on this machine') },
});

const signOut = createRoute({
  method: 'delete',
  path: `${vaultBasePath}/sessions`,
  tags: ['status'],
  summary: 'Sign out every browser',
  request: { params: api.vaultParams },
  responses: { 204: { description: 'All sessions are revoked' } },
});

export function serverRoutes(app: HttpApp, parts: RouteContext): void {
  const { auth, version, oauth, prefix = '', isServing = () => true } = parts;
  app.openapi(health, (c) => {
    if (isServing()) return c.json({ status: 'ok' as const, version }, 200);
    throw new Problem('unavailable', {
      detail: 'another process took over the vault; this one stops',
      hint: 'retry in a moment',
    });
  });
  let described: Record<string, unknown> | null = null;
  app.openapi(openapi, (c) => c.json((described ??= buildOpenApiDocument(app, version)), 200));
  app.openapi(open, (c) => {
    return c.body(null, 303, { location: `${prefix}/`, 'set-cookie': redeemLoginLink(auth, c) });
  });
  app.openapi(link, (c) => {
    const place = oauth?.url ?? `${new URL(c.req.url).origin}${prefix}`;
    const url = `${place}/open?code=${auth.createLoginCode(c.get('caller'))}`;
    return c.json({ url }, 201);
  });
  app.openapi(signOut, (c) => {
    requireOwner(c.get('caller'));
    auth.revokeSessions();
    return c.body(null, 204);
  });
  mcpRoutes(app, parts);
}

const mcpMethods = {
  get: 'Listen for server messages',
  post: 'Send a message',
  delete: 'End a session',
} as const;

/** Authentication and limits apply here; the content of the messages is left to the MCP handler. */
function mcpRoutes(app: HttpApp, { auth, mcp, streams, closing, people }: RouteContext): void {
  for (const [method, summary] of Object.entries(mcpMethods) as [keyof typeof mcpMethods, string][])
    app.openAPIRegistry.registerPath({
      method,
      path: '/mcp',
      tags: ['mcp'],
      summary: `${summary} (MCP, streamable HTTP)`,
      ...(method === 'post' && {
        request: { body: { required: true, content: binaryContent('application/json', '').content } },
      }),
      responses: { 200: { description: 'As specified by MCP' } },
    });
  app.all('/mcp', async (c) => {
    const caller = c.get('caller');
    if (mcp === null || caller === null) throw new Problem('no-such-route', { detail: 'MCP is not served' });
    if (c.req.method === 'POST' && !/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
      throw new Problem('wrong-type', { detail: 'send MCP messages as application/json' });
    streams.reserve(caller);
    const { url, method, headers, signal } = c.req.raw;
    const body = await c.req.text();
    const message = parsed(body);
    // A parsed body is passed on as a value. Invalid JSON is passed on as text, so that MCP reports the error in its own format.
    const request =
      message === undefined
        ? new Request(url, { method, headers, signal, ...(body !== '' && { body }) })
        : c.req.raw;
    const memberName = caller.memberId === null ? undefined : people().find(caller.memberId)?.name;
    const response = await mcp.fetch(
      request,
      {
        connection: caller.id,
        scope: caller.scope,
        memberName,
        assertAllowed: () => requireAccess(caller, auth),
      },
      message,
    );
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    // Streams that only listen are closed with the server; pending responses may finish.
    const closeSignal = method === 'GET' ? closing : undefined;
    const sent =
      isStream && response.body !== null ? streams.track(response.body, caller, closeSignal) : response.body;
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
