import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { checkPerson } from '../check-person.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp, HttpEnv } from '../request-env.ts';

const tags = ['settings'];
const description = 'Only for the person: a token cannot. Served with keepsake serve --public.';
const asked = 'in the browser in which it was asked';

const show = createRoute({
  method: 'get',
  path: '/consent/{id}/request',
  tags,
  summary: 'What a program elsewhere asks for',
  description: `${description} Only ${asked}.`,
  request: { params: api.consentParams },
  responses: { 200: json(api.consentRequest, 'Who asks, and for what') },
});
const decide = createRoute({
  method: 'post',
  path: '/consent/{id}/decision',
  tags,
  summary: 'Let a program elsewhere in, or not',
  description: `${description} Only ${asked}.`,
  request: { params: api.consentParams, body: jsonBody(api.consentDecision) },
  responses: { 200: json(api.link, 'Where the browser goes on') },
});
const list = createRoute({
  method: 'get',
  path: `${base}/grants`,
  tags,
  summary: 'Which programs elsewhere have been let in',
  description,
  request: { params: api.vaultParams },
  responses: { 200: json(api.grants, 'The newest first') },
});
const revoke = createRoute({
  method: 'delete',
  path: `${base}/grants/{id}`,
  tags,
  summary: 'Let a program elsewhere in no longer',
  description,
  request: { params: api.grantParams },
  responses: { 204: { description: 'It is out at once' } },
});

/** Programs elsewhere, and what the person lets them do. */
export function grantRoutes(app: HttpApp, { oauth }: RouteParts): void {
  const connectionOf = ({ incoming, outgoing }: HttpEnv['Bindings']) => {
    if (incoming === undefined || outgoing === undefined) throw new Problem('unavailable');
    return { incoming, outgoing };
  };
  const gone = (): Problem =>
    new Problem('no-such-route', {
      detail: 'nothing is asked here, or it was asked in another browser',
      next: 'begin anew in the program that wants to connect',
    });
  app.openapi(show, async (c) => {
    checkPerson(c.get('caller'));
    const found = await oauth?.find(c.req.valid('param').id, connectionOf(c.env));
    if (found == null) throw gone();
    return c.json(found, 200);
  });
  app.openapi(decide, async (c) => {
    checkPerson(c.get('caller'));
    const { id } = c.req.valid('param');
    const caller = c.get('caller');
    const { scope } = c.req.valid('json');
    // Nobody gives more than they have.
    const allowed = scope !== null && caller?.scope === 'read' ? 'read' : scope;
    const url = await oauth?.decide(id, allowed, connectionOf(c.env), caller?.person ?? null);
    if (url == null) throw gone();
    return c.json({ url }, 200);
  });
  app.openapi(list, (c) => {
    checkPerson(c.get('caller'));
    return c.json(
      { grants: oauth?.grants(c.get('caller')?.person ?? null) ?? [], url: oauth?.url ?? null },
      200,
    );
  });
  app.openapi(revoke, (c) => {
    checkPerson(c.get('caller'));
    if (oauth?.revoke(c.req.valid('param').id, c.get('caller')?.person ?? null) !== true)
      throw new Problem('no-such-route', { detail: 'there is no such grant' });
    return c.body(null, 204);
  });
}
