import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { requireOwner } from '../authorize.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['people'];
const description = 'For owners only.';

const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/people`,
  tags,
  summary: 'List members and their roles',
  description,
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.people, 'Members, without the owner of the machine') },
});
const invite = createRoute({
  method: 'post',
  path: `${vaultBasePath}/people`,
  tags,
  summary: 'Invite a person',
  description,
  request: { params: api.vaultParams, body: jsonBody(api.invitation) },
  responses: {
    201: jsonContent(
      api.createdInvitation,
      'The member, with a one-time sign-in link that expires after a week',
    ),
  },
});
const inviteAgain = createRoute({
  method: 'post',
  path: `${vaultBasePath}/people/{id}/links`,
  tags,
  summary: 'Create a new sign-in link for a member',
  description,
  request: { params: api.idParams },
  responses: { 201: jsonContent(api.link, 'A one-time link that expires after a week') },
});
const change = createRoute({
  method: 'put',
  path: `${vaultBasePath}/people/{id}`,
  tags,
  summary: 'Change the role of a member',
  description: `${description} Takes effect immediately, also for applications they authorized.`,
  request: { params: api.idParams, body: jsonBody(api.roleUpdate) },
  responses: { 204: { description: 'Changed' } },
});
const remove = createRoute({
  method: 'delete',
  path: `${vaultBasePath}/people/{id}`,
  tags,
  summary: 'Remove a member',
  description: `${description} Revokes their sessions, passkeys and authorized applications and closes their streams immediately.`,
  request: { params: api.idParams },
  responses: { 204: { description: 'Removed' } },
});

/** Registers the routes for managing the invited members of the vault. */
export function memberRoutes(app: HttpApp, { people, oauth, prefix = '' }: RouteContext): void {
  const linkWith = (secret: string, address: string): string =>
    `${oauth?.url ?? `${new URL(address).origin}${prefix}`}/open?code=${secret}`;
  const gone = (): Problem => new Problem('no-such-route', { detail: 'member not found' });
  app.openapi(list, (c) => {
    requireOwner(c.get('caller'));
    return c.json({ people: people().list() }, 200);
  });
  app.openapi(invite, (c) => {
    requireOwner(c.get('caller'));
    const { name, role } = c.req.valid('json');
    const { secret, ...person } = people().invite(name, role, c.get('caller')?.memberId);
    return c.json({ ...person, url: linkWith(secret, c.req.url) }, 201);
  });
  app.openapi(inviteAgain, (c) => {
    requireOwner(c.get('caller'));
    const secret = people().renewInvitation(c.req.valid('param').id, c.get('caller')?.memberId);
    if (secret === null) throw gone();
    return c.json({ url: linkWith(secret, c.req.url) }, 201);
  });
  app.openapi(change, (c) => {
    requireOwner(c.get('caller'));
    if (!people().setRole(c.req.valid('param').id, c.req.valid('json').role)) throw gone();
    return c.body(null, 204);
  });
  app.openapi(remove, (c) => {
    requireOwner(c.get('caller'));
    if (!people().remove(c.req.valid('param').id)) throw gone();
    return c.body(null, 204);
  });
}
