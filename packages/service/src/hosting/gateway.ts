import { describeError } from '../../../vault/src/contract/index.ts';
import { placeIn } from '../../../vault/src/server/index.ts';
import type { Bindings } from '../../../vault/src/server/index.ts';
import { traced } from '../../../vault/src/trace/index.ts';
import { HostingError } from './error.ts';
import type { NodeMetrics } from './node-metrics.ts';
import type { ServedVaults } from './served-vaults.ts';

/** Answers requests for any vault: from this node if it has the vault, else by passing them on to the node that has. */
export type Gateway = {
  /** Finds the vault in the address of a request, and rewrites the request to one for that vault. */
  prepare(incoming: Bindings['incoming']): void;
  answer(request: Request, connection: Bindings): Promise<Response>;
};

type Parts = {
  vaults: ServedVaults;
  /** Null where people do not reach the service by a public name. */
  publicHost: string | null;
  /** As what a vault is asked by its node. */
  innerHost: () => string;
  isCutOff: () => boolean;
  /** Answers requests that are for no vault. */
  answerOwn: (method: string, pathname: string) => Response;
  /** What ties a request to the node that it is passed on to. */
  traceHeaders: () => Record<string, string>;
  metrics: NodeMetrics;
  log: (entry: object) => void;
};

/** How many nodes have passed a request on: a vault that moves is followed, but not forever. */
const hopHeader = 'x-keepsake-hops';
const maxHops = 4;
/** The host name that a client used, on a request that was passed on. */
const forwardedHeader = 'x-forwarded-host';
/** How long a request waits for a vault that is between two nodes. */
const maxWaitMs = 8_000;

export function createGateway(parts: Parts): Gateway {
  const { publicHost, innerHost } = parts;
  const targets = new WeakMap<Bindings['incoming'], { vault: string; url: string }>();
  return {
    prepare(incoming) {
      const asked = incoming.url ?? '/';
      const { vault, url } = placeIn(asked);
      if (vault === null) return;
      targets.set(incoming, { vault, url: asked });
      incoming.url = url;
      // Only the public name is passed to the vault; by any other, a node is reached from inside the service.
      const { host, [forwardedHeader]: forwarded } = incoming.headers;
      const isPublic = publicHost !== null && [host, forwarded].includes(publicHost);
      setHost(incoming, isPublic ? publicHost : innerHost());
    },
    async answer(request, connection) {
      const target = targets.get(connection.incoming);
      if (target === undefined) return parts.answerOwn(request.method, new URL(request.url).pathname);
      const { vault } = target;
      const { method, headers } = request;
      const parent = { traceparent: headers.get('traceparent'), tracestate: headers.get('tracestate') };
      return traced({ work: 'gateway', method, vault, parent }, async (work) => {
        const response = await answerForVault(target, request, connection, parts);
        work.status = response.status;
        return response;
      });
    },
  };
}

async function answerForVault(
  { vault, url }: { vault: string; url: string },
  request: Request,
  connection: Bindings,
  { vaults, metrics, log, isCutOff, traceHeaders }: Parts,
): Promise<Response> {
  if (isCutOff()) return problem(503, 'this node is cut off from the service');
  try {
    const hops = Number(request.headers.get(hopHeader) ?? 0) + 1;
    const found = await retryUnavailable(() => {
      if (hops > 1) vaults.prefer(vault);
      return vaults.awake.hold(vault, connection.outgoing);
    });
    vaults.unprefer(vault);
    // The client would not learn that it was done, and would have it done twice.
    if (connection.outgoing.destroyed) return problem(503, 'the client closed the connection');
    if ('elsewhere' in found) {
      if (!(hops <= maxHops)) return problem(503, 'the vault is between two nodes');
      metrics.count('passed');
      return await pass(request, `${found.elsewhere.address}${url}`, {
        [hopHeader]: String(hops),
        [forwardedHeader]: connection.incoming.headers.host ?? '',
        ...traceHeaders(),
      });
    }
    metrics.count('served');
    const { host, takeInvited } = found.here;
    if (host.door === null) throw new HostingError('unavailable', `${vault} has no door`);
    if (new URL(request.url).pathname === '/open') await takeInvited();
    return await host.door.answer(request, connection);
  } catch (error) {
    if (error instanceof HostingError && error.code === 'no-such-vault') return problem(404, error.message);
    metrics.count('failed');
    log({ level: 'error', vault, message: describeError(error) });
    return problem(503, 'the vault cannot be served at the moment');
  }
}

function setHost({ headers, rawHeaders }: Bindings['incoming'], host: string): void {
  headers.host = host;
  const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === 'host');
  if (at !== -1) rawHeaders[at + 1] = host;
}

/** Streams both ways. */
async function pass(request: Request, to: string, more: Record<string, string>): Promise<Response> {
  const passed = await fetch(to, { ...passedOn(request, more), redirect: 'manual' });
  const answered = new Headers(passed.headers);
  // `fetch` has decoded the body.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])
    answered.delete(name);
  return new Response(passed.body, { status: passed.status, headers: answered });
}

/** Without the headers that hold for one connection only, and without the host name that the client used. */
function passedOn(request: Request, more: Record<string, string>): RequestInit {
  const headers = new Headers(request.headers);
  for (const name of ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect'])
    headers.delete(name);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  const { method, body, signal } = request;
  return { method, headers, signal, ...(body === null ? {} : { body, duplex: 'half' as const }) };
}

/** A vault whose node has just gone can be claimed as soon as the lease of that node has expired. */
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

export function problem(status: 404 | 503, detail: string): Response {
  const body = JSON.stringify({
    status,
    title: status === 404 ? 'Not found' : 'Service unavailable',
    detail,
  });
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/problem+json', ...(status === 503 && { 'retry-after': '1' }) },
  });
}
