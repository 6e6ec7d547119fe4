import { createAdaptorServer } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { createFramingCheck } from './check-framing.ts';
import { ServerError } from './server-error.ts';
import { limitConnections, clampToOpenFileLimit, timeouts } from './limit-connections.ts';
import type { HttpServer } from './limit-connections.ts';
import type { UpgradeHandler } from './mcp-upgrade.ts';

export type NodeBindings = Pick<HttpBindings, 'incoming' | 'outgoing'>;
export type RequestHandler = (request: Request, connection: NodeBindings) => Response | Promise<Response>;

export type ListeningServer = {
  port: number;
  /** Waits five seconds for open requests, then aborts them. */
  close(): Promise<void>;
};

type Options = {
  host: string;
  /** 0 for any free port. */
  port: number;
  handle: RequestHandler;
  /** Called with each request before it is handled. */
  onRequest?: (incoming: NodeBindings['incoming']) => void;
  /** Handles requests for a protocol upgrade. */
  onUpgrade: UpgradeHandler;
  log: (entry: object) => void;
  /** Maximum number of open connections, unless the open-file limit is lower. */
  maxConnections?: number;
  /** How long an unused connection stays open; 0 for as long as the client wants. Default: that of Node.js. */
  keepAliveTimeoutMs?: number;
};

const shutdownGraceMs = 5_000;

/** Listens on a port. Throws `ServerError` if it cannot. */
export async function listen(options: Options): Promise<ListeningServer> {
  const { host, handle, onRequest, log, maxConnections = 2_000 } = options;
  const refuseFraming = createFramingCheck();
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const connection = env as NodeBindings;
      return refuseFraming(connection.incoming) ?? handle(request, connection);
    },
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
    },
  }) as HttpServer;
  server.on('upgrade', (request, socket) => {
    // Without a listener, a client that resets the connection would end the process.
    socket.on('error', () => socket.destroy());
    options.onUpgrade(request, socket);
  });
  if (onRequest !== undefined) server.prependListener('request', onRequest);
  if (options.keepAliveTimeoutMs !== undefined) server.keepAliveTimeout = options.keepAliveTimeoutMs;
  limitConnections(server, clampToOpenFileLimit(maxConnections));
  const port = await bind(server, host, options.port);
  // For example too many open files: the next connection may succeed again.
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
    ? new ServerError('port-in-use', `port ${port} is in use`, { hint: 'choose another with --port', cause })
    : new ServerError('bad-address', `cannot listen on ${host}:${port} (${cause.code ?? cause.message})`, {
        cause,
      });
}

async function stop(server: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that has just finished a request stays open for the next one, so idle ones are closed repeatedly.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), shutdownGraceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}
