import type { TokenScope } from './tokens.ts';

/** Paths that need no credential. */
const publicPaths = new Set(['/api/health', '/openapi.json', '/open']);

/** Paths that are used to sign in. */
const signInPaths = /^\/api\/sign-in(?:\/|$)/;

/** Routes that change nothing in the vault, although they are not GET. `tools` and `mcp` check the scope of each call themselves. */
const readOnlyPostPaths =
  /^(?:\/mcp|\/api\/vaults\/[^/]+\/(?:answers(?:\/[^/]+(?:\/stop)?)?|search|verify|tools\/[^/]+))$/;

/** Users manage their own passkeys and grants, even with read-only access to the vault. */
const selfServicePaths =
  /^(?:\/consent\/[^/]+\/decision|\/api\/vaults\/[^/]+\/(?:passkeys(?:\/[^/]+)?|grants\/[^/]+))$/;

export function isSelfService(path: string): boolean {
  return selfServicePaths.test(path);
}

const calendarPath = /^\/api\/vaults\/[^/]+\/calendar\.ics$/;

/** The path that calendar applications poll; they cannot send a header, so their token is in the query. */
export function isCalendarPath(path: string): boolean {
  return calendarPath.test(path);
}

/** The scope that a request needs; null for none. Defaults to `write`. */
export function requiredScope(method: string, path: string): TokenScope | null {
  const isGet = method === 'GET' || method === 'HEAD';
  if (isGet && publicPaths.has(path)) return null;
  if (signInPaths.test(path)) return null;
  return isGet || readOnlyPostPaths.test(path) ? 'read' : 'write';
}
