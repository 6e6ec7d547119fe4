import { describe, expect, it } from 'vitest';
import { codeFor, exchange, callback, refresh, registerClient, tokensFor, toolsWith } from './client.ts';
import type { Issued } from './client.ts';
import { publicVault } from './public-vault.ts';

describe('public vault', () => {
  it('advertises its authorization server', async () => {
    const vault = await publicVault();
    const refused = await fetch(vault.resource, { method: 'POST' });
    expect(refused.status).toBe(401);
    const [, metadata = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect(metadata).toBe(`${vault.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: vault.resource,
      authorization_servers: [vault.url],
      scopes_supported: ['read', 'write'],
    });
    const server = await fetch(`${vault.url}/.well-known/oauth-authorization-server`);
    expect(await server.json()).toMatchObject({
      issuer: vault.url,
      authorization_endpoint: `${vault.url}/oauth/authorize`,
      token_endpoint: `${vault.url}/oauth/token`,
      registration_endpoint: `${vault.url}/oauth/register`,
      revocation_endpoint: `${vault.url}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
    });
  });

  it('authorizes a client with the scope that the user consents to', async () => {
    const vault = await publicVault({ 'a.md': '# A\n' });
    const client = await registerClient(vault);
    const { code, verifier, back } = await codeFor(vault, client);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ iss: vault.url, state: 'its-state' });
    const response = await exchange(vault, {
      grant_type: 'authorization_code',
      client_id: client,
      code,
      code_verifier: verifier,
      redirect_uri: callback,
    });
    const issued = (await response.json()) as Issued;
    expect(await toolsWith(vault, issued.access_token)).toContain('vault_write');
    const reading = await tokensFor(vault, client, { scope: 'read' });
    expect(reading.scope).toBe('read');
    const tools = await toolsWith(vault, reading.access_token);
    expect(tools).toContain('vault_read');
    expect(tools).not.toContain('vault_write');
    const next = (await (await refresh(vault, client, reading.refresh_token)).json()) as Issued;
    expect(next.scope).toBe('read');
    expect(await toolsWith(vault, next.access_token)).toEqual(tools);
    expect(vault.log.filter((entry) => 'level' in entry)).toEqual([]);
  });
});
