import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { tools } from '../../../tools/index.ts';
import type { ToolOutcome } from '../../../tools/index.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { originOf } from '../source-of.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const call = createRoute({
  method: 'post',
  path: `${base}/tools/{tool}`,
  tags: ['tools'],
  summary: 'Call a tool',
  description: 'A tool that changes files commits at once, and needs the scope write.',
  request: { params: api.toolParams, body: jsonBody(api.toolRequest) },
  responses: { 200: json(api.toolOutcome, 'Its result; or why the input was refused') },
});

export function toolRoutes(app: HttpApp, { keepsake }: RouteParts): void {
  app.openapi(call, async (c) => {
    const { tool: name } = c.req.valid('param');
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined)
      throw new Problem('no-such-tool', {
        detail: `there are: ${tools.map((each) => each.name).join(', ')}`,
      });
    const caller = c.get('caller');
    if (tool.effect === 'write' && caller?.scope !== 'write') throw new Problem('wrong-scope');
    const { origin: said, run, input, ...request } = c.req.valid('json');
    const origin = originOf(caller, said);
    const outcome = await keepsake.callTool({
      ...request,
      tool: name,
      input,
      origin,
      token: caller?.token ?? undefined,
      // What one caller has read is no news to another.
      ...(run !== undefined && { run: `${caller?.id} ${run}` }),
    });
    return c.json(showOutcome(outcome), 200);
  });
}

/** The same, with the images as text. */
function showOutcome(outcome: ToolOutcome) {
  if (outcome.kind === 'refused') return outcome;
  const { text, images, value } = outcome.result;
  const { commit } = outcome;
  const shown = images.map(({ path, mediaType, data }) => ({
    path,
    mediaType,
    data: data.toString('base64'),
  }));
  return {
    kind: 'result' as const,
    result: { text, images: shown, value: { ...value } },
    held: commit?.kind === 'held' ? { id: commit.change, reason: commit.reason } : null,
  };
}
