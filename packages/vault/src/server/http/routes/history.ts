import { createRoute } from '@hono/zod-openapi';
import { api, createTimeZone } from '../../../contract/index.ts';
import { explainOutcome, mcpConnection } from '../../../tools/index.ts';
import { checkPerson, checkTakingBack } from '../check-person.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { pathFrom } from '../paths.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { changeMade, decideConflict } from '../show.ts';
import { showChange } from '../show-change.ts';

const tags = ['history'];
const list = createRoute({
  method: 'get',
  path: `${base}/history`,
  tags,
  summary: 'List changes, newest first',
  request: { params: api.vaultParams, query: api.historyQuery },
  responses: { 200: json(api.history, 'Changes') },
});
const days = createRoute({
  method: 'get',
  path: `${base}/history/days`,
  tags,
  summary: 'How many changes each day of a year had, and by whom',
  description: 'For the person; a token is told of none.',
  request: { params: api.vaultParams, query: api.historyDaysQuery },
  responses: { 200: json(api.historyDays, 'The days that had any') },
});
const show = createRoute({
  method: 'get',
  path: `${base}/history/{id}`,
  tags,
  summary: 'Show one change as a diff',
  request: { params: api.idParams, query: api.changeQuery },
  responses: { 200: json(api.changeWithDiff, 'The change') },
});
const undo = createRoute({
  method: 'post',
  path: `${base}/history/{id}/undo`,
  tags,
  summary: 'Take a change back; edits made since stay',
  description: 'A token takes back what it made itself; everything else is for the person.',
  request: { params: api.idParams, body: json(api.undoRequest, 'Left out for all of it') },
  responses: { 200: json(api.undone, 'Done, or put aside') },
});
const restore = createRoute({
  method: 'post',
  path: `${base}/history/{id}/restore`,
  tags,
  summary: 'Make a file what it was right after a change',
  description: 'Only the person can do that: a token cannot.',
  request: { params: api.idParams, body: jsonBody(api.restoreRequest) },
  responses: { 200: json(api.decided, 'Done') },
});

/** A year and the week that it began in. */
const daysInYear = 371;

export function historyRoutes(app: HttpApp, { keepsake }: RouteParts): void {
  const { changes } = keepsake;
  app.openapi(list, (c) => {
    const { path, folder, kind, who, name, day, timeZone, held, state, after, limit } = c.req.valid('query');
    const zone = createTimeZone(timeZone);
    const entries = changes.list({
      path: path === undefined ? undefined : pathFrom(path),
      folder: folder === undefined ? undefined : pathFrom(folder),
      kind,
      who: who && { kind: who, name },
      span: day === undefined ? undefined : zone.spanOf(day),
      state: held === 'true' ? 'held' : state,
      after,
      limit,
    });
    const next = entries.length === limit ? (entries.at(-1)?.id ?? null) : null;
    return c.json({ changes: entries.map((entry) => showChange(entry, zone)), next }, 200);
  });
  app.openapi(days, (c) =>
    c.json(changes.days(daysInYear, createTimeZone(c.req.valid('query').timeZone)), 200),
  );
  app.openapi(show, async (c) => {
    const found = changes.find(c.req.valid('param').id);
    if (found === null) throw new Problem('no-such-change');
    const { entry, isUndone } = found;
    const { path } = c.req.valid('query');
    const diffs = await found.diffs(path === undefined ? undefined : pathFrom(path));
    return c.json({ ...entry, isUndone, paths: diffs.map((each) => each.path), diffs }, 200);
  });
  app.openapi(undo, async (c) => {
    const { id } = c.req.valid('param');
    const { path, conflict, origin = 'mcp' } = c.req.valid('json');
    const caller = c.get('caller');
    const isForClient = caller?.kind === 'owner' && !caller.isPerson;
    if (!isForClient) checkTakingBack(caller, changes.find(id), conflict);
    const undone = await changes.undo(id, {
      path: path === undefined ? undefined : pathFrom(path),
      onConflict: conflict,
      ...(isForClient && { by: { connection: mcpConnection.name, origin } }),
    });
    if (undone.kind === 'held')
      return c.json({ id, as: null, held: { id: undone.id, reason: undone.reason } }, 200);
    return c.json({ id, as: changeMade(explainOutcome(undone, decideConflict)), held: null }, 200);
  });
  app.openapi(restore, async (c) => {
    checkPerson(c.get('caller'));
    const { id } = c.req.valid('param');
    const path = pathFrom(c.req.valid('json').path);
    return c.json({ id, as: changeMade(explainOutcome(await changes.restore(id, path))) }, 200);
  });
}
