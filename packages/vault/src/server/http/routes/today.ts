import { createRoute } from '@hono/zod-openapi';
import { api, createTimeZone } from '../../../contract/index.ts';
import { showToday } from '../../../tools/index.ts';
import { formatCalendar } from '../format-calendar.ts';
import { jsonContent, vaultBasePath } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import type { HttpApp } from '../request-env.ts';

const today = createRoute({
  method: 'get',
  path: `${vaultBasePath}/today`,
  tags: ['reading'],
  summary: 'List due tasks, appointments and recent changes',
  request: { params: api.vaultParams, query: api.todayQuery },
  responses: { 200: jsonContent(api.today, 'The day') },
});
const calendar = createRoute({
  method: 'get',
  path: `${vaultBasePath}/calendar.ics`,
  tags: ['reading'],
  summary: 'Subscribe to dated tasks and appointments',
  description: 'An iCalendar feed. A token with the scope calendar is valid only here.',
  request: { params: api.vaultParams, query: api.calendarQuery },
  responses: {
    200: {
      description: 'Dated unfinished tasks and appointments',
      content: { 'text/calendar': { schema: { type: 'string' } } },
    },
  },
});

const maxItems = 200;

export function todayRoutes(app: HttpApp, { keepsake, vaultName, clock }: RouteContext): void {
  app.openapi(today, async (c) => {
    const { errors: _, ...value } = showToday(await keepsake.today(c.req.valid('query').day), maxItems);
    return c.json(value, 200);
  });
  app.openapi(calendar, async (c) => {
    const text = formatCalendar(await keepsake.datedTasks(), {
      name: vaultName,
      zone: createTimeZone(),
      now: clock(),
    });
    return c.body(text, 200, {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="calendar.ics"',
    });
  });
}
