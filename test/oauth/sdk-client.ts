import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { callback } from './client.ts';

/** What a client of the SDK keeps, as a program would on its disk. */
export function keeping(address?: string): OAuthClientProvider & { asked: URL | null; expire(): void } {
  const kept: Partial<Record<'client' | 'tokens' | 'verifier', never>> = {};
  return {
    asked: null,
    redirectUrl: callback,
    ...(address !== undefined && { clientMetadataUrl: address }),
    clientMetadata: { client_name: 'An app', redirect_uris: [callback] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client as never),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens as never),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier as never),
    codeVerifier: () => kept.verifier ?? '',
    redirectToAuthorization(url) {
      this.asked = url;
    },
    expire: () =>
      void (kept.tokens = { ...(kept.tokens as object | undefined), access_token: 'over' } as never),
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
