import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { requireUser } from '../authorize.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { Problem } from '../problem.ts';
import type { HttpApp, HttpEnv } from '../request-env.ts';

const tags = ['settings'];
const description = 'For the signed-in user only, not for tokens. Requires keepsake serve --public.';
const sameBrowserNote = 'in the browser in which the authorization was started';

const show = createRoute({
  method: 'get',
  path: '/consent/{id}/request',
  tags,
  summary: 'Get an authorization request',
  description: `${description} Only ${sameBrowserNote}.`,
  request: { params: api.consentParams },
  responses: { 200: jsonContent(api.consentRequest, 'The application and the requested scope') },
});
const decide = createRoute({
  method: 'post',
  path: '/consent/{id}/decision',
  tags,
  summary: 'Approve or deny an authorization request',
  description: `${description} Only ${sameBrowserNote}.`,
  request: { params: api.consentParams, body: jsonBody(api.consentDecision) },
  responses: { 200: jsonContent(api.link, 'The URL to which the browser continues') },
});
const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/grants`,
  tags,
  summary: 'List authorized applications',
  description,
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.grants, 'Newest first') },
});
const revoke = createRoute({
  method: 'delete',
  path: `${vaultBasePath}/grants/{id}`,
  tags,
  summary: 'Revoke the authorization of an application',
  description,
  request: { params: api.grantParams },
  responses: { 204: { description: 'Revoked immediately' } },
});

/** Consent requests and grants of remote applications. */
export function grantRoutes(app: HttpApp, { oauth }: RouteContext): void {
  const connectionOf = ({ incoming, outgoing }: HttpEnv['Bindings']) => {
    if (incoming === undefined || outgoing === undefined) throw new Problem('unavailable');
    return { incoming, outgoing };
  };
  const gone = (): Problem =>
    new Problem('no-such-route', {
      detail: 'unknown authorization request, or it was started in another browser',
      hint: 'restart the connection in the client',
    });
  app.openapi(show, async (c) => {
    requireUser(c.get('caller'));
    const found = await oauth?.findConsentRequest(c.req.valid('param').id, connectionOf(c.env));
    if (found == null) throw gone();
    return c.json(found, 200);
  });
  app.openapi(decide, async (c) => {
    requireUser(c.get('caller'));
    const { id } = c.req.valid('param');
    const caller = c.get('caller');
    const { scope } = c.req.valid('json');
    // Users cannot grant more access than they have.
    const allowed = scope !== null && caller?.scope === 'read' ? 'read' : scope;
    const url = await oauth?.resolveConsent(id, allowed, connectionOf(c.env), caller?.memberId ?? null);
    if (url == null) throw gone();
    return c.json({ url }, 200);
  });
  app.openapi(list, (c) => {
    requireUser(c.get('caller'));
    return c.json(
      { grants: oauth?.grants(c.get('caller')?.memberId ?? null) ?? [], url: oauth?.url ?? null },
      200,
    );
  });
  app.openapi(revoke, (c) => {
    requireUser(c.get('caller'));
    if (oauth?.revoke(c.req.valid('param').id, c.get('caller')?.memberId ?? null) !== true)
      throw new Problem('no-such-route', { detail: 'grant not found' });
    return c.body(null, 204);
  });
}
