import { createAdaptorServer } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { ServerError } from './auth/error.ts';
import { boundConnections, connectionsHere, timeouts } from './connections.ts';
import type { HttpServer } from './connections.ts';
import type { TakeConnection } from './take-clients.ts';

export type Bindings = Pick<HttpBindings, 'incoming' | 'outgoing'>;
export type AnswerRequest = (request: Request, connection: Bindings) => Response | Promise<Response>;

export type Listening = {
  port: number;
  /** Lets requests finish for five seconds, then ends them. */
  close(): Promise<void>;
};

type Options = {
  host: string;
  /** 0 for any that is free. */
  port: number;
  answer: AnswerRequest;
  /** Sees what comes in before anything else does. */
  prepare?: (incoming: Bindings['incoming']) => void;
  /** For what asks for more than an answer. */
  takeConnection: TakeConnection;
  log: (entry: object) => void;
  /** How many connections may be open, where the system allows as many files. */
  mostConnections?: number;
};

const patience = 5_000;

/** Listens on a port. Throws `ServerError` when it cannot. */
export async function listen(options: Options): Promise<Listening> {
  const { host, answer, prepare, log, mostConnections = 2_000 } = options;
  const server = createAdaptorServer({
    fetch: (request, env) => answer(request, env as Bindings),
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: timeouts.head,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.lookEvery,
    },
  }) as HttpServer;
  server.on('upgrade', options.takeConnection);
  if (prepare !== undefined) server.prependListener('request', prepare);
  boundConnections(server, connectionsHere(mostConnections));
  const port = await bind(server, host, options.port);
  // As when there are too many files open: the next connection may find room again.
  server.on('error', (error) => log({ level: 'error', message: String(error) }));
  return { port, close: () => stop(server) };
}

function bind(server: HttpServer, host: string, port: number): Promise<number> {
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
