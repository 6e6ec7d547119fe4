import { createRoute } from '@hono/zod-openapi';
import type { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { getReadTool, toSearchResponse } from '../../../tools/index.ts';
import { formatPath } from '../../../vault/index.ts';
import { unwrapToolResult } from '../tool-result.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { fileNotFound, parsePath } from '../paths.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const search = createRoute({
  method: 'post',
  path: `${vaultBasePath}/search`,
  tags: ['reading'],
  summary: 'Find passages',
  request: { params: api.vaultParams, body: jsonBody(api.searchRequest) },
  responses: { 200: jsonContent(api.searchResponse, 'Passages, best first') },
});
const tree = createRoute({
  method: 'get',
  path: `${vaultBasePath}/tree`,
  tags: ['reading'],
  summary: 'List files and folders',
  request: { params: api.vaultParams, query: api.treeQuery },
  responses: { 200: jsonContent(api.treeResponse, 'Files and folders, with tokens and dates') },
});
const backlinks = createRoute({
  method: 'get',
  path: `${vaultBasePath}/backlinks`,
  tags: ['reading'],
  summary: 'List the notes that link to a file',
  request: { params: api.vaultParams, query: api.backlinksQuery },
  responses: { 200: jsonContent(api.backlinks, 'Notes, sorted by path') },
});
const lines = createRoute({
  method: 'get',
  path: `${vaultBasePath}/text`,
  tags: ['reading'],
  summary: 'Read the lines of a file, as the tools show and number them',
  description: 'The text of a document, such as a PDF, is extracted.',
  request: { params: api.vaultParams, query: api.textQuery },
  responses: { 200: jsonContent(api.textResponse, 'The text') },
});
const verify = createRoute({
  method: 'post',
  path: `${vaultBasePath}/verify`,
  tags: ['reading'],
  summary: 'Check whether the source lines of an answer are unchanged',
  request: { params: api.vaultParams, body: jsonBody(api.verifyRequest) },
  responses: { 200: jsonContent(api.verifyResponse, 'The result for each block') },
});

export function searchRoutes(app: HttpApp, { keepsake }: RouteContext): void {
  app.openapi(search, async (c) => {
    const request = c.req.valid('json');
    if ((request.dateFrom ?? '') > (request.dateTo ?? '9999'))
      throw new Problem('refused', { detail: 'dateFrom is after dateTo' });
    const found = await keepsake.readRun('person').search(request);
    if (found.kind === 'bad-scope')
      throw new Problem('refused', { detail: `scope ${found.pattern}: ${found.reason}` });
    return c.json(toSearchResponse(found), 200);
  });
  app.openapi(tree, async (c) => {
    const { path, depth, text: isTextWanted } = c.req.valid('query');
    if (path !== undefined) await mustExist(keepsake, path);
    const { text, value } = unwrapToolResult(
      await getReadTool('tree').call({ path, depth }, keepsake.readRun('person')),
    );
    return c.json({ ...(value as z.infer<typeof api.treeResponse>), text: isTextWanted ? text : '' }, 200);
  });
  app.openapi(backlinks, async (c) => {
    const { path, limit } = c.req.valid('query');
    const found = await keepsake.backlinks(parsePath(path), limit);
    return c.json({ notes: found.map((each) => ({ ...each, path: formatPath(each.path) })) }, 200);
  });
  app.openapi(lines, async (c) => {
    const path = parsePath(c.req.valid('query').path);
    const file = await keepsake.readFile(path);
    if (file.kind !== 'file') throw fileNotFound(path, file);
    const read = await keepsake.readText(path);
    if (read.kind === 'failed')
      throw new Problem('refused', { detail: `${formatPath(path)}: ${read.reason}` });
    const { extracted } = read;
    const about = extracted && {
      revision: extracted.revision,
      pages: extracted.pages,
      warnings: [...extracted.warnings],
    };
    return c.json({ path: formatPath(path), text: read.text, extracted: about }, 200);
  });
  app.openapi(verify, async (c) =>
    c.json({ blocks: await keepsake.verify(c.req.valid('json').document) }, 200),
  );
}

async function mustExist(keepsake: RouteContext['keepsake'], text: string): Promise<void> {
  const path = parsePath(text);
  const read = await keepsake.readFile(path);
  if (read.kind === 'missing') throw fileNotFound(path, read);
}
