import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebAssets } from '../../packages/vault/src/server/web/serve-assets.ts';
import { addressToAsk, exchange, newVerifier, registered, toolsWith } from '../oauth/client.ts';
import type { Issued } from '../oauth/client.ts';
import { publicVault } from '../oauth/public-vault.ts';
import type { PublicVault } from '../oauth/public-vault.ts';
import { violationsIn } from './accessibility.ts';
import { buildWeb } from './build-web.ts';
import { expectNoOverflow, hasChromium, keepPicture, openPage } from './open-web.ts';

const served = (): Promise<PublicVault> =>
  publicVault({ 'a.md': '# A\n' }, { web: createWebAssets(buildWeb()) });

/** A program that asks, as far as a browser sees it: where it is sent back to. */
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

describe.skipIf(!hasChromium)('a program elsewhere that wants in', () => {
  it(
    'is shown to the person, who gives it less than it wants, and takes that back',
    { timeout: 300_000 },
    async () => {
      const vault = await served();
      const client = await registered(vault);
      const redirect_uri = await startProgram();
      const { verifier, challenge } = newVerifier();
      const { page, complaints } = await openPage(vault);
      await page.goto(addressToAsk(vault, challenge, { client_id: client, redirect_uri }));
      await page.getByRole('heading', { name: 'Let A program in?' }).waitFor();
      await page.getByText('nobody; it calls itself so').waitFor();
      await page.getByText('a program on this machine').waitFor();
      await page.getByRole('button', { name: 'May read' }).click();
      await page.getByText('and change nothing').waitFor();
      await page.getByRole('button', { name: 'Let it in' }).click();
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
      await page.getByText('None was let in.').waitFor();
      expect(await toolsWith(vault, token)).toBe(401);
      expect(complaints).toEqual([]);
    },
  );

  it('is legible in both languages, wide and narrow, light and dark', { timeout: 300_000 }, async () => {
    const vault = await served();
    const address = addressToAsk(vault, newVerifier().challenge, { client_id: await registered(vault) });
    for (const { locale, width } of [
      { locale: 'en-GB', width: 1440 },
      { locale: 'fr-FR', width: 360 },
    ]) {
      const { page, complaints } = await openPage(vault, { locale, viewport: { width, height: 760 } });
      await page.goto(address);
      await page.getByRole('button', { name: /^(?:Refuse|Refuser)$/ }).waitFor();
      await expectNoOverflow(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const violations = await violationsIn(page);
        expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
        await keepPicture(page, `consent-${colorScheme}-${width}`);
      }
      expect(complaints).toEqual([]);
    }
  });

  it('is shown once a browser is signed in by a link, and in no frame', { timeout: 300_000 }, async () => {
    const vault = await served();
    const asked = { client_id: await registered(vault), redirect_uri: await startProgram() };
    const address = addressToAsk(vault, newVerifier().challenge, asked);
    const { page, context } = await openPage(vault);
    await context.clearCookies();
    await page.goto(address);
    await page.getByText('keepsake open').waitFor();
    const other = await context.newPage();
    await other.goto(vault.link());
    await page.getByRole('heading', { name: 'Let A program in?' }).waitFor();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.waitForURL(/error=access_denied/);
    const { headers } = await fetch(`${vault.url}/consent/any`);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});
