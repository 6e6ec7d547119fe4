import { createLimiter } from '../../contract/index.ts';
import type { Clock } from '../../contract/index.ts';
import type { HttpLimits } from './limits.ts';
import { createTokenBucket } from './token-bucket.ts';
import type { Rate, TokenBucket } from './token-bucket.ts';

/** Limits the requests of each client. */
export type RequestLimiter = {
  /** Admits a request, or returns the seconds to wait before a retry. */
  acquire(client: string, rate: Rate): RequestPermit | { wait: number };
};

type RequestPermit = {
  /** Runs the work of this request, queued behind other requests of the same client. */
  run<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Registers the response, which counts against the limit until `release` is called. */
  trackResponse(answer: PendingResponse): void;
  release(): void;
};

/** A response that is being sent; `writableLength` is the number of bytes that the client has not read. */
type PendingResponse = { readonly writableLength: number };

type ClientQuota = {
  bucket: TokenBucket;
  openRequests: number;
  runLimited: ReturnType<typeof createLimiter>;
  pendingResponses: Set<PendingResponse>;
};

/** At this limit, the state of clients without open requests is dropped. */
const maxTrackedClients = 10_000;

export function createRequestLimiter(
  limits: Pick<HttpLimits, 'maxOpenRequests' | 'maxParallelRequests' | 'maxUnreadBytes'>,
  clock: Clock,
): RequestLimiter {
  const { maxOpenRequests, maxParallelRequests, maxUnreadBytes } = limits;
  const quotas = new Map<string, ClientQuota>();
  const getQuota = (client: string): ClientQuota => {
    const quota = quotas.get(client) ?? {
      bucket: createTokenBucket(clock),
      openRequests: 0,
      runLimited: createLimiter(maxParallelRequests),
      pendingResponses: new Set(),
    };
    if (quotas.size >= maxTrackedClients)
      for (const [name, { openRequests }] of quotas) if (openRequests === 0) quotas.delete(name);
    quotas.set(client, quota);
    return quota;
  };
  return {
    acquire(client, rate) {
      const quota = getQuota(client);
      if (quota.openRequests >= maxOpenRequests) return { wait: 1 };
      const isEmpty = quota.bucket.take(rate);
      if (isEmpty !== null) return isEmpty;
      quota.openRequests += 1;
      let answer: PendingResponse | null = null;
      return {
        run: (work) =>
          quota.runLimited(() => {
            // A client that does not read its responses must not fill the memory with them.
            const unreadBytes = quota.pendingResponses
              .values()
              .reduce((sum, each) => sum + each.writableLength, 0);
            if (unreadBytes > maxUnreadBytes) throw new ResponseBacklogError();
            return work();
          }),
        trackResponse(sent) {
          answer = sent;
          quota.pendingResponses.add(sent);
        },
        release() {
          quota.openRequests -= 1;
          if (answer !== null) quota.pendingResponses.delete(answer);
        },
      };
    },
  };
}

/** A client has too many unread bytes of responses. */
export class ResponseBacklogError extends Error {
  override readonly name = 'ResponseBacklogError';
}
