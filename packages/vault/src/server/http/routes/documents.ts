import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { base, json } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const look = createRoute({
  method: 'post',
  path: `${base}/documents`,
  tags: ['updates'],
  summary: 'Look whether a document can be filed',
  description:
    'Says what it is and what cannot be read of it. Nothing is kept: send it with an update to file it.',
  request: {
    params: api.vaultParams,
    body: { content: { 'multipart/form-data': { schema: api.documentForm } }, required: true },
  },
  responses: { 200: json(api.documentLook, 'It can be filed') },
});

export function documentRoutes(app: HttpApp, { keepsake }: RouteParts): void {
  app.openapi(look, async (c) => {
    const { file } = c.req.valid('form');
    const inspected = await keepsake.documents.inspect({
      name: file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    });
    if (inspected.kind === 'refused') throw new Problem('refused', { detail: inspected.reason });
    const { metadata, attachments, warnings } = inspected;
    const { type, title = null, pages = null } = metadata;
    return c.json({ type, title, pages, attachments, warnings }, 200);
  });
}
