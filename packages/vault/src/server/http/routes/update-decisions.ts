import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { describeOutcome } from '../../../tools/index.ts';
import { requireOwner, requireUser, toSender } from '../authorize.ts';
import { vaultBasePath, jsonContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { memberOrigin } from '../resolve-source.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { unwrapChangeId, conflictHint } from '../views.ts';
import { findUpdate } from './updates.ts';

const about = { tags: ['updates'], request: { params: api.idParams } };
const deciding = {
  ...about,
  request: { ...about.request, body: jsonContent(api.decisionRequest, 'Omit to fail on a conflict') },
};
const decided = { 200: jsonContent(api.changeDecision, 'Done') };
const moved = { 200: jsonContent(api.updateStateChange, 'The new state') };

const undo = createRoute({
  ...deciding,
  method: 'post',
  path: `${vaultBasePath}/updates/{id}/undo`,
  summary: 'Undo an update, or the rejection of a held one',
  description: 'For the signed-in user only, not for tokens.',
  responses: decided,
});
const approve = createRoute({
  ...deciding,
  method: 'post',
  path: `${vaultBasePath}/updates/{id}/approve`,
  summary: 'Approve a held update; it is merged with later changes',
  description: 'For the signed-in user only, not for tokens.',
  responses: decided,
});
const reject = createRoute({
  ...about,
  method: 'post',
  path: `${vaultBasePath}/updates/{id}/reject`,
  summary: 'Reject a held update',
  description: 'For the signed-in user only, not for tokens.',
  responses: decided,
});
const retry = createRoute({
  ...about,
  method: 'post',
  path: `${vaultBasePath}/updates/{id}/retry`,
  summary: 'Retry a parked or cancelled update',
  responses: moved,
});
const cancel = createRoute({
  ...about,
  method: 'delete',
  path: `${vaultBasePath}/updates/{id}`,
  summary: 'Cancel a waiting update',
  responses: moved,
});

/** The ids are those of updates or of held changes; the inbox lists both. */
export function updateDecisionRoutes(app: HttpApp, { keepsake, auth, forgetting }: RouteContext): void {
  const { changes, agents } = keepsake;
  const changeOf = (id: string): string => agents.updates.find(id)?.id ?? id;

  app.openapi(undo, async (c) => {
    const id = changeOf(c.req.valid('param').id);
    requireUser(c.get('caller'));
    const { assertAllowed } = toSender(c.get('caller'), auth);
    const undone = await changes.undo(id, {
      onConflict: c.req.valid('json').conflict,
      member: memberOrigin(c.get('caller')),
      assertAllowed,
    });
    return c.json({ id, as: unwrapChangeId(describeOutcome(undone, conflictHint)) }, 200);
  });
  app.openapi(approve, async (c) => {
    requireUser(c.get('caller'));
    const id = changeOf(c.req.valid('param').id);
    const { assertAllowed } = toSender(c.get('caller'), auth);
    if (forgetting.forgetRequests.find(id) !== null) {
      requireOwner(c.get('caller'));
      throw new Problem('unconfirmed', {
        detail: 'this removes words for good, so look at everything that goes first',
        hint: `POST …/forget/plan with {"kind":"request","id":"${id}"}, then POST …/forget with the code shown`,
      });
    }
    const made = await changes.approve(id, { onConflict: c.req.valid('json').conflict, assertAllowed });
    return c.json({ id, as: unwrapChangeId(describeOutcome(made, conflictHint)) }, 200);
  });
  app.openapi(reject, async (c) => {
    requireUser(c.get('caller'));
    const id = changeOf(c.req.valid('param').id);
    const found = changes.find(id);
    if (found === null) throw new Problem('no-such-change');
    if (!(await changes.reject(id)))
      throw new Problem('wrong-state', { detail: `the change is ${found.entry.state}` });
    return c.json({ id, as: null }, 200);
  });
  app.openapi(retry, async (c) => {
    const { id, state } = findUpdate(keepsake, c.req.valid('param').id);
    if (!(await agents.updates.retry(id)))
      throw new Problem('wrong-state', {
        detail: `the update is ${state}; only parked and cancelled updates can be retried`,
      });
    return c.json({ id, state: 'waiting' as const }, 200);
  });
  app.openapi(cancel, async (c) => {
    const { id, state } = findUpdate(keepsake, c.req.valid('param').id);
    if (!(await agents.updates.cancel(id)))
      throw new Problem('wrong-state', { detail: `the update is ${state} and cannot be cancelled` });
    return c.json({ id, state: 'cancelled' as const }, 200);
  });
}
