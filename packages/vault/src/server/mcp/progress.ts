import type { ServerContext } from '@modelcontextprotocol/server';

const every = 5_000;

/** Tells a client that asked for it that there is still something to wait for: otherwise many give up after a minute. */
export async function tellingProgress<Value>(
  { mcpReq }: ServerContext,
  work: Promise<Value>,
): Promise<Value> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return work;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    // A client that is gone is told by the answer, not by this.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress } })
      .catch(() => undefined);
  }, every);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
