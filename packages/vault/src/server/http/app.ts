import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { VaultService } from '../../app/index.ts';
import { createVaultBrief } from '../../sessions/index.ts';
import { createAnswers } from '../answers/answers.ts';
import { openMembers } from '../auth/members.ts';
import { requiredScope } from '../auth/required-scope.ts';
import { openTokens } from '../auth/tokens.ts';
import { createImporting } from '../importing.ts';
import { createNoteRenderer } from '../note-html/render-in-worker.ts';
import type { OAuth } from '../oauth/oauth.ts';
import { createEventFeed } from './event-feed.ts';
import { toProblem } from './to-problem.ts';
import { compressJson } from './compress-json.ts';
import { accessControl } from './access-control.ts';
import { requireNoOpenRun } from './authorize.ts';
import { defaultHttpLimits } from './limits.ts';
import { requestLogger } from './request-logger.ts';
import type { HttpAppOptions, RouteContext } from './http-options.ts';
import { Problem, toProblemResponse } from './problem.ts';
import type { HttpApp, HttpEnv } from './request-env.ts';
import { accessRoutes } from './routes/access.ts';
import { answerRoutes } from './routes/answers.ts';
import { storedAnswerRoutes } from './routes/stored-answers.ts';
import { briefRoutes } from './routes/brief.ts';
import { documentRoutes } from './routes/documents.ts';
import { eventRoutes } from './routes/events.ts';
import { exportRoutes } from './routes/export.ts';
import { fileRoutes } from './routes/files.ts';
import { grantRoutes } from './routes/grants.ts';
import { forgetRoutes } from './routes/forget.ts';
import { historyRoutes } from './routes/history.ts';
import { importRoutes } from './routes/imports.ts';
import { inboxRoutes } from './routes/inbox.ts';
import { serverRoutes } from './routes/server.ts';
import { memberRoutes } from './routes/members.ts';
import { noteRoutes } from './routes/notes.ts';
import { projectRoutes } from './routes/projects.ts';
import { searchRoutes } from './routes/search.ts';
import { settingsRoutes } from './routes/settings.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { statusRoutes } from './routes/status.ts';
import { taskRoutes } from './routes/tasks.ts';
import { todayRoutes } from './routes/today.ts';
import { toolRoutes } from './routes/tools.ts';
import { updateDecisionRoutes } from './routes/update-decisions.ts';
import { updateRoutes } from './routes/updates.ts';
import { createRecentSteps } from './recent-steps.ts';
import { htmlErrorPage } from './html-error-page.ts';
import { createStreamRegistry } from './stream-registry.ts';
import { createBodyReader } from './read-body.ts';

/** The HTTP API of one vault, as a function from request to response; `startServer` listens on a port for it. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const limits = { ...defaultHttpLimits, ...options.limits };
  const { keepsake, auth, closing, oauth, answers = createAnswers(options.keepsake) } = options;
  const streams = createStreamRegistry({
    maxStreams: limits.maxStreams,
    isStillValid: (caller) => auth.isStillValid(caller),
    revalidateIntervalMs: limits.revalidateIntervalMs,
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
  const people = openMembers(keepsake);
  const shared = {
    ...options,
    limits,
    streams,
    answers,
    tokens,
    people,
    renderNote: createNoteRenderer(),
    importing: createImporting(keepsake),
    root: keepsake.root,
    forgetting: keepsake,
    catalogue: keepsake.catalogue,
    clientRuns: keepsake.agents.clientRuns,
    createBrief: (project: string | null) =>
      createVaultBrief(keepsake, options.environment, {
        project,
        matchedKey: null,
        repository: null,
        linkOffer: null,
        source: 'startup',
        session: null,
        now: options.clock(),
      }),
  };
  // Every route exists twice, over the full vault and over the filtered one, so that no route can leak hidden files.
  const userRoutes = createRoutes(keepsake, shared);
  const clientRoutes = createRoutes(keepsake.restricted, shared);

  const app = createBaseApp(options);
  app.use(requestLogger({ log: options.log, routes: userRoutes }));
  // Earlier versions made links to notes. All of them get this response.
  app.all('/s/*', (c) =>
    c.text('Links to notes no longer work. Ask the sender for the note as a file.\n', 410),
  );
  app.use(compressJson());
  app.use(htmlErrorPage(shared));
  app.use(
    accessControl({
      ...shared,
      vaultLimits: keepsake.limits,
      hasPublicUrl: oauth !== undefined,
      readBody: createBodyReader(shared),
    }),
  );
  if (oauth !== undefined) app.use(oauthMiddleware(oauth));
  app.all('*', (c) => {
    const [requestId, caller] = [c.get('requestId'), c.get('caller')];
    const { incoming, outgoing } = c.env ?? {};
    if (requiredScope(c.req.method, c.req.path) === 'write') requireNoOpenRun(caller, shared);
    const routes = caller?.isUser === true ? userRoutes : clientRoutes;
    return routes.fetch(c.req.raw, { requestId, caller, incoming, outgoing });
  });
  return app;
}

/** Passes requests for paths of the authorization server on to it; it writes its responses to the connection itself. */
function oauthMiddleware(oauth: OAuth): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!oauth.handlesPath(c.req.path)) return next();
    const { incoming, outgoing } = c.env;
    if (incoming === undefined || outgoing === undefined) throw new Problem('unavailable');
    const hasBody = c.req.method !== 'GET' && c.req.method !== 'HEAD';
    return oauth.handle({ incoming, outgoing }, hasBody ? Buffer.from(await c.req.raw.arrayBuffer()) : null);
  };
}

type Shared = Omit<RouteContext, 'keepsake' | 'feed' | 'steps'>;

/** Creates all routes over one view of the vault. */
function createRoutes(keepsake: VaultService, shared: Shared): HttpApp {
  const feed = createEventFeed({ ...keepsake, limits: shared.limits });
  const steps = createRecentSteps(keepsake);
  shared.closing?.addEventListener(
    'abort',
    () => {
      feed.close();
      steps.close();
    },
    { once: true },
  );
  const parts: RouteContext = { ...shared, keepsake, feed, steps };
  const app = createBaseApp(shared);
  app.use(async (c, next) => {
    c.set('requestId', c.env.requestId ?? '');
    c.set('caller', c.env.caller ?? null);
    await next();
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        toProblemResponse(c, new Problem('wrong-method', { headers: { allow: methods.join(', ') } })),
    }),
  );
  app.use('/api/vaults/:vault/*', async (c, next) => {
    const name = c.req.param('vault');
    if (name !== shared.vaultName && name !== 'default') throw new Problem('no-such-vault');
    // Taken before the route reads anything: the response includes all changes up to this event.
    const position = feed.position();
    await next();
    if (c.req.method === 'GET') c.header('x-event-id', position);
  });
  for (const add of [
    updateRoutes,
    updateDecisionRoutes,
    documentRoutes,
    answerRoutes,
    storedAnswerRoutes,
    searchRoutes,
    fileRoutes,
    exportRoutes,
    toolRoutes,
    importRoutes,
    inboxRoutes,
    historyRoutes,
    forgetRoutes,
    projectRoutes,
    todayRoutes,
    taskRoutes,
    noteRoutes,
    eventRoutes,
    statusRoutes,
    settingsRoutes,
    accessRoutes,
    briefRoutes,
    grantRoutes,
    memberRoutes,
    signInRoutes,
    serverRoutes,
  ])
    add(app, parts);
  return app;
}

/** Creates an app that responds to every error with a problem document. */
export function createBaseApp({ log }: Pick<HttpAppOptions, 'log'>): HttpApp {
  const app: HttpApp = new OpenAPIHono<HttpEnv>({
    // The raw path: it is decoded in one place only, so that nothing is decoded twice.
    getPath: (request) => new URL(request.url).pathname,
    defaultHook(result) {
      if (!result.success) throw validationProblem(result.target, result.error.issues);
    },
  });
  app.onError((error, c) => {
    const isGone = c.req.raw.signal.aborted && !(error instanceof Problem);
    const problem = isGone
      ? new Problem('bad-request', { detail: 'the client disconnected' })
      : toProblem(error);
    if (problem.code === 'internal') log({ event: 'error', id: c.get('requestId'), ...toErrorLog(error) });
    return toProblemResponse(c, problem);
  });
  app.notFound((c) => toProblemResponse(c, new Problem('no-such-route')));
  return app;
}

function validationProblem(
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

function toErrorLog(error: unknown): { error: string; stack: string[] } {
  if (!(error instanceof Error)) return { error: String(error), stack: [] };
  return { error: String(error), stack: (error.stack ?? '').split('\n').slice(1, 8) };
}
