import { createRoute } from '@hono/zod-openapi';
import { api, createTimeZone } from '../../../contract/index.ts';
import { createClientPolicy, describeOutcome } from '../../../tools/index.ts';
import { toSender, requireUser, requireUndoPermission } from '../authorize.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { parsePath } from '../paths.ts';
import { Problem } from '../problem.ts';
import { memberOrigin, resolveOrigin } from '../resolve-source.ts';
import type { HttpApp } from '../request-env.ts';
import { unwrapChangeId, conflictHint } from '../views.ts';
import { toChangeView } from '../change-view.ts';

const tags = ['history'];
const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/history`,
  tags,
  summary: 'List changes, newest first',
  request: { params: api.vaultParams, query: api.historyQuery },
  responses: { 200: jsonContent(api.history, 'Changes') },
});
const days = createRoute({
  method: 'get',
  path: `${vaultBasePath}/history/days`,
  tags,
  summary: 'Count the changes of each day of the last year, by author',
  description: 'For the signed-in user only; empty for tokens.',
  request: { params: api.vaultParams, query: api.historyDaysQuery },
  responses: { 200: jsonContent(api.historyActivity, 'The days with changes') },
});
const show = createRoute({
  method: 'get',
  path: `${vaultBasePath}/history/{id}`,
  tags,
  summary: 'Show one change as a diff',
  request: { params: api.idParams, query: api.changeQuery },
  responses: { 200: jsonContent(api.changeWithDiff, 'The change') },
});
const undo = createRoute({
  method: 'post',
  path: `${vaultBasePath}/history/{id}/undo`,
  tags,
  summary: 'Undo a change; later edits are kept',
  description:
    'A token can undo only its own changes; after an hour, or if much text is removed, the undo is held.',
  request: { params: api.idParams, body: jsonContent(api.undoRequest, 'Omit to undo the whole change') },
  responses: { 200: jsonContent(api.undoResponse, 'Applied, or held for approval') },
});
const restore = createRoute({
  method: 'post',
  path: `${vaultBasePath}/history/{id}/restore`,
  tags,
  summary: 'Restore a file to its state after a change',
  description: 'For the signed-in user only, not for tokens.',
  request: { params: api.idParams, body: jsonBody(api.restoreRequest) },
  responses: { 200: jsonContent(api.changeDecision, 'Done') },
});

/** One year, rounded up to whole weeks. */
const daysInYear = 371;

export function historyRoutes(app: HttpApp, { keepsake, auth }: RouteContext): void {
  const { changes } = keepsake;
  app.openapi(list, (c) => {
    const { path, folder, kind, who, name, day, timeZone, held, state, after, limit } = c.req.valid('query');
    const zone = createTimeZone(timeZone);
    const entries = changes.list({
      path: path === undefined ? undefined : parsePath(path),
      folder: folder === undefined ? undefined : parsePath(folder),
      kind,
      who: who && { kind: who, name },
      span: day === undefined ? undefined : zone.spanOf(day),
      state: held === 'true' ? 'held' : state,
      joinsStamps: true,
      after,
      limit,
    });
    const next = entries.length === limit ? (entries.at(-1)?.id ?? null) : null;
    return c.json({ changes: entries.map((entry) => toChangeView(entry, zone)), next }, 200);
  });
  app.openapi(days, (c) =>
    c.json(changes.days(daysInYear, createTimeZone(c.req.valid('query').timeZone)), 200),
  );
  app.openapi(show, async (c) => {
    const { id } = c.req.valid('param');
    const found = changes.find(id);
    if (found === null) throw new Problem(changes.findExpired(id) === null ? 'no-such-change' : 'expired');
    const { entry, isUndone } = found;
    const { path } = c.req.valid('query');
    const diffs = await found.diffs(path === undefined ? undefined : parsePath(path));
    return c.json({ ...entry, isUndone, paths: diffs.map((each) => each.path), diffs }, 200);
  });
  app.openapi(undo, async (c) => {
    const { id } = c.req.valid('param');
    const { path, conflict } = c.req.valid('json');
    const caller = c.get('caller');
    requireUndoPermission(caller, changes.find(id), conflict);
    const { connection, assertAllowed } = toSender(caller, auth);
    const undone = await changes.undo(id, {
      path: path === undefined ? undefined : parsePath(path),
      onConflict: conflict,
      member: memberOrigin(caller),
      assertAllowed,
      ...(connection !== undefined && {
        requestedBy: {
          policy: createClientPolicy(connection),
          origin: resolveOrigin(caller),
        },
      }),
    });
    if (undone.kind === 'held')
      return c.json({ id, as: null, held: { id: undone.id, reason: undone.reason } }, 200);
    return c.json({ id, as: unwrapChangeId(describeOutcome(undone, conflictHint)), held: null }, 200);
  });
  app.openapi(restore, async (c) => {
    requireUser(c.get('caller'));
    const { id } = c.req.valid('param');
    const path = parsePath(c.req.valid('json').path);
    return c.json(
      {
        id,
        as: unwrapChangeId(
          describeOutcome(
            await changes.restore(id, path, {
              member: memberOrigin(c.get('caller')),
              assertAllowed: toSender(c.get('caller'), auth).assertAllowed,
            }),
          ),
        ),
      },
      200,
    );
  });
}
