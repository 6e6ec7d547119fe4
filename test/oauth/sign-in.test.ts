import { describe, expect, it } from 'vitest';
import { createBrowser } from './browser.ts';
import type { Browser } from './browser.ts';
import { addressToAsk, agree, consentAt, newVerifier, registered } from './client.ts';
import { startIdentityProvider } from './identity-provider.ts';
import type { Somebody } from './identity-provider.ts';
import { publicVault } from './public-vault.ts';
import type { PublicVault } from './public-vault.ts';

const allow = ['subject-of-the-person', 'Person@example.org'];

async function vaultBehind(): Promise<{ vault: PublicVault; be: (somebody: Somebody) => void }> {
  const there = await startIdentityProvider();
  const { issuer, clientId, secret } = there;
  const vault = await publicVault({}, { provider: { issuer, clientId, secret, allow } });
  there.know(vault.url);
  return { vault, be: (somebody) => there.be(somebody) };
}

/** Follows where the provider leads, until the browser is back at the vault. */
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

describe('who signs in through a provider of OpenID Connect', () => {
  it.each([
    { who: 'a subject that is allowed', somebody: { sub: 'subject-of-the-person' } },
    {
      who: 'a verified address that is allowed',
      somebody: { sub: 'any', email: 'person@example.org', email_verified: true },
    },
  ])('is the person with $who, and goes on where they were', async ({ somebody }) => {
    const { vault, be } = await vaultBehind();
    be(somebody);
    const browser = createBrowser();
    const asked = addressToAsk(vault, newVerifier().challenge, { client_id: await registered(vault) });
    const page = await consentAt(vault, browser, asked);
    const { pathname } = new URL(page);
    const back = await goThere(vault, browser, `/api/sign-in/provider?to=${encodeURIComponent(pathname)}`);
    expect((await browser.open(back)).headers.get('location')).toBe(pathname);
    expect(await isSignedIn(vault, browser)).toBe(true);
    expect((await agree(browser, page)).searchParams.get('code')).toMatch(/./);
  });

  it('is nobody otherwise: not with an address of others, nor one that is not verified, nor one as a subject', async () => {
    const { vault, be } = await vaultBehind();
    for (const somebody of [
      { sub: 'another' },
      { sub: 'any', email: 'person@example.org', email_verified: false },
      { sub: 'any', email: 'person@example.org' },
      { sub: 'any', email: 'other@example.org', email_verified: true },
      { sub: 'person@example.org' },
      { sub: 'Person@example.org' },
    ]) {
      be(somebody);
      const browser = createBrowser();
      const back = await goThere(vault, browser, '/api/sign-in/provider');
      expect([somebody, (await browser.open(back)).status]).toEqual([somebody, 401]);
      expect(await isSignedIn(vault, browser)).toBe(false);
    }
  });

  it('comes back once, to the browser that began, and goes nowhere else', async () => {
    const { vault, be } = await vaultBehind();
    be({ sub: 'subject-of-the-person' });
    const [own, other] = [createBrowser(), createBrowser()];
    const back = await goThere(vault, own, '/api/sign-in/provider?to=https://evil.example/');
    // What somebody else began, as in a link that the person is made to follow.
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

  it('cannot where no provider is configured', async () => {
    const vault = await publicVault();
    const ways = await fetch(`${vault.url}/api/sign-in`);
    expect(await ways.json()).toEqual({ passkey: false, provider: null, hasPasskeys: true });
    expect((await fetch(`${vault.url}/api/sign-in/provider`, { redirect: 'manual' })).status).toBe(404);
    expect((await fetch(`${vault.url}/api/sign-in/callback?code=x&state=y`)).status).toBe(401);
  });

  it('is told when the provider does not answer', async () => {
    const { issuer, clientId, secret } = await startIdentityProvider();
    const vault = await publicVault({}, { provider: { issuer, clientId, secret, allow } });
    expect((await fetch(`${vault.url}/api/sign-in/provider`, { redirect: 'manual' })).status).toBe(503);
  });
});
