import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createWebAssets } from '../../packages/vault/src/server/web/serve-assets.ts';
import { findings, showIn, themes } from './axe-findings.ts';
import { buildWeb } from './build-web.ts';
import { expectNoOverflow, hasChromium, keepPicture, openBrowser } from './open-web.ts';

const address = 'http://localhost';

/** The page of all components without a server, under the policy that the interface is served with. */
async function openGallery(width: number, locale: string): Promise<{ page: Page; complaints: string[] }> {
  const assets = createWebAssets(buildWeb('test/web/gallery/vite.config.ts'));
  const { page, complaints } = await openBrowser({ viewport: { width, height: 800 }, locale });
  await page.route(`${address}/**`, (route) => {
    const served = assets(new URL(route.request().url()).pathname);
    return served === null
      ? route.fulfill({ status: 404 })
      : route.fulfill({ status: 200, headers: served.headers, body: Buffer.from(served.body) });
  });
  await page.goto(address);
  await page.getByText('Every part of the interface').waitFor();
  return { page, complaints };
}

describe.skipIf(!hasChromium)('every component', () => {
  it.each([360, 768, 1440].flatMap((width) => ['en-GB', 'fr-FR'].map((locale) => ({ width, locale }))))(
    'fits at $width px in $locale',
    { timeout: 600_000 },
    async ({ width, locale }) => {
      const { page, complaints } = await openGallery(width, locale);
      await page.getByText(locale === 'fr-FR' ? 'Toujours exact' : 'Still matches').waitFor();
      await expectNoOverflow(page);
      await keepPicture(page, `components-${width}-${locale.slice(0, 2)}`);
      expect(complaints).toEqual([]);
    },
  );

  it('has no serious finding of axe, light or dark', { timeout: 600_000 }, async () => {
    const { page } = await openGallery(1440, 'en-GB');
    const found: string[] = [];
    for (const theme of themes) {
      await showIn(page, theme);
      found.push(...(await findings(page, 'components', theme)));
    }
    expect(found).toEqual([]);
  });
});
