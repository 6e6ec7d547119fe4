import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { base, bytes } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import type { HttpApp } from '../request-env.ts';

const follow = createRoute({
  method: 'get',
  path: `${base}/events`,
  tags: ['events'],
  summary: 'What happens, as it happens',
  description:
    'Server-sent events. With Last-Event-ID it goes on after that event; the event reset comes first when some are lost, and means: read anew what you show.',
  request: {
    params: api.vaultParams,
    headers: z.object({ 'last-event-id': z.string().max(100).optional() }),
  },
  responses: { 200: bytes('text/event-stream', 'Events, and a comment every 15 seconds') },
});

export function eventRoutes(app: HttpApp, { feed, streams }: RouteParts): void {
  app.openapi(follow, (c) => {
    const caller = c.get('caller');
    streams.check(caller);
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    const { 'last-event-id': last } = c.req.valid('header');
    return c.body(streams.count(feed.follow(last), caller), 200, headers);
  });
}
