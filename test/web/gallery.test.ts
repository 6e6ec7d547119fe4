import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createWebAssets } from '../../packages/vault/src/server/web/serve-assets.ts';
import { seriousViolations, setTheme, themes } from './axe-violations.ts';
import { buildWeb } from './build-web.ts';
import { expectNoOverflow, hasChromium, saveScreenshot, openBrowser } from './open-web.ts';

const address = 'http://localhost';

/** Opens the page of all components without a server, with the content security policy of the interface. */
async function openGallery(width: number, locale: string): Promise<{ page: Page; browserErrors: string[] }> {
  const assets = createWebAssets(buildWeb('test/web/gallery/vite.config.ts'));
  const { page, browserErrors } = await openBrowser({ viewport: { width, height: 800 }, locale });
  await page.route(`${address}/**`, (route) => {
    const served = assets(new URL(route.request().url()).pathname);
    return served === null
      ? route.fulfill({ status: 404 })
      : route.fulfill({ status: 200, headers: served.headers, body: Buffer.from(served.body) });
  });
  await page.goto(address);
  await page.getByText('Every part of the interface').waitFor();
  return { page, browserErrors };
}

describe.skipIf(!hasChromium)('every component', () => {
  it.each([360, 768, 1440].flatMap((width) => ['en-GB', 'fr-FR'].map((locale) => ({ width, locale }))))(
    'fits into a width of $width px in $locale',
    { timeout: 600_000 },
    async ({ width, locale }) => {
      const { page, browserErrors } = await openGallery(width, locale);
      await page.getByText(locale === 'fr-FR' ? 'Inchangé' : 'Unchanged').waitFor();
      await expectNoOverflow(page);
      await saveScreenshot(page, `components-${width}-${locale.slice(0, 2)}`);
      expect(browserErrors).toEqual([]);
    },
  );

  it('has no serious axe violations, light or dark', { timeout: 600_000 }, async () => {
    const { page } = await openGallery(1440, 'en-GB');
    const found: string[] = [];
    for (const theme of themes) {
      await setTheme(page, theme);
      found.push(...(await seriousViolations(page, 'components', theme)));
    }
    expect(found).toEqual([]);
  });
});
