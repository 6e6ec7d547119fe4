import { createRoute } from '@hono/zod-openapi';
import type { z } from 'zod';
import type { ForgetRequest } from '../../../app/index.ts';
import { api, KeepsakeError } from '../../../contract/index.ts';
import type { ProblemCode } from '../../../contract/index.ts';
import { requireOwner } from '../authorize.ts';
import type { RouteContext } from '../http-options.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { jsonBody, jsonContent, vaultBasePath } from '../route-schemas.ts';

const shared = {
  method: 'post' as const,
  tags: ['history'],
  description:
    'For owners only, because it cannot be undone. A request to forget that another member adds waits for an owner.',
};
const plan = createRoute({
  ...shared,
  path: `${vaultBasePath}/forget/plan`,
  summary: 'Show everything that forgetting would remove',
  request: { params: api.vaultParams, body: jsonBody(api.forgetTarget) },
  responses: { 200: jsonContent(api.forgetPlan, 'What would be removed') },
});
const forget = createRoute({
  ...shared,
  path: `${vaultBasePath}/forget`,
  request: { params: api.vaultParams, body: jsonBody(api.forgetRequest) },
  summary: 'Remove words for good, also from history; cannot be undone',
  responses: { 200: jsonContent(api.forgetReceipt, 'What was removed') },
});

export function forgetRoutes(app: HttpApp, { forgetting }: RouteContext): void {
  const { forget: words, forgetRequests } = forgetting;
  /** The target itself, or what a held update asks to forget. */
  const open = (target: z.output<typeof api.forgetTarget>): ForgetRequest => {
    if (target.kind !== 'request')
      return { plan: () => words.plan(target), run: (shown) => words.run(target, shown) };
    const request = forgetRequests.find(target.id, target.wholeSentences);
    if (request === null) throw new Problem('no-such-update');
    return request;
  };
  app.openapi(plan, async (c) => {
    requireOwner(c.get('caller'));
    const { places, unreachable, shown } = await withProblem(open(c.req.valid('json')).plan());
    return c.json({ places, unreachable, shown }, 200);
  });
  app.openapi(forget, async (c) => {
    requireOwner(c.get('caller'));
    const { target, shown } = c.req.valid('json');
    const { places, remaining, unreachable } = await withProblem(open(target).run(shown));
    return c.json({ places, remaining, unreachable }, 200);
  });
}

const problems: Record<string, ProblemCode> = { busy: 'wrong-state', changed: 'changed-since' };

/** Turns a refusal into a problem document. */
async function withProblem<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof KeepsakeError)) throw cause;
    throw new Problem(problems[cause.code] ?? 'refused', {
      detail: cause.message,
      hint: cause.hint === '' ? undefined : cause.hint,
      cause,
    });
  }
}
