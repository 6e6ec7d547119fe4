import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { Served } from '../../app/index.ts';
import { createAnswers } from '../answers/answers.ts';
import { openPeople } from '../auth/people.ts';
import { openTokens } from '../auth/tokens.ts';
import type { OAuth } from '../oauth/oauth.ts';
import { createEventFeed } from './event-feed.ts';
import { explainError } from './explain-error.ts';
import { guard } from './guard.ts';
import { usualLimits } from './limits.ts';
import { observe } from './observe.ts';
import type { HttpParts, RouteParts } from './parts.ts';
import { Problem, respondProblem } from './problem.ts';
import type { HttpApp, HttpEnv } from './request-env.ts';
import { accessRoutes } from './routes/access.ts';
import { answerRoutes } from './routes/answers.ts';
import { keptAnswerRoutes } from './routes/kept-answers.ts';
import { documentRoutes } from './routes/documents.ts';
import { eventRoutes } from './routes/events.ts';
import { fileRoutes } from './routes/files.ts';
import { grantRoutes } from './routes/grants.ts';
import { historyRoutes } from './routes/history.ts';
import { inboxRoutes } from './routes/inbox.ts';
import { outsideRoutes } from './routes/outside.ts';
import { peopleRoutes } from './routes/people.ts';
import { projectRoutes } from './routes/projects.ts';
import { searchRoutes } from './routes/search.ts';
import { settingsRoutes } from './routes/settings.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { statusRoutes } from './routes/status.ts';
import { toolRoutes } from './routes/tools.ts';
import { updateDecisionRoutes } from './routes/update-decisions.ts';
import { updateRoutes } from './routes/updates.ts';
import { createRunSteps } from './run-steps.ts';
import { showPage } from './show-page.ts';
import { createStreams } from './streams.ts';
import { takeBody } from './take-body.ts';

/** The service of one vault over HTTP, as a function from request to response; `startServer` gives it a port. */
export function createHttpApp(given: HttpParts): HttpApp {
  const limits = { ...usualLimits, ...given.limits };
  const { keepsake, auth, closing, oauth, answers = createAnswers(given.keepsake) } = given;
  const streams = createStreams({
    most: limits.streams,
    isStillValid: (caller) => auth.isStillValid(caller),
    lookEvery: limits.lookEvery,
  });
  closing?.addEventListener(
    'abort',
    () => {
      streams.close();
      answers.close();
    },
    { once: true },
  );
  const tokens = openTokens(keepsake);
  const people = openPeople(keepsake);
  const parts = { ...given, limits, streams, answers, tokens, people, root: keepsake.root };
  const body = takeBody(parts);
  // The same routes twice: no route can forget who sees what.
  const forPerson = routesOver(keepsake, parts, body);
  const forOthers = routesOver(keepsake.forModels, parts, body);

  const app = newApp(given);
  app.use(observe(parts));
  app.use(showPage(parts));
  app.use(guard({ ...parts, vaultLimits: keepsake.limits }));
  if (oauth !== undefined) app.use(answerOAuth(oauth));
  app.all('*', (c) => {
    const [requestId, caller] = [c.get('requestId'), c.get('caller')];
    const { incoming, outgoing } = c.env ?? {};
    const routes = caller?.isPerson === true ? forPerson : forOthers;
    return routes.fetch(c.req.raw, { requestId, caller, incoming, outgoing });
  });
  return app;
}

/** Its own addresses are answered by the authorization server, on the connection itself. */
function answerOAuth(oauth: OAuth): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!oauth.owns(c.req.path)) return next();
    const { incoming, outgoing } = c.env;
    if (incoming === undefined || outgoing === undefined) throw new Problem('unavailable');
    return oauth.answer({ incoming, outgoing });
  };
}

type Shared = Omit<RouteParts, 'keepsake' | 'feed' | 'steps'>;

/** Every route, over the vault as far as those may see it who are answered here. */
function routesOver(keepsake: Served, shared: Shared, body: MiddlewareHandler<HttpEnv>): HttpApp {
  const feed = createEventFeed({ ...keepsake, limits: shared.limits });
  const steps = createRunSteps(keepsake);
  shared.closing?.addEventListener(
    'abort',
    () => {
      feed.close();
      steps.close();
    },
    { once: true },
  );
  const parts: RouteParts = { ...shared, keepsake, feed, steps };
  const app = newApp(shared);
  app.use(async (c, next) => {
    c.set('requestId', c.env.requestId ?? '');
    c.set('caller', c.env.caller ?? null);
    await next();
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        respondProblem(c, new Problem('wrong-method', { headers: { allow: methods.join(', ') } })),
    }),
  );
  app.use(body);
  app.use('/api/vaults/:vault/*', async (c, next) => {
    const name = c.req.param('vault');
    if (name !== shared.vaultName && name !== 'default') throw new Problem('no-such-vault');
    await next();
  });
  for (const add of [
    updateRoutes,
    updateDecisionRoutes,
    documentRoutes,
    answerRoutes,
    keptAnswerRoutes,
    searchRoutes,
    fileRoutes,
    toolRoutes,
    inboxRoutes,
    historyRoutes,
    projectRoutes,
    eventRoutes,
    statusRoutes,
    settingsRoutes,
    accessRoutes,
    grantRoutes,
    peopleRoutes,
    signInRoutes,
    outsideRoutes,
  ])
    add(app, parts);
  return app;
}

/** Whatever goes wrong is answered with a problem document. */
export function newApp({ log }: Pick<HttpParts, 'log'>): HttpApp {
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
