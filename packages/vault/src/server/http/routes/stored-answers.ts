import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { bucketPath, childPath, findFolder, formatPath } from '../../../vault/index.ts';
import type { Answers } from '../../answers/answers.ts';
import { formatAnswerNote } from '../../answers/answer-note.ts';
import { getPrincipalId } from '../../answers/principal-id.ts';
import { createAnswerStream } from '../../answers/answer-stream.ts';
import { putFile } from '../change-file.ts';
import { vaultBasePath, binaryContent, jsonContent } from '../route-schemas.ts';
import { toSender } from '../authorize.ts';
import type { RouteContext } from '../http-options.ts';
import { Problem } from '../problem.ts';
import { resolveOrigin } from '../resolve-source.ts';
import type { HttpApp } from '../request-env.ts';

const tags = ['answers'];
const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/answers`,
  tags,
  summary: 'List your stored answers, newest first',
  request: { params: api.vaultParams, query: api.savedAnswersQuery },
  responses: { 200: jsonContent(api.savedAnswers, 'At most 500; the oldest are deleted') },
});
const show = createRoute({
  method: 'get',
  path: `${vaultBasePath}/answers/{id}`,
  tags,
  summary: 'Show one answer',
  request: { params: api.answerParams },
  responses: { 200: jsonContent(api.savedAnswer, 'The answer so far') },
});
const follow = createRoute({
  method: 'get',
  path: `${vaultBasePath}/answers/{id}/events`,
  tags,
  summary: 'Stream an answer while it is being written',
  description:
    'Server-sent events: step (an event of the run, with an id), passages (what the agent has found most recently), text (the text of the model so far), then answer (the same as GET returns). Clients that connect late, or reconnect with Last-Event-ID, get the missed events.',
  request: {
    params: api.answerParams,
    headers: z.object({ 'last-event-id': z.string().max(100).optional() }),
  },
  responses: { 200: binaryContent('text/event-stream', 'Events, and a heartbeat comment every 15 seconds') },
});
const stop = createRoute({
  method: 'post',
  path: `${vaultBasePath}/answers/{id}/stop`,
  tags,
  summary: 'Cancel a running answer',
  request: { params: api.answerParams },
  responses: {
    200: jsonContent(api.savedAnswer, 'The answer is being cancelled; a finished answer is not changed'),
  },
});
const file = createRoute({
  method: 'post',
  path: `${vaultBasePath}/answers/{id}/file`,
  tags,
  summary: 'Save an answer as a note in the bucket of the vault',
  request: { params: api.answerParams },
  responses: { 201: jsonContent(api.answerExport, 'The note') },
});
const remove = createRoute({
  method: 'delete',
  path: `${vaultBasePath}/answers/{id}`,
  tags,
  summary: 'Delete an answer',
  request: { params: api.answerParams },
  responses: { 200: jsonContent(api.answersDeletion, 'Deleted') },
});
const removeAll = createRoute({
  method: 'delete',
  path: `${vaultBasePath}/answers`,
  tags,
  summary: 'Delete all your stored answers',
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.answersDeletion, 'Deleted') },
});

export function storedAnswerRoutes(
  app: HttpApp,
  { keepsake, answers, streams, limits, auth }: RouteContext,
): void {
  app.openapi(list, (c) =>
    c.json({ answers: answers.list(getPrincipalId(c.get('caller')), c.req.valid('query').limit) }, 200),
  );
  app.openapi(show, (c) =>
    c.json(findAnswer(answers, getPrincipalId(c.get('caller')), c.req.valid('param').id), 200),
  );
  app.openapi(follow, (c) => {
    const caller = c.get('caller');
    const principalId = getPrincipalId(caller);
    const { id } = findAnswer(answers, principalId, c.req.valid('param').id);
    streams.reserve(caller);
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    const after = Number.parseInt(c.req.valid('header')['last-event-id'] ?? '', 10) || 0;
    const events = createAnswerStream(answers, {
      principalId,
      id,
      after,
      heartbeatIntervalMs: limits.heartbeatIntervalMs,
    });
    return c.body(streams.track(events, caller), 200, headers);
  });
  app.openapi(stop, (c) => {
    const principalId = getPrincipalId(c.get('caller'));
    const { id } = findAnswer(answers, principalId, c.req.valid('param').id);
    answers.stop(principalId, id);
    return c.json(findAnswer(answers, principalId, id), 200);
  });
  app.openapi(file, async (c) => {
    const caller = c.get('caller');
    const answer = findAnswer(answers, getPrincipalId(caller), c.req.valid('param').id);
    if (answer.answer === null)
      throw new Problem('wrong-state', { detail: 'the question has no answer to save' });
    const existingFiles = findFolder(await keepsake.contents(), bucketPath)?.files;
    const { name, text } = formatAnswerNote(
      { ...answer, answer: answer.answer },
      (each) => existingFiles?.has(each) === true,
    );
    const path = childPath(bucketPath, name);
    const changeRequest = {
      origin: resolveOrigin(caller),
      ...toSender(caller, auth),
      isConfirmed: false,
    };
    const { change } = await putFile(
      keepsake,
      { path, precondition: { kind: 'new' }, ...changeRequest },
      text,
    );
    return c.json({ path: formatPath(path), change }, 201);
  });
  app.openapi(remove, (c) => {
    if (!answers.remove(getPrincipalId(c.get('caller')), c.req.valid('param').id))
      throw new Problem('no-such-answer');
    return c.json({ removed: 1 }, 200);
  });
  app.openapi(removeAll, (c) => c.json({ removed: answers.removeAll(getPrincipalId(c.get('caller'))) }, 200));
}

export function findAnswer(
  answers: Answers,
  principalId: string,
  id: string,
): NonNullable<ReturnType<Answers['find']>> {
  const answer = answers.find(principalId, id);
  if (answer === null) throw new Problem('no-such-answer');
  return answer;
}
