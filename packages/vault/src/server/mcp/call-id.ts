import { createHash } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';

/** The same for a call that is made again because its answer was lost, so that a change is made once; none without a connection. */
export function callId(run: string | undefined, { mcpReq }: ServerContext): string | undefined {
  if (run === undefined) return undefined;
  const hex = createHash('sha256')
    .update(`${run} ${JSON.stringify(mcpReq.id)}`)
    .digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
