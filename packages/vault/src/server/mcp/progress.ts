import type { ServerContext } from '@modelcontextprotocol/server';

const progressIntervalMs = 5_000;

/**
 * Sends progress notifications while `work` runs, if the client asked for them, because many clients time out after a
 * minute without one.
 */
export async function withProgress<Value>({ mcpReq }: ServerContext, work: Promise<Value>): Promise<Value> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return work;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    // A lost connection is handled when the response is sent.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress } })
      .catch(() => undefined);
  }, progressIntervalMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
