import { describe, expect, it } from 'vitest';
import { createBrowser } from './browser.ts';
import type { Browser } from './browser.ts';
import { authorizationUrl, decideConsent, openConsent, newVerifier, registerClient } from './client.ts';
import { startIdentityProvider } from './identity-provider.ts';
import type { IdentityClaims } from './identity-provider.ts';
import { publicVault } from './public-vault.ts';
import type { PublicVault } from './public-vault.ts';

const allow = ['subject-of-the-person', 'Person@example.org'];

async function vaultBehind(): Promise<{ vault: PublicVault; be: (claims: IdentityClaims) => void }> {
  const there = await startIdentityProvider();
  const { issuer, clientId, secret } = there;
  const vault = await publicVault({}, { provider: { issuer, clientId, secret, allow } });
  there.registerVault(vault.url);
  return { vault, be: (claims) => there.setUser(claims) };
}

/** Follows the redirects of the provider until the browser is back at the vault. */
async function goThere({ url }: PublicVault, browser: Browser, begin: string): Promise<string> {
  let at = (await browser.open(`${url}${begin}`)).headers.get('location') ?? '';
  const there = createBrowser();
  while (!at.startsWith(url)) {
    const next = (await there.open(at)).headers.get('location') ?? '';
    if (next === '') throw new Error(`it ends at ${at}`);
    at = new URL(next, at).href;
  }
  return at;
}

const isSignedIn = async ({ url }: PublicVault, browser: Browser): Promise<boolean> =>
  (await browser.ask(`${url}/api/vaults/default/grants`)).status === 200;

describe('OpenID Connect sign-in', () => {
  it.each([
    { who: 'an allowed subject', claims: { sub: 'subject-of-the-person' } },
    {
      who: 'an allowed, verified address',
      claims: { sub: 'any', email: 'person@example.org', email_verified: true },
    },
  ])('accepts $who and returns to the previous page', async ({ claims }) => {
    const { vault, be } = await vaultBehind();
    be(claims);
    const browser = createBrowser();
    const url = authorizationUrl(vault, newVerifier().challenge, {
      client_id: await registerClient(vault),
    });
    const page = await openConsent(vault, browser, url);
    const { pathname } = new URL(page);
    const back = await goThere(vault, browser, `/api/sign-in/provider?to=${encodeURIComponent(pathname)}`);
    expect((await browser.open(back)).headers.get('location')).toBe(pathname);
    expect(await isSignedIn(vault, browser)).toBe(true);
    expect((await decideConsent(browser, page)).searchParams.get('code')).toMatch(/./);
  });

  it('rejects unknown addresses, unverified addresses and a subject that looks like an allowed address', async () => {
    const { vault, be } = await vaultBehind();
    for (const claims of [
      { sub: 'another' },
      { sub: 'any', email: 'person@example.org', email_verified: false },
      { sub: 'any', email: 'person@example.org' },
      { sub: 'any', email: 'other@example.org', email_verified: true },
      { sub: 'person@example.org' },
      { sub: 'Person@example.org' },
    ]) {
      be(claims);
      const browser = createBrowser();
      const back = await goThere(vault, browser, '/api/sign-in/provider');
      expect([claims, (await browser.open(back)).status]).toEqual([claims, 401]);
      expect(await isSignedIn(vault, browser)).toBe(false);
    }
  });

  it('completes once, only in the browser that started it, and redirects only within the vault', async () => {
    const { vault, be } = await vaultBehind();
    be({ sub: 'subject-of-the-person' });
    const [own, other] = [createBrowser(), createBrowser()];
    const back = await goThere(vault, own, '/api/sign-in/provider?to=https://evil.example/');
    // A sign-in that an attacker started, for example through a link that the user follows.
    expect((await other.open(back)).status).toBe(401);
    await other.open(`${vault.url}/api/sign-in/provider`);
    expect((await other.open(back)).status).toBe(401);
    const mixed = createBrowser();
    const theirs = new URL(await goThere(vault, mixed, '/api/sign-in/provider'));
    theirs.searchParams.set('iss', 'https://evil.example');
    expect((await mixed.open(theirs.href)).status).toBe(401);
    expect((await own.open(back)).headers.get('location')).toBe('/');
    expect(await isSignedIn(vault, own)).toBe(true);
    expect((await own.open(back)).status).toBe(401);
    for (const browser of [other, mixed]) expect(await isSignedIn(vault, browser)).toBe(false);
  });

  it('is not available without a configured provider', async () => {
    const vault = await publicVault();
    const ways = await fetch(`${vault.url}/api/sign-in`);
    expect(await ways.json()).toEqual({ passkey: false, provider: null, hasPasskeys: true });
    expect((await fetch(`${vault.url}/api/sign-in/provider`, { redirect: 'manual' })).status).toBe(404);
    expect((await fetch(`${vault.url}/api/sign-in/callback?code=x&state=y`)).status).toBe(401);
  });

  it('reports that the provider does not respond', async () => {
    const { issuer, clientId, secret } = await startIdentityProvider();
    const vault = await publicVault({}, { provider: { issuer, clientId, secret, allow } });
    expect((await fetch(`${vault.url}/api/sign-in/provider`, { redirect: 'manual' })).status).toBe(503);
  });
});
