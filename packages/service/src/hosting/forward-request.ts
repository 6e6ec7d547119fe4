import type { NodeBindings } from '../../../vault/src/server/index.ts';

export type Forwarder = {
  /**
   * Sends a request on to another process and streams the answer to the client. Resolves once the answer has begun;
   * rejects, with nothing sent to the client, when there is none.
   */
  forward(connection: NodeBindings, to: URL, headers: Record<string, string>): Promise<Response>;
  close(): void;
};

type Http = ReturnType<typeof loadHttp>;
type Incoming = NodeBindings['incoming'];

/** Concern one connection only. */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Shorter than the time after which the other end closes an unused connection, so that no request meets its end. */
const idleConnectionMs = 4_000;

/** Streams without decoding or copying, which costs less than `fetch`. Connections are reused. */
export function createForwarder(): Forwarder {
  const http = loadHttp();
  const https = process.getBuiltinModule('node:https');
  const options = { keepAlive: true, timeout: idleConnectionMs };
  const agents: Record<string, InstanceType<Http['Agent']>> = {
    'http:': new http.Agent(options),
    'https:': new https.Agent(options),
  };
  return {
    forward({ incoming, outgoing }, to, headers) {
      const { request } = to.protocol === 'https:' ? https : http;
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      const upstream = request(to, {
        method: incoming.method ?? 'GET',
        headers: { ...withoutHopHeaders(incoming), ...bodyFraming(incoming), host: to.host, ...headers },
        agent: agents[to.protocol],
      });
      const abort = (): void => void upstream.destroy();
      outgoing.once('close', abort);
      upstream.once('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, responseHeaders(answer));
        // Events may follow much later.
        if (answer.headers['content-length'] === undefined) outgoing.flushHeaders();
        answer.pipe(outgoing);
        // The client must not take a part for the whole.
        answer.once('close', () => answer.complete || outgoing.destroy());
        resolve(alreadySent());
      });
      upstream.once('error', (error) => {
        outgoing.off('close', abort);
        incoming.unpipe(upstream);
        // Without effect once the answer has begun.
        reject(error);
      });
      // Later errors are those of an answer that has begun.
      upstream.on('error', () => undefined);
      incoming.pipe(upstream);
      return promise;
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Not a static import, because few modules may use the network. */
function loadHttp() {
  return process.getBuiltinModule('node:http');
}

/**
 * How the worker learns where the body ends. Always stated, because Node.js frames the body of a GET or a DELETE only when
 * a header says how: without one, the worker would take that body for the beginning of the next request on the connection.
 */
function bodyFraming({ headers }: Incoming): Record<string, string> {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  return { 'content-length': headers['content-length'] ?? '0' };
}

function withoutHopHeaders({ headers }: Incoming): Incoming['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

/** In the form of `rawHeaders`, in which a header may occur several times. */
function responseHeaders({ rawHeaders }: Pick<Incoming, 'rawHeaders'>): string[] {
  return rawHeaders.filter(
    (_, index) => !hopByHop.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()),
  );
}

/** Tells `@hono/node-server` that the response is on its way. */
function alreadySent(): Response {
  return new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
}
