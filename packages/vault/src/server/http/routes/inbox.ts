import { createRoute } from '@hono/zod-openapi';
import { filesFrom } from '../../../app/index.ts';
import { api } from '../../../contract/index.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { showWaiting } from '../show.ts';
import { sourceOf } from '../source-of.ts';

const list = createRoute({
  method: 'get',
  path: `${base}/inbox`,
  tags: ['inbox'],
  summary: 'What waits for you',
  request: { params: api.vaultParams },
  responses: { 200: json(api.inbox, 'Questions, and changes that need approval') },
});
const answer = createRoute({
  method: 'post',
  path: `${base}/inbox/{item}/answer`,
  tags: ['inbox'],
  summary: 'Answer a question',
  description: 'With a token it counts as the word of somebody else than the person.',
  request: { params: api.itemParams, headers: api.keyHeader, body: jsonBody(api.inboxAnswer) },
  responses: { 202: json(api.accepted, 'It is on disk') },
});

export function inboxRoutes(app: HttpApp, { keepsake }: RouteParts): void {
  app.openapi(list, async (c) => {
    return c.json({ waiting: (await keepsake.inbox()).map(showWaiting) }, 200);
  });
  app.openapi(answer, async (c) => {
    const { item } = c.req.valid('param');
    const waiting = await keepsake.inbox();
    if (!waiting.some((each) => each.kind === 'question' && each.item === item))
      throw new Problem('no-such-item');
    const { text, files, key = c.req.valid('header')['idempotency-key'] } = c.req.valid('json');
    const input = { text, files: filesFrom(files), inboxRef: item };
    const accepted = await keepsake.accept(
      { ...input, source: sourceOf(c.get('caller'), input.files) },
      { key, signal: c.req.raw.signal },
    );
    return c.json({ status: 'accepted' as const, ...accepted }, 202);
  });
}
