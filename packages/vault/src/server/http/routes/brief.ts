import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { requireOwner } from '../authorize.ts';
import { jsonContent, vaultBasePath } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import type { HttpApp } from '../request-env.ts';

const brief = createRoute({
  method: 'get',
  path: `${vaultBasePath}/brief`,
  tags: ['settings'],
  summary: 'Show what AI tools are told at the start of a session',
  description: 'For the signed-in user only, not for tokens: it quotes their last session.',
  request: { params: api.vaultParams, query: api.briefQuery },
  responses: { 200: jsonContent(api.brief, 'The brief') },
});

export function briefRoutes(app: HttpApp, { createBrief }: RouteContext): void {
  app.openapi(brief, async (c) => {
    requireOwner(c.get('caller'));
    const created = await createBrief(c.req.valid('query').project ?? null);
    return c.json(created ?? { text: null, message: null }, 200);
  });
}
