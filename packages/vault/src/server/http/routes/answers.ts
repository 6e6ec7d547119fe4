import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { answerOrSearch } from '../../answers/answers.ts';
import { getPrincipalId } from '../../answers/principal-id.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { HttpLimits } from '../limits.ts';
import type { RouteContext } from '../http-options.ts';
import type { HttpApp } from '../request-env.ts';
import { Problem } from '../problem.ts';
import { findAnswer } from './stored-answers.ts';

const ask = createRoute({
  method: 'post',
  path: `${vaultBasePath}/answers`,
  tags: ['answers'],
  summary: 'Ask the search agent',
  description:
    'Responds when the answer is complete; disconnecting cancels it. With keep, it responds immediately and the answer continues in the background.',
  request: { params: api.vaultParams, body: jsonBody(api.askRequest) },
  responses: {
    200: jsonContent(api.askResponse, 'A short overview, followed by verbatim source lines'),
    202: jsonContent(api.savedAnswer, 'Started and stored'),
  },
});

export function answerRoutes(app: HttpApp, { keepsake, answers, limits }: RouteContext): void {
  const count = createQuestionLimiter(limits);
  app.openapi(ask, async (c) => {
    const { question, keep, follows = null } = c.req.valid('json');
    const caller = c.get('caller');
    const end = count(caller?.id ?? '');
    if (!keep && follows === null) {
      const { signal } = c.req.raw;
      const { answer, by } = await answerOrSearch({ keepsake, question }, { signal }).finally(end);
      return c.json({ ...answer, by }, 200);
    }
    const principalId = getPrincipalId(caller);
    try {
      if (follows !== null) findAnswer(answers, principalId, follows);
      const id = answers.start({ keepsake, principalId, question, follows }, end);
      return c.json(findAnswer(answers, principalId, id), 202);
    } catch (error) {
      end();
      throw error;
    }
  });
}

/**
 * Limits concurrent questions, because each one runs a model. The returned function reserves a slot and returns a
 * function that releases it.
 */
function createQuestionLimiter({
  maxQuestions,
  maxQuestionsPerClient,
}: HttpLimits): (caller: string) => () => void {
  const open = new Set<{ caller: string }>();
  return (caller) => {
    const own = [...open].filter((each) => each.caller === caller).length;
    if (open.size >= maxQuestions || own >= maxQuestionsPerClient)
      throw new Problem('too-many', {
        detail: `too many concurrent questions (yours: ${own}, total: ${open.size})`,
        headers: { 'retry-after': '5' },
      });
    const one = { caller };
    open.add(one);
    return () => void open.delete(one);
  };
}
