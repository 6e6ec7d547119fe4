import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createWebAssets } from '../../packages/vault/src/server/web/serve-assets.ts';
import { authorizationUrl, newVerifier, registerClient } from '../oauth/client.ts';
import { publicVault } from '../oauth/public-vault.ts';
import { findViolations } from './accessibility.ts';
import { buildWeb } from './build-web.ts';
import { expectNoOverflow, hasChromium, saveScreenshot, openPage } from './open-web.ts';

/** Adds a virtual authenticator, which behaves like a phone or a security key. */
async function addAuthenticator(page: Page): Promise<{ isVerified(is: boolean): Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    isVerified: async (isUserVerified) =>
      void (await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
  };
}

/** Signs in with a passkey from a script with its own options. Returns the status of the response. */
async function show(page: Page, userVerification: 'required' | 'discouraged'): Promise<unknown> {
  return page.evaluate(`(async () => {
    const options = await (await fetch('/api/sign-in/passkey/options', { method: 'POST' })).json();
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({
      publicKey: { ...publicKey, userVerification: '${userVerification}' },
    });
    const response = await fetch('/api/sign-in/passkey', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credential),
    });
    return response.status;
  })()`);
}

describe.skipIf(!hasChromium)('a passkey', () => {
  it('signs the user in from anywhere, until it is removed', { timeout: 300_000 }, async () => {
    const vault = await publicVault(
      { 'a.md': '# A\n' },
      { host: 'localhost', web: createWebAssets(buildWeb()) },
    );
    const { page, context } = await openPage(vault, { viewport: { width: 360, height: 740 } });
    const authenticator = await addAuthenticator(page);
    await page.goto(`${vault.url}/settings`);
    await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
    await page.locator('form', { hasText: 'Add passkey' }).getByLabel('Name').fill('phone');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('button', { name: 'Remove phone' }).waitFor();
    await expectNoOverflow(page);

    await context.clearCookies();
    const url = authorizationUrl(vault, newVerifier().challenge, {
      client_id: await registerClient(vault),
    });
    await page.goto(url);
    const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
    await signIn.waitFor();
    await expectNoOverflow(page);
    const violations = await findViolations(page);
    expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
    await saveScreenshot(page, 'sign-in-360');
    await authenticator.isVerified(false);
    expect(await show(page, 'discouraged')).toBe(401);
    await authenticator.isVerified(true);
    await signIn.click();
    await page.getByRole('heading', { name: 'Allow A program to access your vault?' }).waitFor();

    await page.goto(`${vault.url}/settings`);
    await page.getByRole('button', { name: 'Remove phone' }).click();
    await page.getByText('No passkeys yet.').waitFor();
    // The authenticator still has the removed passkey.
    expect(await show(page, 'required')).toBe(401);
  });
});
