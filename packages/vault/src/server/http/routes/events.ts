import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { vaultBasePath, binaryContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import type { HttpApp } from '../request-env.ts';

const follow = createRoute({
  method: 'get',
  path: `${vaultBasePath}/events`,
  tags: ['events'],
  summary: 'Stream events',
  description:
    'Server-sent events. With Last-Event-ID, the stream continues after that event; a reset event is sent first when events were dropped: reload your data.',
  request: {
    params: api.vaultParams,
    headers: z.object({ 'last-event-id': z.string().max(100).optional() }),
  },
  responses: { 200: binaryContent('text/event-stream', 'Events, and a heartbeat comment every 15 seconds') },
});

export function eventRoutes(app: HttpApp, { feed, streams }: RouteContext): void {
  app.openapi(follow, (c) => {
    const caller = c.get('caller');
    streams.reserve(caller);
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    const { 'last-event-id': last } = c.req.valid('header');
    return c.body(streams.track(feed.subscribe(last), caller), 200, headers);
  });
}
