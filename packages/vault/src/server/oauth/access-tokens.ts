import { createLocalJWKSet, jwtVerify } from 'jose';
import type { TokenScope } from '../auth/tokens.ts';
import { signing } from './signing-keys.ts';
import type { SigningKey } from './signing-keys.ts';

/** What an access token says; whether its grant is still there is asked elsewhere. */
export type AccessToken = {
  grant: string;
  account: string;
  client: string;
  scope: TokenScope;
  until: number;
};

/** Reads tokens that were issued here, for this resource; null for all others. */
export function createTokenCheck(
  keys: readonly SigningKey[],
  { issuer, resource }: { issuer: string; resource: string },
): (token: string) => Promise<AccessToken | null> {
  const publicPart = ({ key: own }: SigningKey) => ({
    ...Object.fromEntries(Object.entries(own).filter(([name]) => name !== 'd')),
    kty: 'EC',
  });
  const key = createLocalJWKSet({ keys: keys.map(publicPart) });
  const expected = { issuer, audience: resource, typ: 'at+jwt', algorithms: [signing] };
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
      until: exp * 1_000,
    };
  };
}
