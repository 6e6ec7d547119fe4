import { describe, expect, it } from 'vitest';
import { openMembers } from '../../packages/vault/src/server/index.ts';
import { createBrowser } from './browser.ts';
import type { Browser } from './browser.ts';
import { refresh, registerClient, tokensFor, toolsWith } from './client.ts';
import type { Issued, OAuthVault } from './client.ts';
import { publicVault } from './public-vault.ts';
import type { PublicVault } from './public-vault.ts';

/** A public vault with an invited member signed in to the browser. */
function as(vault: PublicVault, role: 'writer' | 'reader'): OAuthVault & { person: string } {
  const { id, secret } = openMembers(vault.keepsake)().invite('Léa', role);
  let browser: Browser | null = null;
  return {
    url: vault.url,
    resource: vault.resource,
    person: id,
    async signedIn() {
      if (browser === null) {
        browser = createBrowser();
        expect((await browser.open(`${vault.url}/open?code=${secret}`)).status).toBe(303);
      }
      return browser;
    },
  };
}

describe('an application authorized by a member', () => {
  it("is limited to the member's current role", async () => {
    const vault = await publicVault({ 'a.md': '# A\n' });
    const client = await registerClient(vault);
    const reader = as(vault, 'reader');
    const reading = await tokensFor(reader, client, { scope: 'write' });
    expect(await toolsWith(vault, reading.access_token)).not.toContain('vault_write');
    const writer = as(vault, 'writer');
    const writing = await tokensFor(writer, client, { scope: 'write' });
    expect(await toolsWith(vault, writing.access_token)).toContain('vault_write');
    openMembers(vault.keepsake)().setRole(writer.person, 'reader');
    expect(await toolsWith(vault, writing.access_token)).not.toContain('vault_write');
  });

  it('loses access when the member is removed, and is visible only to that member', async () => {
    const vault = await publicVault({ 'a.md': '# A\n' });
    const client = await registerClient(vault);
    const owners = await tokensFor(vault, client);
    const writer = as(vault, 'writer');
    const issued = await tokensFor(writer, client);
    const browser = await writer.signedIn();
    const grants = `${vault.url}/api/vaults/default/grants`;
    const listed = async (by: Browser) =>
      ((await (await by.ask(grants)).json()) as { grants: { id: string }[] }).grants;
    const [[memberGrant], [ownerGrant]] = [await listed(browser), await listed(await vault.signedIn())];
    expect(memberGrant?.id).not.toBe(ownerGrant?.id);
    expect((await browser.ask(`${grants}/${ownerGrant?.id}`, { method: 'DELETE' })).status).toBe(404);
    expect(openMembers(vault.keepsake)().remove(writer.person)).toBe(true);
    expect(await toolsWith(vault, issued.access_token)).toBe(401);
    const renewed = await refresh(vault, client, issued.refresh_token);
    expect([renewed.status, ((await renewed.json()) as Issued).access_token]).toEqual([400, undefined]);
    expect((await browser.ask(grants)).status).toBe(401);
    expect(await toolsWith(vault, owners.access_token)).toContain('vault_write');
  });
});
