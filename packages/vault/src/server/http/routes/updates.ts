import { createRoute } from '@hono/zod-openapi';
import type { z } from 'zod';
import { filesFrom } from '../../../app/index.ts';
import type { Update } from '../../../app/index.ts';
import { api } from '../../../contract/index.ts';
import type { UpdateInput } from '../../../contract/index.ts';
import { base, json } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { showUpdate } from '../show.ts';
import { sourceOf } from '../source-of.ts';
import { mediaType } from '../take-body.ts';

const add = createRoute({
  method: 'post',
  path: `${base}/updates`,
  tags: ['updates'],
  summary: 'Hand over information to be filed',
  description: 'Answered once it would survive a power loss.',
  request: {
    params: api.vaultParams,
    headers: api.keyHeader,
    body: {
      content: {
        'application/json': { schema: api.updateRequest },
        'multipart/form-data': { schema: api.updateForm },
      },
    },
  },
  responses: { 202: json(api.accepted, 'It is on disk') },
});
const list = createRoute({
  method: 'get',
  path: `${base}/updates`,
  tags: ['updates'],
  summary: 'List updates, newest first',
  request: { params: api.vaultParams, query: api.updatesQuery },
  responses: { 200: json(api.updates, 'Updates') },
});
const show = createRoute({
  method: 'get',
  path: `${base}/updates/{id}`,
  tags: ['updates'],
  summary: 'Show one update with its steps and its diff',
  request: { params: api.idParams, query: api.updateQuery },
  responses: { 200: json(api.updateWithDiff, 'The update') },
});

export function updateRoutes(app: HttpApp, { keepsake, steps, closing }: RouteParts): void {
  const { updates } = keepsake.agents;
  app.openapi(add, async (c) => {
    const type = mediaType(c.req.raw.headers);
    if (type === null) throw new Problem('wrong-type', { detail: 'there is no content type, or no body' });
    // The types know only one of the two bodies; which one was checked, its media type says.
    const { key, ...input } =
      type === 'multipart/form-data'
        ? await fromForm(c.req.valid('form') as z.output<typeof api.updateForm>)
        : fromJson(c.req.valid('json') as z.output<typeof api.updateRequest>);
    const accepted = await keepsake.accept(
      { ...input, source: sourceOf(c.get('caller'), input.files, input.source) },
      { key: key ?? c.req.valid('header')['idempotency-key'], signal: c.req.raw.signal },
    );
    return c.json({ status: 'accepted' as const, ...accepted }, 202);
  });
  app.openapi(list, (c) => {
    const { state, limit } = c.req.valid('query');
    return c.json({ updates: updates.list({ state, limit }).map(showUpdate) }, 200);
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
      { ...showUpdate(update), diffs: (await own?.diffs()) ?? [], steps: [...steps.of(update.id)] },
      200,
    );
  });
}

export function findUpdate({ agents }: RouteParts['keepsake'], id: string): Update {
  const update = agents.updates.find(id);
  if (update === undefined) throw new Problem('no-such-update');
  return update;
}

/** A request with the bytes of its files, whichever way it came. */
type Received = Omit<z.output<typeof api.updateRequest>, 'files'> & Pick<UpdateInput, 'files'>;

function fromJson(request: z.output<typeof api.updateRequest>): Received {
  return { ...request, files: filesFrom(request.files) };
}

async function fromForm(form: z.output<typeof api.updateForm>): Promise<Received> {
  const { text, sourceKind, sourceName, inboxRef, key } = form;
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
    ...(key !== undefined && { key }),
  };
}
