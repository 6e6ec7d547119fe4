import { createHash } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';

/** Idempotency key of a call: a call that is retried after a lost response gets the same one. Undefined without a connection. */
export function deriveCallId(run: string | undefined, { mcpReq }: ServerContext): string | undefined {
  if (run === undefined) return undefined;
  const hex = createHash('sha256')
    .update(`${run} ${JSON.stringify(mcpReq.id)}`)
    .digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
