import { createRoute } from '@hono/zod-openapi';
import type { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { readToolNamed, showFound } from '../../../tools/index.ts';
import { showPath } from '../../../vault/index.ts';
import { resultOf } from '../call-tool.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { noFile, pathFrom } from '../paths.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const search = createRoute({
  method: 'post',
  path: `${base}/search`,
  tags: ['reading'],
  summary: 'Find sections of files',
  request: { params: api.vaultParams, body: jsonBody(api.searchRequest) },
  responses: { 200: json(api.searchFound, 'Sections, best first') },
});
const tree = createRoute({
  method: 'get',
  path: `${base}/tree`,
  tags: ['reading'],
  summary: 'List files and folders',
  request: { params: api.vaultParams, query: api.treeQuery },
  responses: { 200: json(api.treeShown, 'Files and folders, with tokens and dates') },
});
const backlinks = createRoute({
  method: 'get',
  path: `${base}/backlinks`,
  tags: ['reading'],
  summary: 'List the notes that link to a file',
  request: { params: api.vaultParams, query: api.backlinksQuery },
  responses: { 200: json(api.backlinks, 'In the order of their paths') },
});
const verify = createRoute({
  method: 'post',
  path: `${base}/verify`,
  tags: ['reading'],
  summary: 'Check whether the source lines of an answer still stand',
  request: { params: api.vaultParams, body: jsonBody(api.verifyRequest) },
  responses: { 200: json(api.verified, 'Block by block') },
});

export function searchRoutes(app: HttpApp, { keepsake }: RouteParts): void {
  app.openapi(search, async (c) => {
    const request = c.req.valid('json');
    if ((request.dateFrom ?? '') > (request.dateTo ?? '9999'))
      throw new Problem('refused', { detail: 'dateFrom is after dateTo' });
    const found = await keepsake.readRun('person').search(request);
    if (found.kind === 'bad-scope')
      throw new Problem('refused', { detail: `scope ${found.pattern}: ${found.reason}` });
    return c.json(showFound(found).value, 200);
  });
  app.openapi(tree, async (c) => {
    const { path, depth } = c.req.valid('query');
    if (path !== undefined) await mustExist(keepsake, path);
    const { text, value } = resultOf(
      await readToolNamed('tree').call({ path, depth }, keepsake.readRun('person')),
    );
    return c.json({ ...(value as z.infer<typeof api.treeShown>), text }, 200);
  });
  app.openapi(backlinks, async (c) => {
    const { path, limit } = c.req.valid('query');
    const found = await keepsake.backlinks(pathFrom(path), limit);
    return c.json({ notes: found.map((each) => ({ ...each, path: showPath(each.path) })) }, 200);
  });
  app.openapi(verify, async (c) =>
    c.json({ blocks: await keepsake.verify(c.req.valid('json').document) }, 200),
  );
}

async function mustExist(keepsake: RouteParts['keepsake'], text: string): Promise<void> {
  const path = pathFrom(text);
  const read = await keepsake.readFile(path);
  if (read.kind === 'missing') throw noFile(path, read);
}
