import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { checkOwner } from '../check-person.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['people'];
const description = 'Only for an owner.';

const list = createRoute({
  method: 'get',
  path: `${base}/people`,
  tags,
  summary: 'Who else may use the vault, and how',
  description,
  request: { params: api.vaultParams },
  responses: { 200: json(api.people, 'Without whoever has it on their machine') },
});
const invite = createRoute({
  method: 'post',
  path: `${base}/people`,
  tags,
  summary: 'Invite somebody',
  description,
  request: { params: api.vaultParams, body: jsonBody(api.invitation) },
  responses: { 201: json(api.invited, 'With a link that signs them in, once, within a week') },
});
const inviteAgain = createRoute({
  method: 'post',
  path: `${base}/people/{id}/links`,
  tags,
  summary: 'Make another link for somebody who was invited',
  description,
  request: { params: api.idParams },
  responses: { 201: json(api.link, 'It signs them in, once, within a week') },
});
const change = createRoute({
  method: 'put',
  path: `${base}/people/{id}`,
  tags,
  summary: 'Give somebody another role',
  description: `${description} It counts at once, for programs that they have let in as well.`,
  request: { params: api.idParams, body: jsonBody(api.roleChoice) },
  responses: { 204: { description: 'It is so' } },
});
const remove = createRoute({
  method: 'delete',
  path: `${base}/people/{id}`,
  tags,
  summary: 'Let somebody in no longer',
  description: `${description} Their sessions, passkeys, programs and streams end at once.`,
  request: { params: api.idParams },
  responses: { 204: { description: 'They are out' } },
});

/** People beside whoever has the vault on their machine. */
export function peopleRoutes(app: HttpApp, { people, oauth, prefix = '' }: RouteParts): void {
  const linkWith = (secret: string, address: string): string =>
    `${oauth?.url ?? `${new URL(address).origin}${prefix}`}/open?code=${secret}`;
  const gone = (): Problem => new Problem('no-such-route', { detail: 'there is nobody with this id' });
  app.openapi(list, (c) => {
    checkOwner(c.get('caller'));
    return c.json({ people: people().list() }, 200);
  });
  app.openapi(invite, (c) => {
    checkOwner(c.get('caller'));
    const { name, role } = c.req.valid('json');
    const { secret, ...person } = people().invite(name, role);
    return c.json({ ...person, url: linkWith(secret, c.req.url) }, 201);
  });
  app.openapi(inviteAgain, (c) => {
    checkOwner(c.get('caller'));
    const secret = people().inviteAgain(c.req.valid('param').id);
    if (secret === null) throw gone();
    return c.json({ url: linkWith(secret, c.req.url) }, 201);
  });
  app.openapi(change, (c) => {
    checkOwner(c.get('caller'));
    if (!people().setRole(c.req.valid('param').id, c.req.valid('json').role)) throw gone();
    return c.body(null, 204);
  });
  app.openapi(remove, (c) => {
    checkOwner(c.get('caller'));
    if (!people().remove(c.req.valid('param').id)) throw gone();
    return c.body(null, 204);
  });
}
