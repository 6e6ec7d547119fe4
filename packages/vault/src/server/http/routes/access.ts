import { createRoute } from '@hono/zod-openapi';
import { connectable } from '../../../connect/index.ts';
import { api } from '../../../contract/index.ts';
import { checkOwner } from '../check-person.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['settings'];
const description = 'Only for the person: a token cannot.';

const clients = createRoute({
  method: 'get',
  path: `${base}/clients`,
  tags,
  summary: 'How AI clients on this machine are connected to the vault',
  description,
  request: { params: api.vaultParams },
  responses: { 200: json(api.clients, 'As keepsake connect prints it') },
});
const list = createRoute({
  method: 'get',
  path: `${base}/tokens`,
  tags,
  summary: 'Which programs may use the service',
  description,
  request: { params: api.vaultParams },
  responses: { 200: json(api.tokens, 'Without their secrets, which nobody knows') },
});
const create = createRoute({
  method: 'post',
  path: `${base}/tokens`,
  tags,
  summary: 'Let a program in',
  description,
  request: { params: api.vaultParams, body: jsonBody(api.tokenRequest) },
  responses: { 201: json(api.tokenMade, 'With its secret, which is told once') },
});
const revoke = createRoute({
  method: 'delete',
  path: `${base}/tokens/{id}`,
  tags,
  summary: 'Let a program in no longer',
  description,
  request: { params: api.idParams },
  responses: { 204: { description: 'It is out at once' } },
});

/** Who else may use this vault, and how. */
export function accessRoutes(app: HttpApp, parts: RouteParts): void {
  const { environment, tokens, root, state, isForOthers } = parts;
  app.openapi(clients, (c) => {
    checkOwner(c.get('caller'));
    // Nobody who asks has clients on a machine that is not theirs.
    const here = isForOthers === true ? [] : connectable({ vault: root, state, environment });
    return c.json({ clients: here }, 200);
  });
  app.openapi(list, (c) => {
    checkOwner(c.get('caller'));
    return c.json({ tokens: tokens().list() }, 200);
  });
  app.openapi(create, (c) => {
    checkOwner(c.get('caller'));
    const { name, scope } = c.req.valid('json');
    return c.json(tokens().create(name, scope), 201);
  });
  app.openapi(revoke, (c) => {
    checkOwner(c.get('caller'));
    if (!tokens().revoke(c.req.valid('param').id))
      throw new Problem('no-such-route', { detail: 'there is no such token' });
    return c.body(null, 204);
  });
}
