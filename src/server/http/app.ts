import { OpenAPIHono } from '@hono/zod-openapi';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { createEventFeed } from './event-feed.ts';
import { explainError } from './explain-error.ts';
import { guard } from './guard.ts';
import { usualLimits } from './limits.ts';
import { observe } from './observe.ts';
import type { HttpParts, RouteParts } from './parts.ts';
import { Problem, respondProblem } from './problem.ts';
import type { HttpApp, HttpEnv } from './request-env.ts';
import { answerRoutes } from './routes/answers.ts';
import { documentRoutes } from './routes/documents.ts';
import { eventRoutes } from './routes/events.ts';
import { fileRoutes } from './routes/files.ts';
import { historyRoutes } from './routes/history.ts';
import { inboxRoutes } from './routes/inbox.ts';
import { outsideRoutes } from './routes/outside.ts';
import { searchRoutes } from './routes/search.ts';
import { statusRoutes } from './routes/status.ts';
import { toolRoutes } from './routes/tools.ts';
import { updateDecisionRoutes } from './routes/update-decisions.ts';
import { updateRoutes } from './routes/updates.ts';
import { createRunSteps } from './run-steps.ts';
import { createStreams } from './streams.ts';
import { takeBody } from './take-body.ts';

/** The service of one vault over HTTP, as a function from request to response; `startServer` gives it a port. */
export function createHttpApp(given: HttpParts): HttpApp {
  const limits = { ...usualLimits, ...given.limits };
  const { keepsake, closing, log, vaultName } = given;
  const feed = createEventFeed({ events: keepsake.events, limits });
  const steps = createRunSteps(keepsake.events);
  closing?.addEventListener(
    'abort',
    () => {
      feed.close();
      steps.close();
    },
    { once: true },
  );
  const parts: RouteParts = {
    ...given,
    limits,
    feed,
    steps,
    streams: createStreams(limits.streams),
  };

  const app: HttpApp = new OpenAPIHono<HttpEnv>({
    // As it was sent: what is decoded once and in one place cannot be decoded twice.
    getPath: (request) => new URL(request.url).pathname,
    defaultHook(result) {
      if (!result.success) throw notAsDescribed(result.target, result.error.issues);
    },
  });
  app.onError((error, c) => {
    const isGone = c.req.raw.signal.aborted && !(error instanceof Problem);
    const problem = isGone
      ? new Problem('bad-request', { detail: 'the client went away' })
      : explainError(error);
    if (problem.code === 'internal') log({ event: 'error', id: c.get('requestId'), ...traceOf(error) });
    return respondProblem(c, problem);
  });
  app.notFound((c) => respondProblem(c, new Problem('no-such-route')));
  app.use(observe(parts));
  app.use(guard(parts));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        respondProblem(c, new Problem('wrong-method', { headers: { allow: methods.join(', ') } })),
    }),
  );
  app.use(takeBody(parts));
  app.use('/api/vaults/:vault/*', async (c, next) => {
    const name = c.req.param('vault');
    if (name !== vaultName && name !== 'default') throw new Problem('no-such-vault');
    await next();
  });
  for (const add of [
    updateRoutes,
    updateDecisionRoutes,
    documentRoutes,
    answerRoutes,
    searchRoutes,
    fileRoutes,
    toolRoutes,
    inboxRoutes,
    historyRoutes,
    eventRoutes,
    statusRoutes,
    outsideRoutes,
  ])
    add(app, parts);
  return app;
}

function notAsDescribed(
  target: string,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): Problem {
  const errors = issues
    .slice(0, 10)
    .map(({ path, message }) => ({ path: [target, ...path.map(String)].join('.'), message }));
  return new Problem('invalid', {
    detail: errors.map(({ path, message }) => `${path}: ${message}`).join('; '),
    errors,
  });
}

function traceOf(error: unknown): { error: string; stack: string[] } {
  if (!(error instanceof Error)) return { error: String(error), stack: [] };
  return { error: String(error), stack: (error.stack ?? '').split('\n').slice(1, 8) };
}
