import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { callback } from './client.ts';

/** In-memory storage of an SDK client, in place of a file. */
export function createClientProvider(
  address?: string,
): OAuthClientProvider & { authorizationUrl: URL | null; expire(): void } {
  const stored: Partial<Record<'client' | 'tokens' | 'verifier', never>> = {};
  return {
    authorizationUrl: null,
    redirectUrl: callback,
    ...(address !== undefined && { clientMetadataUrl: address }),
    clientMetadata: { client_name: 'An app', redirect_uris: [callback] },
    clientInformation: () => stored.client,
    saveClientInformation: (client) => void (stored.client = client as never),
    tokens: () => stored.tokens,
    saveTokens: (tokens) => void (stored.tokens = tokens as never),
    saveCodeVerifier: (verifier) => void (stored.verifier = verifier as never),
    codeVerifier: () => stored.verifier ?? '',
    redirectToAuthorization(url) {
      this.authorizationUrl = url;
    },
    expire: () =>
      void (stored.tokens = { ...(stored.tokens as object | undefined), access_token: 'over' } as never),
  };
}

export async function connectAs(vault: { resource: string }, provider: OAuthClientProvider): Promise<Client> {
  const client = new Client(
    { name: 'test-client', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  onTestFinished(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(vault.resource), { authProvider: provider }),
  );
  return client;
}
