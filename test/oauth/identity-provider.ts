import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';

export type IdentityClaims = { sub: string; email?: string; email_verified?: boolean };

/** A real OpenID Connect provider with a signed-in user. */
export type IdentityProvider = {
  issuer: string;
  clientId: string;
  secret: string;
  /** Registers the vault at this URL as a client. */
  registerVault(url: string): void;
  /** Sets the signed-in user. */
  setUser(claims: IdentityClaims): void;
};

export async function startIdentityProvider(): Promise<IdentityProvider> {
  let user: IdentityClaims = { sub: 'stranger' };
  let answer: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, secret] = ['keepsake', 'the-secret-of-the-client'];
  return {
    issuer,
    clientId,
    secret,
    setUser: (next) => void (user = next),
    registerVault(url) {
      const provider = new Provider(issuer, {
        clients: [
          { client_id: clientId, client_secret: secret, redirect_uris: [`${url}/api/sign-in/callback`] },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        cookies: { keys: ['a-key-of-the-test'] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_, { uid }) => `/login/${uid}` },
        findAccount: (_, id) => ({ accountId: id, claims: () => ({ ...user, sub: id }) }),
      });
      const handle = provider.callback();
      const signIn = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
        const { params } = await provider.interactionDetails(request, response);
        const account = { accountId: user.sub, clientId: String(params['client_id']) };
        const grant = new provider.Grant(account);
        grant.addOIDCScope('openid email');
        const result = { login: { accountId: user.sub }, consent: { grantId: await grant.save() } };
        await provider.interactionFinished(request, response, result);
      };
      answer = (request, response) =>
        void (request.url?.startsWith('/login/') === true
          ? signIn(request, response)
          : handle(request, response));
    },
  };
}
