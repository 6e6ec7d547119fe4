import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import type { JWK } from 'jose';
import type { TokenScope } from '../auth/tokens.ts';
import { signing } from './provider.ts';

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
  signingKey: JWK,
  { issuer, resource }: { issuer: string; resource: string },
): (token: string) => Promise<AccessToken | null> {
  const key = createPublicKey({ key: signingKey, format: 'jwk' });
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
