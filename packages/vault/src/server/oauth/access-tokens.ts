import { createLocalJWKSet, jwtVerify } from 'jose';
import type { TokenScope } from '../auth/tokens.ts';
import { signingAlgorithm } from './signing-keys.ts';
import type { SigningKey } from './signing-keys.ts';

/** The claims of an access token. The caller checks that its grant still exists. */
export type AccessToken = {
  grant: string;
  account: string;
  client: string;
  scope: TokenScope;
  expiresAt: number;
};

/** Verifies tokens that this server issued for this resource; returns null for all others. */
export function createAccessTokenVerifier(
  keys: readonly SigningKey[],
  { issuer, resource }: { issuer: string; resource: string },
): (token: string) => Promise<AccessToken | null> {
  const publicPart = ({ key: own }: SigningKey) => ({
    ...Object.fromEntries(Object.entries(own).filter(([name]) => name !== 'd')),
    kty: 'EC',
  });
  const key = createLocalJWKSet({ keys: keys.map(publicPart) });
  const expected = { issuer, audience: resource, typ: 'at+jwt', algorithms: [signingAlgorithm] };
  return async (token) => {
    const { payload } = await jwtVerify(token, key, expected).catch(() => ({ payload: null }));
    if (payload === null || payload.aud !== resource) return null;
    const { grant, sub: account, client_id: client, scope, exp } = payload;
    const granted = typeof scope === 'string' ? scope.split(' ') : [];
    if (typeof grant !== 'string' || typeof client !== 'string' || account === undefined || exp === undefined)
      return null;
    if (!granted.includes('read') && !granted.includes('write')) return null;
    return {
      grant,
      account,
      client,
      scope: granted.includes('write') ? 'write' : 'read',
      expiresAt: exp * 1_000,
    };
  };
}
