import type { TokenScope } from './tokens.ts';

/** What can be had without showing anything. */
const open = new Set(['/api/health', '/openapi.json', '/open']);

/** What is asked by whoever wants to show who they are. */
const signingIn = /^\/api\/sign-in(?:\/|$)/;

/** Routes that change nothing in the vault, though they are no GET; `tools` and `mcp` look at the scope themselves, call by call. */
const reading =
  /^(?:\/mcp|\/api\/vaults\/[^/]+\/(?:answers(?:\/[^/]+(?:\/stop)?)?|search|verify|tools\/[^/]+))$/;

/** With what a person signs in, and which programs speak for them, is theirs, whatever they may in the vault. */
const ownAffairs =
  /^(?:\/consent\/[^/]+\/decision|\/api\/vaults\/[^/]+\/(?:passkeys(?:\/[^/]+)?|grants\/[^/]+))$/;

export function isOwnAffair(path: string): boolean {
  return ownAffairs.test(path);
}

/** What a caller must be allowed; null for nothing. Whatever is not known to be harmless needs `write`. */
export function scopeNeeded(method: string, path: string): TokenScope | null {
  const isGet = method === 'GET' || method === 'HEAD';
  if ((isGet && open.has(path)) || signingIn.test(path)) return null;
  return isGet || reading.test(path) ? 'read' : 'write';
}
