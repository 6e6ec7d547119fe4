import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { tools } from '../../../tools/index.ts';
import type { ToolOutcome } from '../../../tools/index.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import { requireNoOpenRun, toSender } from '../authorize.ts';
import type { RouteContext } from '../http-options.ts';
import { resolveOrigin } from '../resolve-source.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';

const call = createRoute({
  method: 'post',
  path: `${vaultBasePath}/tools/{tool}`,
  tags: ['tools'],
  summary: 'Call a tool',
  description: 'A tool that changes files commits immediately and requires the scope write.',
  request: { params: api.toolParams, body: jsonBody(api.toolRequest) },
  responses: { 200: jsonContent(api.toolOutcome, 'The result, or the reason why the input was rejected') },
});

export function toolRoutes(app: HttpApp, parts: RouteContext): void {
  const { keepsake, auth } = parts;
  app.openapi(call, async (c) => {
    const { tool: name } = c.req.valid('param');
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined)
      throw new Problem('no-such-tool', {
        detail: `available tools: ${tools.map((each) => each.name).join(', ')}`,
      });
    const caller = c.get('caller');
    if (tool.effect === 'write' && caller?.scope !== 'write') throw new Problem('wrong-scope');
    if (tool.effect === 'write') requireNoOpenRun(caller, parts);
    const { origin: claimedOrigin, run, input, ...request } = c.req.valid('json');
    const origin = resolveOrigin(caller, claimedOrigin);
    const outcome = await keepsake.callTool({
      ...request,
      tool: name,
      input,
      origin,
      ...toSender(caller, auth),
      // Reads are tracked per caller: lines read by one caller do not count as shown to another.
      ...(run !== undefined && { run: `${caller?.id} ${run}` }),
    });
    return c.json(showOutcome(outcome), 200);
  });
}

/** Encodes the images as base64. */
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
