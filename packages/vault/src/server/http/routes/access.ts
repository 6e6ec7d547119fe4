import { createRoute } from '@hono/zod-openapi';
import { listConnectionOptions } from '../../../connect/index.ts';
import { api } from '../../../contract/index.ts';
import { requireOperator, requireOwner } from '../authorize.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['settings'];
const description = 'For owners only, not for tokens.';

const clients = createRoute({
  method: 'get',
  path: `${vaultBasePath}/clients`,
  tags,
  summary: 'List the AI clients on this machine and their connection to the vault',
  description: 'For the operator of the machine only.',
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.clients, 'Clients, as keepsake connect lists them') },
});
const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/tokens`,
  tags,
  summary: 'List tokens',
  description,
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.tokens, 'Tokens without secrets') },
});
const create = createRoute({
  method: 'post',
  path: `${vaultBasePath}/tokens`,
  tags,
  summary: 'Create a token',
  description,
  request: { params: api.vaultParams, body: jsonBody(api.tokenRequest) },
  responses: { 201: jsonContent(api.createdToken, 'The token with its secret (returned once)') },
});
const revoke = createRoute({
  method: 'delete',
  path: `${vaultBasePath}/tokens/{id}`,
  tags,
  summary: 'Revoke a token',
  description,
  request: { params: api.idParams },
  responses: { 204: { description: 'Revoked immediately' } },
});

type Token = ReturnType<ReturnType<RouteContext['tokens']>['list']>[number];

function toTokenView({ id, name, scope, createdAt }: Token) {
  return { id, name, scope, createdAt };
}

/** Connected clients and tokens. */
export function accessRoutes(app: HttpApp, parts: RouteContext): void {
  const { environment, tokens, root, state } = parts;
  app.openapi(clients, (c) => {
    requireOperator(c.get('caller'), parts);
    return c.json({ clients: listConnectionOptions({ vault: root, state, environment }) }, 200);
  });
  app.openapi(list, (c) => {
    requireOwner(c.get('caller'));
    return c.json({ tokens: tokens().list().map(toTokenView) }, 200);
  });
  app.openapi(create, (c) => {
    const caller = c.get('caller');
    requireOwner(caller);
    const { name, scope } = c.req.valid('json');
    const { secret, ...token } = tokens().create(name, scope, caller?.memberId);
    return c.json({ ...toTokenView(token), secret }, 201);
  });
  app.openapi(revoke, (c) => {
    requireOwner(c.get('caller'));
    if (!tokens().revoke(c.req.valid('param').id))
      throw new Problem('no-such-route', { detail: 'token not found' });
    return c.body(null, 204);
  });
}
