import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { vaultBasePath, jsonContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { toIntakeRequest } from '../intake-request.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const look = createRoute({
  method: 'post',
  path: `${vaultBasePath}/documents`,
  tags: ['updates'],
  summary: 'Check whether a document can be filed',
  description:
    'Returns its type and what cannot be read. The document is not stored; to file it, send it with an update.',
  request: {
    params: api.vaultParams,
    body: { content: { 'multipart/form-data': { schema: api.documentForm } }, required: true },
  },
  responses: { 200: jsonContent(api.documentInfo, 'The document can be filed') },
});

export function documentRoutes(app: HttpApp, { keepsake }: RouteContext): void {
  app.openapi(look, async (c) => {
    const { file } = c.req.valid('form');
    const inspected = await keepsake.documents.inspect(
      { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) },
      toIntakeRequest(c),
    );
    if (inspected.kind === 'refused') throw new Problem('refused', { detail: inspected.reason });
    const { metadata, attachments, warnings } = inspected;
    const { type, title = null, pages = null } = metadata;
    return c.json({ type, title, pages, attachments, warnings }, 200);
  });
}
