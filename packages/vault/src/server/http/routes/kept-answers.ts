import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { bucketPath, childPath, folderIn, showPath } from '../../../vault/index.ts';
import type { Answers } from '../../answers/answers.ts';
import { noteOf } from '../../answers/answer-note.ts';
import { askerOf } from '../../answers/asker-of.ts';
import { followAnswer } from '../../answers/follow-answer.ts';
import { putFile } from '../change-file.ts';
import { base, bytes, json } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import { originOf } from '../source-of.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['answers'];
const list = createRoute({
  method: 'get',
  path: `${base}/answers`,
  tags,
  summary: 'List the answers that are kept for you, newest first',
  request: { params: api.vaultParams, query: api.keptQuery },
  responses: { 200: json(api.keptAnswers, 'At most 500; the oldest give way') },
});
const show = createRoute({
  method: 'get',
  path: `${base}/answers/{id}`,
  tags,
  summary: 'Show one answer',
  request: { params: api.answerParams },
  responses: { 200: json(api.keptAnswer, 'As far as it is') },
});
const follow = createRoute({
  method: 'get',
  path: `${base}/answers/{id}/events`,
  tags,
  summary: 'Follow an answer while it is made',
  description:
    'Server-sent events: step (each an event of the run, with an id), text (what the model has written so far), then answer, as GET shows it. Whoever comes late, or again with Last-Event-ID, gets what was missed.',
  request: {
    params: api.answerParams,
    headers: z.object({ 'last-event-id': z.string().max(100).optional() }),
  },
  responses: { 200: bytes('text/event-stream', 'Events, and a comment every 15 seconds') },
});
const stop = createRoute({
  method: 'post',
  path: `${base}/answers/{id}/stop`,
  tags,
  summary: 'Stop an answer that is not over',
  request: { params: api.answerParams },
  responses: { 200: json(api.keptAnswer, 'It stops; one that is over stays as it is') },
});
const file = createRoute({
  method: 'post',
  path: `${base}/answers/{id}/file`,
  tags,
  summary: 'File an answer as a note in the bucket of the vault',
  request: { params: api.answerParams },
  responses: { 201: json(api.answerFiled, 'The note') },
});
const remove = createRoute({
  method: 'delete',
  path: `${base}/answers/{id}`,
  tags,
  summary: 'Delete an answer',
  request: { params: api.answerParams },
  responses: { 200: json(api.answersRemoved, 'It is gone') },
});
const removeAll = createRoute({
  method: 'delete',
  path: `${base}/answers`,
  tags,
  summary: 'Delete all answers that are kept for you',
  request: { params: api.vaultParams },
  responses: { 200: json(api.answersRemoved, 'They are gone') },
});

export function keptAnswerRoutes(app: HttpApp, { keepsake, answers, streams, limits }: RouteParts): void {
  app.openapi(list, (c) =>
    c.json({ answers: answers.list(askerOf(c.get('caller')), c.req.valid('query').limit) }, 200),
  );
  app.openapi(show, (c) =>
    c.json(findAnswer(answers, askerOf(c.get('caller')), c.req.valid('param').id), 200),
  );
  app.openapi(follow, (c) => {
    const caller = c.get('caller');
    const asker = askerOf(caller);
    const { id } = findAnswer(answers, asker, c.req.valid('param').id);
    streams.check(caller);
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    const after = Number.parseInt(c.req.valid('header')['last-event-id'] ?? '', 10) || 0;
    const events = followAnswer(answers, { asker, id, after, heartbeat: limits.heartbeat });
    return c.body(streams.count(events, caller), 200, headers);
  });
  app.openapi(stop, (c) => {
    const asker = askerOf(c.get('caller'));
    const { id } = findAnswer(answers, asker, c.req.valid('param').id);
    answers.stop(asker, id);
    return c.json(findAnswer(answers, asker, id), 200);
  });
  app.openapi(file, async (c) => {
    const caller = c.get('caller');
    const answer = findAnswer(answers, askerOf(caller), c.req.valid('param').id);
    if (answer.answer === null) throw new Problem('wrong-state', { detail: 'there is no answer to file' });
    const taken = folderIn(await keepsake.contents(), bucketPath)?.files;
    const { name, text } = noteOf({ ...answer, answer: answer.answer }, (each) => taken?.has(each) === true);
    const path = childPath(bucketPath, name);
    const how = { origin: originOf(caller), token: caller?.token ?? undefined, isConfirmed: false };
    const { change } = await putFile(keepsake, { path, wanted: { kind: 'new' }, ...how }, text);
    return c.json({ path: showPath(path), change }, 201);
  });
  app.openapi(remove, (c) => {
    if (!answers.remove(askerOf(c.get('caller')), c.req.valid('param').id))
      throw new Problem('no-such-answer');
    return c.json({ removed: 1 }, 200);
  });
  app.openapi(removeAll, (c) => c.json({ removed: answers.removeAll(askerOf(c.get('caller'))) }, 200));
}

export function findAnswer(
  answers: Answers,
  asker: string,
  id: string,
): NonNullable<ReturnType<Answers['find']>> {
  const answer = answers.find(asker, id);
  if (answer === null) throw new Problem('no-such-answer');
  return answer;
}
