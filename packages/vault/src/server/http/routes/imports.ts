import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import type { ImportReport } from '../../../import/index.ts';
import { requireAccess, requireUser } from '../authorize.ts';
import { vaultBasePath, binaryContent, jsonContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { Problem } from '../problem.ts';
import { parseMediaType } from '../read-body.ts';
import type { HttpApp } from '../request-env.ts';
import { memberOrigin } from '../resolve-source.ts';

const tags = ['imports'];

const importArchive = createRoute({
  method: 'post',
  path: `${vaultBasePath}/imports`,
  tags,
  summary: 'Import a zip archive: an Obsidian vault, a folder, or an export of ChatGPT, Claude or Notion',
  description:
    'For the signed-in user only, not for tokens. The whole import is one change. With `dryRun`, nothing is written.',
  request: {
    params: api.vaultParams,
    query: api.importQuery,
    body: { required: true, content: binaryContent('application/zip', '').content },
  },
  responses: { 200: jsonContent(api.importReport, 'What was imported, or would be') },
});
const progress = createRoute({
  method: 'get',
  path: `${vaultBasePath}/imports/{id}`,
  tags,
  summary: 'Get the progress of a running import',
  request: { params: api.importParams },
  responses: { 200: jsonContent(api.importProgress, 'The current phase') },
});

const maxListedItems = 50;

export function importRoutes(app: HttpApp, { importing, auth }: RouteContext): void {
  app.openapi(importArchive, async (c) => {
    if (parseMediaType(c.req.raw.headers) !== 'application/zip') throw new Problem('wrong-type');
    const caller = c.get('caller');
    requireUser(caller);
    const { id, name, dryRun } = c.req.valid('query');
    const report = await importing.run({
      id,
      name: name.split(/[/\\]/).at(-1) ?? name,
      bytes: Buffer.from(await c.req.arrayBuffer()),
      isDryRun: dryRun === 'true',
      author: memberOrigin(caller),
      assertAllowed: () => requireAccess(caller, auth),
      signal: c.req.raw.signal,
    });
    return c.json(toView(report), 200);
  });
  app.openapi(progress, (c) => {
    requireUser(c.get('caller'));
    const found = importing.progress(c.req.valid('param').id);
    if (found === null) throw new Problem('no-such-route', { detail: 'no such import is running' });
    return c.json(found, 200);
  });
}

function toView({ kind, into, id, added, replaced, unchanged, bytes, kept, leftOut, secrets }: ImportReport) {
  const first = (all: ImportReport['kept']) => ({ count: all.length, items: all.slice(0, maxListedItems) });
  const lists = { kept: first(kept), leftOut: first(leftOut), secrets: first(secrets) };
  return { kind, into, change: id, added, replaced, unchanged, bytes, ...lists };
}
