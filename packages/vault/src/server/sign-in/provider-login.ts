import * as oidc from 'openid-client';
import { newSecret } from '../auth/secrets.ts';
import { createOnce } from './once.ts';

/** Somebody else who says who the person is: any provider of OpenID Connect. */
export type ProviderLogin = {
  /** As people know it: its host. */
  name: string;
  /** Where the browser goes, and what it has to show when it is back. */
  begin(to: string): Promise<{ url: string; secret: string }>;
  /** Where the browser goes on; null for whoever is not the person, or did not begin here. */
  finish(back: URL, secret: string): Promise<string | null>;
};

export type ProviderSettings = {
  issuer: string;
  clientId: string;
  secret: string | undefined;
  /** Subjects, and addresses that the provider has verified. */
  allow: readonly string[];
};

type Begun = { verifier: string; state: string; nonce: string; to: string };

const life = 10 * 60_000;
const callbackPath = '/api/sign-in/callback';

export function createProviderLogin(url: string, settings: ProviderSettings): ProviderLogin {
  const issuer = new URL(settings.issuer);
  const begun = createOnce<Begun>(life);
  const redirect_uri = `${url}${callbackPath}`;
  let known: Promise<oidc.Configuration> | null = null;
  const discover = (): Promise<oidc.Configuration> => {
    // On this machine nobody listens in between.
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
    async begin(to) {
      const server = await discover();
      const verifier = oidc.randomPKCECodeVerifier();
      const [state, nonce, secret] = [oidc.randomState(), oidc.randomNonce(), newSecret()];
      begun.put(secret, { verifier, state, nonce, to });
      const address = oidc.buildAuthorizationUrl(server, {
        redirect_uri,
        scope: 'openid email',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { url: address.href, secret };
    },
    async finish(back, secret) {
      const found = begun.take(secret);
      if (found === null) return null;
      const { verifier, state, nonce, to } = found;
      const server = await discover();
      const tokens = await oidc
        .authorizationCodeGrant(server, new URL(`${redirect_uri}${back.search}`), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        .catch(() => null);
      const signed = tokens?.claims();
      if (tokens === null || signed === undefined) return null;
      // Some say more only when they are asked.
      const isTold = signed['email'] !== undefined || server.serverMetadata().userinfo_endpoint === undefined;
      const claims = isTold ? signed : await oidc.fetchUserInfo(server, tokens.access_token, signed.sub);
      const { sub, email, email_verified: isVerified } = claims;
      const address = isVerified === true && typeof email === 'string' ? email.toLowerCase() : null;
      // A subject that looks like an address says nothing of whose that is.
      const isAllowed = settings.allow.some((each) =>
        each.includes('@') ? each.toLowerCase() === address : each === sub,
      );
      return isAllowed ? to : null;
    },
  };
}
