import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { explainOutcome } from '../../../tools/index.ts';
import { base, json } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { changeMade } from '../show.ts';
import { findUpdate } from './updates.ts';

const about = { tags: ['updates'], request: { params: api.idParams } };
const decided = { 200: json(api.decided, 'Done') };
const moved = { 200: json(api.moved, 'Where it stands now') };

const undo = createRoute({
  ...about,
  method: 'post',
  path: `${base}/updates/{id}/undo`,
  summary: 'Take back what an update did',
  responses: decided,
});
const approve = createRoute({
  ...about,
  method: 'post',
  path: `${base}/updates/{id}/approve`,
  summary: 'Make a held update, merged over what changed since',
  responses: decided,
});
const reject = createRoute({
  ...about,
  method: 'post',
  path: `${base}/updates/{id}/reject`,
  summary: 'Drop a held update',
  responses: decided,
});
const retry = createRoute({
  ...about,
  method: 'post',
  path: `${base}/updates/{id}/retry`,
  summary: 'Put a parked or cancelled update back in its place',
  responses: moved,
});
const cancel = createRoute({
  ...about,
  method: 'delete',
  path: `${base}/updates/{id}`,
  summary: 'Take an update out that is not being worked on',
  responses: moved,
});

/** The ids are those of updates, or of held changes, which the inbox lists beside them. */
export function updateDecisionRoutes(app: HttpApp, { keepsake }: RouteParts): void {
  const { changes, agents } = keepsake;
  const changeOf = (id: string): string => agents.updates.find(id)?.id ?? id;

  app.openapi(undo, async (c) => {
    const id = changeOf(c.req.valid('param').id);
    return c.json({ id, as: changeMade(explainOutcome(await changes.undo(id))) }, 200);
  });
  app.openapi(approve, async (c) => {
    const id = changeOf(c.req.valid('param').id);
    return c.json({ id, as: changeMade(explainOutcome(await changes.approve(id))) }, 200);
  });
  app.openapi(reject, (c) => {
    const id = changeOf(c.req.valid('param').id);
    const found = changes.find(id);
    if (found === null) throw new Problem('no-such-change');
    if (!changes.reject(id)) throw new Problem('wrong-state', { detail: `it is ${found.entry.state}` });
    return c.json({ id, as: null }, 200);
  });
  app.openapi(retry, (c) => {
    const { id, state } = findUpdate(keepsake, c.req.valid('param').id);
    if (!agents.updates.retry(id))
      throw new Problem('wrong-state', { detail: `it is ${state}, so there is nothing to retry` });
    return c.json({ id, state: 'waiting' as const }, 200);
  });
  app.openapi(cancel, (c) => {
    const { id, state } = findUpdate(keepsake, c.req.valid('param').id);
    if (!agents.updates.cancel(id))
      throw new Problem('wrong-state', { detail: `it is ${state}, so it cannot be cancelled` });
    return c.json({ id, state: 'cancelled' as const }, 200);
  });
}
