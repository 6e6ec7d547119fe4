import * as oidc from 'openid-client';
import { createSealedValues } from './sealed-values.ts';

/** Sign-in through an OpenID Connect provider. */
export type ProviderLogin = {
  /** The host of the provider, for display. */
  name: string;
  /** Returns the authorization URL and the secret that the browser must present to the callback. */
  start(to: string): Promise<{ url: string; secret: string }>;
  /**
   * Returns the path to continue at; null if the account is not allowed or the sign-in was not started in this browser.
   */
  complete(callbackUrl: URL, secret: string): Promise<string | null>;
};

export type ProviderSettings = {
  issuer: string;
  clientId: string;
  secret: string | undefined;
  /** Allowed subjects and verified email addresses. */
  allow: readonly string[];
};

type PendingLogin = { verifier: string; state: string; nonce: string; to: string };

const loginTtlMs = 10 * 60_000;
const callbackPath = '/api/sign-in/callback';

export function createProviderLogin(url: string, settings: ProviderSettings): ProviderLogin {
  const issuer = new URL(settings.issuer);
  const pendingLogins = createSealedValues<PendingLogin>(loginTtlMs);
  const redirect_uri = `${url}${callbackPath}`;
  let known: Promise<oidc.Configuration> | null = null;
  const discover = (): Promise<oidc.Configuration> => {
    // Plain HTTP is safe only on this machine.
    const isHere = issuer.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(issuer.hostname);
    known ??= oidc
      .discovery(issuer, settings.clientId, settings.secret, undefined, {
        ...(isHere && { execute: [oidc.allowInsecureRequests] }),
      })
      .catch((error: unknown) => {
        known = null;
        throw error;
      });
    return known;
  };
  return {
    name: issuer.host,
    async start(to) {
      const server = await discover();
      const verifier = oidc.randomPKCECodeVerifier();
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
      const address = oidc.buildAuthorizationUrl(server, {
        redirect_uri,
        scope: 'openid email',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { url: address.href, secret: pendingLogins.seal({ verifier, state, nonce, to }) };
    },
    async complete(callbackUrl, secret) {
      const found = pendingLogins.open(secret);
      if (found === null) return null;
      const { verifier, state, nonce, to } = found;
      const server = await discover();
      const tokens = await oidc
        .authorizationCodeGrant(server, new URL(`${redirect_uri}${callbackUrl.search}`), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        .catch(() => null);
      const signed = tokens?.claims();
      if (tokens === null || signed === undefined) return null;
      // Some providers return the email address only from the userinfo endpoint.
      const isTold = signed['email'] !== undefined || server.serverMetadata().userinfo_endpoint === undefined;
      const claims = isTold ? signed : await oidc.fetchUserInfo(server, tokens.access_token, signed.sub);
      const { sub, email, email_verified: isVerified } = claims;
      const address = isVerified === true && typeof email === 'string' ? email.toLowerCase() : null;
      // A subject that looks like an email address does not prove who owns that address.
      const isAllowed = settings.allow.some((each) =>
        each.includes('@') ? each.toLowerCase() === address : each === sub,
      );
      return isAllowed && pendingLogins.consume(secret) ? to : null;
    },
  };
}
