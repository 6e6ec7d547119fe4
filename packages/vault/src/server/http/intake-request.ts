import type { Context } from 'hono';
import type { HttpEnv } from './request-env.ts';

/** For whom a document is converted, and until when: a client that has disconnected no longer waits for it. */
export function toIntakeRequest(c: Context<HttpEnv>): { signal: AbortSignal; caller: string } {
  return { signal: c.req.raw.signal, caller: c.get('caller')?.id ?? 'anonymous' };
}
