import { createRoute } from '@hono/zod-openapi';
import { answer, api } from '../../../contract/index.ts';
import type { Answer, KeepsakeEvent } from '../../../contract/index.ts';
import { base, bytes, json, jsonBody } from '../describe.ts';
import { explainError } from '../explain-error.ts';
import type { Limits } from '../limits.ts';
import type { RouteParts } from '../parts.ts';
import type { HttpApp } from '../request-env.ts';
import { describeProblem, Problem } from '../problem.ts';

const ask = createRoute({
  method: 'post',
  path: `${base}/answers`,
  tags: ['reading'],
  summary: 'Ask the search agent',
  description:
    'With Accept: text/event-stream the events step (each an event of the run) come first, then answer, or problem.',
  request: { params: api.vaultParams, body: jsonBody(api.question) },
  responses: {
    200: {
      description: 'Some lines of orientation, then source lines word for word',
      content: { ...json(answer, '').content, ...bytes('text/event-stream', '').content },
    },
  },
});

export function answerRoutes(app: HttpApp, { keepsake, streams, limits }: RouteParts): void {
  const count = countQuestions(limits);
  app.openapi(ask, async (c) => {
    const { question } = c.req.valid('json');
    const isStream = c.req.header('accept')?.includes('text/event-stream') === true;
    const caller = c.get('caller');
    if (isStream) streams.check(caller);
    const end = count(caller?.id ?? '');
    if (!isStream) return c.json(await keepsake.agents.ask(question, c.req.raw.signal).finally(end), 200);
    const stopping = new AbortController();
    const { asked, steps } = begin(keepsake, question, AbortSignal.any([stopping.signal, c.req.raw.signal]));
    void asked.finally(end).catch(() => undefined);
    // What fails at once, as when there is no model, is answered with its status.
    await Promise.race([asked, new Promise(setImmediate)]);
    const requestId = c.get('requestId');
    const body = stream({
      asked,
      steps,
      heartbeat: limits.heartbeat,
      requestId,
      stop: () => stopping.abort(),
    });
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
    return c.body(streams.count(body, caller), 200, headers);
  });
}

/** Each is a run of a model: who asks too many at once is told so. Gives what ends one. */
function countQuestions({ questions, callerQuestions }: Limits): (caller: string) => () => void {
  const open: string[] = [];
  return (caller) => {
    const own = open.filter((each) => each === caller).length;
    if (open.length >= questions || own >= callerQuestions)
      throw new Problem('too-many', {
        detail: `${own} of your questions are being answered, and ${open.length} in all`,
        headers: { 'retry-after': '5' },
      });
    open.push(caller);
    return () => void open.splice(open.indexOf(caller), 1);
  };
}

type Steps = { listen(listener: (event: KeepsakeEvent) => void): void; end(): void };

/** Asks, and keeps the events of this run apart from those of others. */
function begin(
  { agents, events }: RouteParts['keepsake'],
  question: string,
  signal: AbortSignal,
): { asked: Promise<Answer>; steps: Steps } {
  let run: string | null = null;
  const early: KeepsakeEvent[] = [];
  let tell = (event: KeepsakeEvent): void => void early.push(event);
  const end = events.listen((event) => {
    // The run is announced before `ask` returns, so no other can come between.
    if (event.type === 'answer-started' && event.question === question) run ??= event.run;
    if ('run' in event && event.run === run) tell(event);
  });
  const asked = agents.ask(question, signal).finally(end);
  const steps: Steps = {
    listen(listener) {
      tell = listener;
      for (const event of early.splice(0)) listener(event);
    },
    end,
  };
  return { asked, steps };
}

type Streamed = {
  asked: Promise<Answer>;
  steps: Steps;
  heartbeat: number;
  requestId: string;
  /** Nobody listens any more. */
  stop: () => void;
};

function stream({ asked, steps, heartbeat, requestId, stop }: Streamed): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  const frame = (event: string, data: unknown): Buffer =>
    Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const last = asked.then(
    (value) => frame('answer', value),
    (error: unknown) => frame('problem', describeProblem(explainError(error), requestId)),
  );
  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, final: Buffer): void => {
    clearInterval(timer);
    controller.enqueue(final);
    controller.close();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(Buffer.from(': still here\n\n')), heartbeat);
      // A run has a bounded number of steps, so what waits here is bounded, too.
      steps.listen((event) => controller.enqueue(frame('step', event)));
      void last.then((final) => finish(controller, final)).catch(() => undefined);
    },
    cancel() {
      clearInterval(timer);
      steps.end();
      stop();
    },
  });
}
