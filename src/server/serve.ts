import { createAdaptorServer } from '@hono/node-server';
import { packageVersion } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import type { Clock } from '../contract/index.ts';
import { createAnswers } from './answers/answers.ts';
import { isLoopback, urlOf } from './auth/addresses.ts';
import { createAuth } from './auth/auth.ts';
import { ServerError } from './auth/error.ts';
import { openKeptSessions } from './auth/kept-sessions.ts';
import { openTokens } from './auth/tokens.ts';
import { boundConnections, connectionsHere, timeouts } from './connections.ts';
import type { HttpServer } from './connections.ts';
import { takeClients } from './take-clients.ts';
import type { ServeClient } from './take-clients.ts';
import { createHttpApp } from './http/app.ts';
import type { HttpParts } from './http/parts.ts';

export type ServerOptions = Pick<
  HttpParts,
  'mcp' | 'log' | 'limits' | 'model' | 'web' | 'environment' | 'state' | 'oauth' | 'signIn'
> & {
  keepsake: Keepsake;
  /** Short, as it stands in addresses. */
  vaultName: string;
  host?: string | undefined;
  /** 0 for any that is free. */
  port: number;
  /** What other processes of the same person show. */
  secret: string;
  /** Serves MCP to a client of this machine on a connection of its own. */
  serveClient?: ServeClient | undefined;
  /** Further names of this server, as behind a proxy. */
  allowedHosts?: readonly string[] | undefined;
  /** For how long sessions and allowances last; never set back, unlike the clock of the machine. */
  clock?: Clock | undefined;
};

export type RunningServer = {
  /** How this machine reaches it. */
  url: string;
  /** An address that opens a browser session, once, within five minutes. */
  createLink(): string;
  /** Whether it has something to do, though nobody waits for it. */
  isBusy(): boolean;
  /** Ends streams, lets requests finish for five seconds, then ends them, too. */
  close(): Promise<void>;
};

const patience = 5_000;

/** Serves one vault. Throws `ServerError` when it must not, or cannot. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { keepsake, host = '127.0.0.1', secret, oauth, clock = () => performance.now() } = options;
  const allowedHosts = [...(options.allowedHosts ?? []), ...(oauth ? [new URL(oauth.url).host] : [])];
  const tokens = openTokens(keepsake);
  if (!isLoopback(host) && oauth === undefined && tokens().list().length === 0)
    throw new ServerError('no-token', `${host} can be reached from other machines, and there is no token`, {
      mend: 'create one with: keepsake token create <name> --scope read',
    });
  const closing = new AbortController();
  let answer: (request: Request, env: object) => Response | Promise<Response> = () =>
    new Response(null, { status: 503 });
  // Without other options it is one for HTTP.
  const server = createAdaptorServer({
    fetch: (request, env) => answer(request, env),
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: timeouts.head,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.lookEvery,
    },
  }) as HttpServer;
  boundConnections(server, connectionsHere());
  const port = await listen(server, host, options.port);
  // As when there are too many files open: the next connection may find room again.
  server.on('error', (error) => options.log({ level: 'error', message: String(error) }));
  const sessions = openKeptSessions(keepsake);
  const auth = createAuth({ host, port, allowedHosts, secret, clock, tokens, sessions, oauth });
  const answers = createAnswers(keepsake);
  const app = createHttpApp({
    ...options,
    auth,
    answers,
    clock,
    version: packageVersion(),
    closing: closing.signal,
  });
  answer = (request, env) => app.fetch(request, env);
  takeClients(server, auth, closing.signal, options.serveClient);
  const url = urlOf(host, port);
  return {
    url,
    createLink: () => `${oauth?.url ?? url}/open?code=${auth.createCode()}`,
    isBusy: () => answers.running() > 0,
    async close() {
      closing.abort();
      await stop(server);
    },
  };
}

function listen(server: HttpServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => reject(explain(cause, host, port));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function explain(cause: NodeJS.ErrnoException, host: string, port: number): ServerError {
  return cause.code === 'EADDRINUSE'
    ? new ServerError('port-in-use', `port ${port} is in use`, { mend: 'choose another with --port', cause })
    : new ServerError('bad-address', `cannot listen on ${host}:${port} (${cause.code ?? cause.message})`, {
        cause,
      });
}

async function stop(server: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that was busy a moment ago is kept open for the next request, which nobody will answer.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), patience);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}
