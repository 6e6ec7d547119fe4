import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { answerWith } from '../../answers/answers.ts';
import { askerOf } from '../../answers/asker-of.ts';
import { base, json, jsonBody } from '../describe.ts';
import type { Limits } from '../limits.ts';
import type { RouteParts } from '../parts.ts';
import type { HttpApp } from '../request-env.ts';
import { Problem } from '../problem.ts';
import { findAnswer } from './kept-answers.ts';

const ask = createRoute({
  method: 'post',
  path: `${base}/answers`,
  tags: ['answers'],
  summary: 'Ask the search agent',
  description:
    'Answered once there is an answer; who goes away before that has it stopped. With keep it is answered at once, and the answer goes on.',
  request: { params: api.vaultParams, body: jsonBody(api.question) },
  responses: {
    200: json(api.answered, 'Some lines of orientation, then source lines word for word'),
    202: json(api.keptAnswer, 'It is begun, and kept'),
  },
});

export function answerRoutes(app: HttpApp, { keepsake, answers, limits }: RouteParts): void {
  const count = countQuestions(limits);
  app.openapi(ask, async (c) => {
    const { question, keep, follows = null } = c.req.valid('json');
    const caller = c.get('caller');
    const end = count(caller?.id ?? '');
    if (!keep && follows === null) {
      const { signal } = c.req.raw;
      const { answer, by } = await answerWith({ keepsake, question }, { signal }).finally(end);
      return c.json({ ...answer, by }, 200);
    }
    const asker = askerOf(caller);
    try {
      if (follows !== null) findAnswer(answers, asker, follows);
      const id = answers.begin({ keepsake, asker, question, follows }, end);
      return c.json(findAnswer(answers, asker, id), 202);
    } catch (error) {
      end();
      throw error;
    }
  });
}

/** Each is a run of a model: who asks too many at once is told so. Gives what ends one. */
function countQuestions({ questions, callerQuestions }: Limits): (caller: string) => () => void {
  const open = new Set<{ caller: string }>();
  return (caller) => {
    const own = [...open].filter((each) => each.caller === caller).length;
    if (open.size >= questions || own >= callerQuestions)
      throw new Problem('too-many', {
        detail: `${own} of your questions are being answered, and ${open.size} in all`,
        headers: { 'retry-after': '5' },
      });
    const one = { caller };
    open.add(one);
    return () => void open.delete(one);
  };
}
