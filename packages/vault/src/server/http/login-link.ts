import type { Context } from 'hono';
import type { Auth } from '../auth/auth.ts';
import { Problem } from './problem.ts';
import type { HttpEnv } from './request-env.ts';

/** Redeems the code of a one-time link and returns the session cookie. A HEAD request does not consume the code. */
export function redeemLoginLink(auth: Pick<Auth, 'redeemLoginCode'>, c: Context<HttpEnv>): string {
  const code = c.req.method === 'HEAD' ? '' : (c.req.query('code') ?? '');
  const cookie = auth.redeemLoginCode(code, c.req.raw.headers);
  if (cookie === null) throw new Problem('link-expired');
  return cookie;
}
