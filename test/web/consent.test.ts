import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebAssets } from '../../packages/vault/src/server/web/serve-assets.ts';
import { authorizationUrl, exchange, newVerifier, registerClient, toolsWith } from '../oauth/client.ts';
import type { Issued } from '../oauth/client.ts';
import { publicVault } from '../oauth/public-vault.ts';
import type { PublicVault } from '../oauth/public-vault.ts';
import { sampleOf } from '../sample-of.ts';
import { findViolations } from './accessibility.ts';
import { buildWeb } from './build-web.ts';
import { expectNoOverflow, hasChromium, saveScreenshot, openPage } from './open-web.ts';

const served = (): Promise<PublicVault> =>
  publicVault({ 'a.md': '# A\n' }, { web: createWebAssets(buildWeb()) });

/** Starts the redirect target of a remote app, which is all that the browser sees of it. */
async function startProgram(): Promise<string> {
  const program = createServer((_, response) => response.end('Done'));
  program.listen(0, '127.0.0.1');
  await once(program, 'listening');
  onTestFinished(() => {
    program.close();
    program.closeAllConnections();
  });
  return `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
}

describe.skipIf(!hasChromium)('the consent page for remote apps', () => {
  it(
    'offers less access than requested first, and lets the user grant it',
    { timeout: 300_000 },
    async () => {
      const vault = await served();
      const client = await registerClient(vault);
      const redirect_uri = await startProgram();
      const { verifier, challenge } = newVerifier();
      const { page, browserErrors } = await openPage(vault);
      await page.goto(authorizationUrl(vault, challenge, { client_id: client, redirect_uri }));
      await page.getByRole('heading', { name: 'Allow A program to access your vault?' }).waitFor();
      await page.getByText('not verified; the app chose this name itself').waitFor();
      await page.getByText('an app on this computer').waitFor();
      await page.getByText('It cannot change anything.').waitFor();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.waitForURL(`${redirect_uri}?**`);
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const response = await exchange(vault, {
        grant_type: 'authorization_code',
        client_id: client,
        code,
        code_verifier: verifier,
        redirect_uri,
      });
      const { access_token: token } = (await response.json()) as Issued;
      expect(await toolsWith(vault, token)).not.toContain('vault_write');
      await page.goto(`${vault.url}/settings`);
      await page.getByText(`${vault.url}/mcp`).waitFor();
      await page.getByRole('button', { name: 'Revoke A program' }).click();
      await page.getByText('No connected apps.').waitFor();
      expect(await toolsWith(vault, token)).toBe(401);
      expect(browserErrors).toEqual([]);
    },
  );

  it('is legible in both languages, wide and narrow, light and dark', { timeout: 300_000 }, async () => {
    const vault = await served();
    const address = authorizationUrl(vault, newVerifier().challenge, {
      client_id: await registerClient(vault),
    });
    const screens = [
      { locale: 'en-GB', width: 1440 },
      { locale: 'fr-FR', width: 360 },
    ];
    for (const { locale, width } of sampleOf(screens, 2, 1)) {
      const { page, browserErrors } = await openPage(vault, { locale, viewport: { width, height: 760 } });
      await page.goto(address);
      await page.getByRole('button', { name: /^(?:Deny|Refuser)$/ }).waitFor();
      await expectNoOverflow(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const violations = await findViolations(page);
        expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
        await saveScreenshot(page, `consent-${colorScheme}-${width}`);
      }
      expect(browserErrors).toEqual([]);
    }
  });

  it('appears after signing in with a link, and never in a frame', { timeout: 300_000 }, async () => {
    const vault = await served();
    const authorization = { client_id: await registerClient(vault), redirect_uri: await startProgram() };
    const address = authorizationUrl(vault, newVerifier().challenge, authorization);
    const { page, context } = await openPage(vault);
    await context.clearCookies();
    await page.goto(address);
    await page.getByText('keepsake open').waitFor();
    const other = await context.newPage();
    await other.goto(vault.link());
    await page.getByRole('heading', { name: 'Allow A program to access your vault?' }).waitFor();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(/error=access_denied/);
    const { headers } = await fetch(`${vault.url}/consent/any`);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});
