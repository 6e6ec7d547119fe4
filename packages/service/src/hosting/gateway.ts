import { describeError } from '../../../vault/src/contract/index.ts';
import { parseVaultUrl, readClientAddress } from '../../../vault/src/server/index.ts';
import type { NodeBindings } from '../../../vault/src/server/index.ts';
import { withSpan } from '../../../vault/src/trace/index.ts';
import { HostingError } from './error.ts';
import type { Forwarder } from './forward-request.ts';
import type { NodeMetrics } from './node-metrics.ts';
import { problemResponse } from './problem-response.ts';
import type { ServedVaults } from './served-vaults.ts';

/** Answers requests for any vault: directly if this node owns the vault, else by proxying to the node that does. */
export type Gateway = {
  /** Finds the vault in the URL of a request, and rewrites the URL relative to that vault. */
  prepare(incoming: NodeBindings['incoming']): void;
  answer(request: Request, connection: NodeBindings): Promise<Response>;
};

type Parts = {
  vaults: ServedVaults;
  forwarder: Forwarder;
  /** Null when the service has no public host name. */
  publicHost: string | null;
  /** The host name under which this node sends requests to its own vaults. */
  innerHost: () => string;
  isCutOff: () => boolean;
  /** Answers requests that do not concern a vault. */
  answerOwn: (method: string, pathname: string, acceptEncoding: string | null) => Response;
  /** Trace context, added to proxied requests. */
  traceHeaders: () => Record<string, string>;
  metrics: NodeMetrics;
  log: (entry: object) => void;
};

/** How many nodes have proxied a request. A request follows a vault that moves between nodes, up to a limit. */
const hopHeader = 'x-keepsake-hops';
const maxHops = 4;
/** The host name that the client used, on a proxied request. */
const forwardedHostHeader = 'x-forwarded-host';
/** How long a request waits for a vault that is being moved to another node. */
const maxWaitMs = 8_000;

export function createGateway(parts: Parts): Gateway {
  const { publicHost, innerHost } = parts;
  const targets = new WeakMap<NodeBindings['incoming'], { vault: string; url: string }>();
  return {
    prepare(incoming) {
      const originalUrl = incoming.url ?? '/';
      const { vault, url } = parseVaultUrl(originalUrl);
      if (vault === null) return;
      targets.set(incoming, { vault, url: originalUrl });
      incoming.url = url;
      // The vault sees only the public host name: requests with any other one come from inside the cluster.
      const { host, [forwardedHostHeader]: forwarded } = incoming.headers;
      const isPublic = publicHost !== null && [host, forwarded].includes(publicHost);
      setHost(incoming, isPublic ? publicHost : innerHost());
    },
    async answer(request, connection) {
      const target = targets.get(connection.incoming);
      if (target === undefined) {
        const { pathname } = new URL(request.url);
        return parts.answerOwn(request.method, pathname, request.headers.get('accept-encoding'));
      }
      const { vault } = target;
      const { method, headers } = request;
      const parent = { traceparent: headers.get('traceparent'), tracestate: headers.get('tracestate') };
      return withSpan({ name: 'gateway', method, vault, parent }, async (work) => {
        const response = await answerForVault(target, request, connection, parts);
        const { headersSent, statusCode } = connection.outgoing;
        work.status = headersSent ? statusCode : response.status;
        return response;
      });
    },
  };
}

async function answerForVault(
  { vault, url }: { vault: string; url: string },
  request: Request,
  connection: NodeBindings,
  { vaults, forwarder, metrics, log, isCutOff, traceHeaders, publicHost }: Parts,
): Promise<Response> {
  if (isCutOff()) return problemResponse(503, 'this node has lost its connection to the cluster');
  try {
    const { incoming } = connection;
    const more = {
      'x-forwarded-for': readClientAddress(incoming, { hasPublicUrl: publicHost !== null }),
      ...traceHeaders(),
    };
    const hops = Number(request.headers.get(hopHeader) ?? 0) + 1;
    const found = await retryUnavailable(() => {
      if (hops > 1) vaults.prefer(vault);
      return vaults.awake.acquire(vault, connection.outgoing);
    });
    vaults.unprefer(vault);
    // The client is gone: it would not see the response, and may send the same request again.
    if (connection.outgoing.destroyed) return problemResponse(503, 'the client closed the connection');
    if ('elsewhere' in found) {
      if (!(hops <= maxHops))
        return problemResponse(503, 'the vault is being moved to another node; retry shortly');
      metrics.countRequest('passed');
      return await forwarder.forward(connection, new URL(`${found.elsewhere.address}${url}`), {
        [hopHeader]: String(hops),
        [forwardedHostHeader]: incoming.headers.host ?? '',
        ...more,
      });
    }
    metrics.countRequest('served');
    return await found.here.vault.answer(request, connection, more);
  } catch (error) {
    if (error instanceof HostingError && error.code === 'no-such-vault')
      return problemResponse(404, error.message);
    // The client has aborted the request.
    if (connection.outgoing.destroyed) return problemResponse(503, 'the client closed the connection');
    metrics.countRequest('failed');
    log({ level: 'error', vault, message: describeError(error) });
    return problemResponse(503, 'the vault is temporarily unavailable');
  }
}

function setHost({ headers, rawHeaders }: NodeBindings['incoming'], host: string): void {
  headers.host = host;
  const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === 'host');
  if (at !== -1) rawHeaders[at + 1] = host;
}

/** Retries, because a vault of a dead node can be claimed as soon as the lease of that node has expired. */
async function retryUnavailable<Value>(find: () => Promise<Value>): Promise<Value> {
  for (const start = performance.now(); ;) {
    try {
      return await find();
    } catch (error) {
      const isPassing = error instanceof HostingError && error.code === 'unavailable';
      if (!isPassing || performance.now() - start > maxWaitMs) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
