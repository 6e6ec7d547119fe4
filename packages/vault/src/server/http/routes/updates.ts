import { createRoute } from '@hono/zod-openapi';
import type { z } from 'zod';
import { decodeFiles } from '../../../app/index.ts';
import type { Update } from '../../../app/index.ts';
import { api } from '../../../contract/index.ts';
import type { UpdateInput } from '../../../contract/index.ts';
import { vaultBasePath, jsonContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { toIntakeRequest } from '../intake-request.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { toUpdateView } from '../views.ts';
import { resolveSource } from '../resolve-source.ts';
import { parseMediaType } from '../read-body.ts';

const add = createRoute({
  method: 'post',
  path: `${vaultBasePath}/updates`,
  tags: ['updates'],
  summary: 'Submit information to be filed',
  description: 'Responds when the update would survive a power loss.',
  request: {
    params: api.vaultParams,
    headers: api.idempotencyKeyHeader,
    body: {
      content: {
        'application/json': { schema: api.updateRequest },
        'multipart/form-data': { schema: api.updateForm },
      },
    },
  },
  responses: { 202: jsonContent(api.updateAccepted, 'Stored durably') },
});
const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/updates`,
  tags: ['updates'],
  summary: 'List updates, newest first',
  request: { params: api.vaultParams, query: api.updatesQuery },
  responses: { 200: jsonContent(api.updates, 'Updates') },
});
const show = createRoute({
  method: 'get',
  path: `${vaultBasePath}/updates/{id}`,
  tags: ['updates'],
  summary: 'Show one update with its steps and its diff',
  request: { params: api.idParams, query: api.updateQuery },
  responses: { 200: jsonContent(api.updateWithDiff, 'The update') },
});

export function updateRoutes(app: HttpApp, { keepsake, steps, closing }: RouteContext): void {
  const { updates } = keepsake.agents;
  app.openapi(add, async (c) => {
    const type = parseMediaType(c.req.raw.headers);
    if (type === null) throw new Problem('wrong-type', { detail: 'missing Content-Type or body' });
    // The media type decides which of the two schemas was validated; the types cannot express it.
    const { key, keepSecrets, ...input } =
      type === 'multipart/form-data'
        ? await fromForm(c.req.valid('form') as z.output<typeof api.updateForm>)
        : fromJson(c.req.valid('json') as z.output<typeof api.updateRequest>);
    const caller = c.get('caller');
    const accepted = await keepsake.accept(
      {
        ...input,
        source: resolveSource(caller, input.files, input.source),
        keepSecrets: keepSecrets === true && caller?.isUser === true,
      },
      { key: key ?? c.req.valid('header')['idempotency-key'], ...toIntakeRequest(c) },
    );
    return c.json({ status: 'accepted' as const, ...accepted }, 202);
  });
  app.openapi(list, (c) => {
    const { state, limit } = c.req.valid('query');
    return c.json({ updates: updates.list({ state, limit }).map(toUpdateView) }, 200);
  });
  app.openapi(show, async (c) => {
    const { id } = findUpdate(keepsake, c.req.valid('param').id);
    const { wait } = c.req.valid('query');
    if (wait !== undefined) {
      const ending = [c.req.raw.signal, AbortSignal.timeout(wait * 1_000), ...(closing ? [closing] : [])];
      await updates.whenOver(id, AbortSignal.any(ending));
    }
    const update = findUpdate(keepsake, id);
    const change = keepsake.changes.find(update.id);
    const own = change?.entry.id === update.id ? change : null;
    return c.json(
      { ...toUpdateView(update), diffs: (await own?.diffs()) ?? [], steps: [...steps.get(update.id)] },
      200,
    );
  });
}

export function findUpdate({ agents }: RouteContext['keepsake'], id: string): Update {
  const update = agents.updates.find(id);
  if (update === undefined) throw new Problem(agents.updates.isExpired(id) ? 'expired' : 'no-such-update');
  return update;
}

/** A request in either format, with its files decoded. */
type Received = Omit<z.output<typeof api.updateRequest>, 'files'> & Pick<UpdateInput, 'files'>;

function fromJson(request: z.output<typeof api.updateRequest>): Received {
  return { ...request, files: decodeFiles(request.files) };
}

async function fromForm(form: z.output<typeof api.updateForm>): Promise<Received> {
  const { text, sourceKind, sourceName, inboxRef, again, keepSecrets, choice, asNote, project, key } = form;
  const files = await Promise.all(
    [form.files ?? []]
      .flat()
      .map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
  const isNamed = sourceKind !== undefined || sourceName !== undefined;
  return {
    text,
    files,
    ...(isNamed && { source: { kind: sourceKind ?? 'other', name: sourceName ?? 'form' } }),
    ...(inboxRef !== undefined && { inboxRef }),
    ...(again === true && { again }),
    ...(keepSecrets === true && { keepSecrets }),
    ...(choice !== undefined && { choice }),
    ...(asNote === true && { asNote }),
    ...(project !== undefined && { project }),
    ...(key !== undefined && { key }),
  };
}
