import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { explainOutcome } from '../../../tools/index.ts';
import { checkPerson, checkTakingBack } from '../check-person.ts';
import { base, json } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { changeMade, decideConflict } from '../show.ts';
import { findUpdate } from './updates.ts';

const about = { tags: ['updates'], request: { params: api.idParams } };
const deciding = {
  ...about,
  request: { ...about.request, body: json(api.decisionRequest, 'Left out to write nothing over a conflict') },
};
const decided = { 200: json(api.decided, 'Done') };
const moved = { 200: json(api.moved, 'Where it stands now') };

const undo = createRoute({
  ...deciding,
  method: 'post',
  path: `${base}/updates/{id}/undo`,
  summary: 'Take back what an update did',
  description: 'Only the person can do that: a token cannot.',
  responses: decided,
});
const approve = createRoute({
  ...deciding,
  method: 'post',
  path: `${base}/updates/{id}/approve`,
  summary: 'Make a held update, merged over what changed since',
  description: 'Only the person can agree to it: a token cannot.',
  responses: decided,
});
const reject = createRoute({
  ...about,
  method: 'post',
  path: `${base}/updates/{id}/reject`,
  summary: 'Drop a held update',
  description: 'Only the person can do that: a token cannot.',
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
    const { conflict } = c.req.valid('json');
    checkTakingBack(c.get('caller'), changes.find(id), conflict);
    const undone = await changes.undo(id, { onConflict: conflict });
    return c.json({ id, as: changeMade(explainOutcome(undone, decideConflict)) }, 200);
  });
  app.openapi(approve, async (c) => {
    checkPerson(c.get('caller'));
    const id = changeOf(c.req.valid('param').id);
    const made = await changes.approve(id, c.req.valid('json').conflict);
    return c.json({ id, as: changeMade(explainOutcome(made, decideConflict)) }, 200);
  });
  app.openapi(reject, async (c) => {
    checkPerson(c.get('caller'));
    const id = changeOf(c.req.valid('param').id);
    const found = changes.find(id);
    if (found === null) throw new Problem('no-such-change');
    if (!(await changes.reject(id)))
      throw new Problem('wrong-state', { detail: `it is ${found.entry.state}` });
    return c.json({ id, as: null }, 200);
  });
  app.openapi(retry, async (c) => {
    const { id, state } = findUpdate(keepsake, c.req.valid('param').id);
    if (!(await agents.updates.retry(id)))
      throw new Problem('wrong-state', { detail: `it is ${state}, so there is nothing to retry` });
    return c.json({ id, state: 'waiting' as const }, 200);
  });
  app.openapi(cancel, async (c) => {
    const { id, state } = findUpdate(keepsake, c.req.valid('param').id);
    if (!(await agents.updates.cancel(id)))
      throw new Problem('wrong-state', { detail: `it is ${state}, so it cannot be cancelled` });
    return c.json({ id, state: 'cancelled' as const }, 200);
  });
}
