import { createRoute } from '@hono/zod-openapi';
import { api, KeepsakeError } from '../../../contract/index.ts';
import { requireUser } from '../authorize.ts';
import type { RouteContext } from '../http-options.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { jsonBody, jsonContent, vaultBasePath } from '../route-schemas.ts';

const shared = {
  method: 'post' as const,
  tags: ['history'],
  description: 'For the signed-in user only, not for tokens.',
  request: { params: api.vaultParams, body: jsonBody(api.forgetRequest) },
};
const plan = createRoute({
  ...shared,
  path: `${vaultBasePath}/forget/plan`,
  summary: 'List every place that contains what is to be forgotten',
  responses: { 200: jsonContent(api.forgetPlan, 'The places') },
});
const forget = createRoute({
  ...shared,
  path: `${vaultBasePath}/forget`,
  summary: 'Remove words for good, also from history; cannot be undone',
  responses: { 200: jsonContent(api.forgetReceipt, 'What was removed') },
});

export function forgetRoutes(app: HttpApp, { forgetting }: RouteContext): void {
  app.openapi(plan, async (c) => {
    requireUser(c.get('caller'));
    const { places, unreachable } = await withProblem(forgetting.forget.plan(c.req.valid('json')));
    return c.json({ places, unreachable }, 200);
  });
  app.openapi(forget, async (c) => {
    requireUser(c.get('caller'));
    const planned = await withProblem(forgetting.forget.plan(c.req.valid('json')));
    const { places, remaining, unreachable } = await withProblem(forgetting.forget.run(planned));
    return c.json({ places, remaining, unreachable }, 200);
  });
}

/** Turns a refusal into a problem document. */
async function withProblem<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof KeepsakeError)) throw cause;
    const code = cause.code === 'busy' ? 'wrong-state' : 'refused';
    throw new Problem(code, {
      detail: cause.message,
      hint: cause.hint === '' ? undefined : cause.hint,
      cause,
    });
  }
}
