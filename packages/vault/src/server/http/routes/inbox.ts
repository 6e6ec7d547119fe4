import { createRoute } from '@hono/zod-openapi';
import { decodeFiles } from '../../../app/index.ts';
import { api } from '../../../contract/index.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { toIntakeRequest } from '../intake-request.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { toInboxEntry } from '../views.ts';
import { resolveSource } from '../resolve-source.ts';

const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/inbox`,
  tags: ['inbox'],
  summary: 'List what waits for the user',
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.inbox, 'Questions and changes that need approval') },
});
const answer = createRoute({
  method: 'post',
  path: `${vaultBasePath}/inbox/{item}/answer`,
  tags: ['inbox'],
  summary: 'Answer a question',
  description: 'An answer sent with a token is not attributed to the user.',
  request: { params: api.itemParams, headers: api.idempotencyKeyHeader, body: jsonBody(api.inboxReply) },
  responses: { 202: jsonContent(api.updateAccepted, 'Stored durably') },
});

export function inboxRoutes(app: HttpApp, { keepsake }: RouteContext): void {
  app.openapi(list, async (c) => {
    return c.json({ waiting: (await keepsake.inbox()).map(toInboxEntry) }, 200);
  });
  app.openapi(answer, async (c) => {
    const { item } = c.req.valid('param');
    const waiting = await keepsake.inbox();
    if (!waiting.some((each) => each.kind === 'question' && each.item === item))
      throw new Problem('no-such-item');
    const { text, choice, files, key = c.req.valid('header')['idempotency-key'] } = c.req.valid('json');
    const input = {
      text,
      files: decodeFiles(files),
      inboxRef: item,
      ...(choice !== undefined && { choice }),
    };
    const accepted = await keepsake.accept(
      { ...input, source: resolveSource(c.get('caller'), input.files) },
      { key, ...toIntakeRequest(c) },
    );
    return c.json({ status: 'accepted' as const, ...accepted }, 202);
  });
}
