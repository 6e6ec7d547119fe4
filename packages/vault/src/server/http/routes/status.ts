import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { readDailyNotesSetting } from '../../../vault/index.ts';
import type { Principal } from '../../auth/auth.ts';
import { vaultBasePath, jsonContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import type { HttpApp } from '../request-env.ts';

const show = createRoute({
  method: 'get',
  path: `${vaultBasePath}/status`,
  tags: ['status'],
  summary: 'Get index, queue, models and spend',
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.status, 'Status') },
});

export function statusRoutes(
  app: HttpApp,
  { keepsake, root, vaultName, version, model, streams }: RouteContext,
): void {
  const { agents } = keepsake;
  app.openapi(show, async (c) => {
    const caller = c.get('caller');
    const index = await keepsake.indexStatus();
    const chosen = model();
    const { waiting, running, parked } = agents.updates.counts();
    const spend = agents.spentToday();
    const layout = keepsake.layout();
    return c.json(
      {
        vault: vaultName,
        role: caller?.isUser === true ? caller.role : null,
        canWrite: caller?.scope === 'write',
        here: caller?.isUser === true ? namesOfOthers(streams.users(), caller) : [],
        member: caller?.isUser === true && caller.memberId !== null ? caller.name : null,
        version,
        timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
        index,
        queue: { waiting, running, parked },
        models: {
          agents: 'name' in chosen ? chosen.name : null,
          problem: 'missing' in chosen ? chosen.missing : null,
        },
        spend: {
          tokens: spend.tokens,
          cost: spend.cost === 0 && 'name' in chosen && !chosen.hasPrices ? null : spend.cost,
        },
        layout: { ...layout.names, problem: layout.problem },
        dailyNotes: caller?.isUser === true ? readDailyNotesSetting(root) : null,
        loss: keepsake.changes.recentMassDeletion(),
      },
      200,
    );
  });
}

function namesOfOthers(users: readonly Principal[], caller: Principal): (string | null)[] {
  return users
    .filter(({ id, kind }) => id !== caller.id && kind === 'session')
    .map(({ memberId, name }) => (memberId === null ? null : name));
}
