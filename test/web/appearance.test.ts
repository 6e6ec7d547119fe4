import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedModels } from '../local-models/server.ts';
import { injectAxe } from './accessibility.ts';
import { seriousViolations, setTheme, themes } from './axe-violations.ts';
import { expectNoOverflow, hasChromium, saveScreenshot, openPage } from './open-web.ts';
import type { OpenedWeb } from './open-web.ts';
import { moreFiles, prepareViews } from './views.ts';
import type { View } from './views.ts';
import { startWebServer } from './web-server.ts';
import type { WebServer } from './web-server.ts';

type Shared = { server: WebServer; views: View[]; stored: string; close: () => Promise<void> };

/** All tests share one server and one vault, because they only read. */
async function share(): Promise<Shared> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-test-'));
  cpSync('packages/vault/demo/vault', join(root, 'vault'), { recursive: true });
  const models = await startScriptedModels();
  const server = await startWebServer(root, moreFiles, { searchModels: models.baseUrl });
  const prepared = await prepareViews(server);
  await server.keepsake.search.prepare('deep', () => undefined);
  return {
    server,
    ...prepared,
    async close() {
      await server.close();
      await models.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

describe.skipIf(!hasChromium)('every view', () => {
  let shared: Shared;
  beforeAll(async () => void (shared = await share()), 120_000);
  afterAll(() => shared.close());

  async function opened(width: number, locale = 'en-GB'): Promise<OpenedWeb> {
    const isPhone = width === 360;
    const viewport = { width, height: isPhone ? 740 : 800 };
    const options = { viewport, locale, isMobile: isPhone, hasTouch: isPhone };
    const web = await openPage(shared.server, options);
    await web.page.addInitScript(shared.stored);
    return web;
  }

  async function show({ page, go }: OpenedWeb, view: View): Promise<void> {
    await go(view.path);
    await view.act?.(page);
    await page.getByRole('main').getByText(view.ready).first().waitFor();
    if (view.name === 'state') await page.locator('.marked').waitFor();
    await expectNoOverflow(page);
  }

  it.each([1440, 360])(
    'fits at %i px, and has no serious axe violations',
    { timeout: 600_000 },
    async (width) => {
      const web = await opened(width);
      const { page, go, browserErrors } = web;
      if (width === 1440) await injectAxe(page);
      const found: string[] = [];
      const order = [...themes];
      const check = async (name: string): Promise<void> => {
        await expectNoOverflow(page);
        // A narrow page has the same elements and colors as a wide one, except for its menu.
        if (width === 360 && name !== 'menu') return;
        for (const theme of order) {
          await setTheme(page, theme);
          found.push(...(await seriousViolations(page, name, theme)));
          await saveScreenshot(page, `${name}-${theme}-${width}`);
        }
        // The next view starts with the current theme, because switching it renders the whole page again.
        order.reverse();
      };
      for (const view of shared.views) {
        await show(web, view);
        await check(view.name);
      }
      await go('/file/projects/tidewatch/tasks.md');
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('textbox', { name: 'Editor' }).waitFor();
      await check('edit');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('oxygen');
      await page.getByRole('option').nth(3).waitFor();
      await check('palette');
      await page.keyboard.press('Alt+Enter');
      await page.getByText('Search: keywords, related terms, meaning, reranking').waitFor();
      await check('deep');
      await page.keyboard.press('Escape');
      if (width === 360) {
        await page.getByRole('button', { name: 'Open menu' }).click();
        await page.getByRole('treeitem').first().waitFor();
        await check('menu');
      }
      expect(found).toEqual([]);
      // One of the views requests a missing file.
      expect(browserErrors.filter((line) => !line.includes('404'))).toEqual([]);
    },
  );

  /** The full matrix, which runs only with `KEEPSAKE_APPEARANCE=all`. The other tests are a sample of it. */
  it
    .runIf(process.env['KEEPSAKE_APPEARANCE'] === 'all')
    .each([360, 768, 1440].flatMap((width) => ['en-GB', 'fr-FR'].map((locale) => ({ width, locale }))))(
    'fits at $width px in $locale, light and dark, without serious axe violations',
    { timeout: 1_800_000 },
    async ({ width, locale }) => {
      const web = await opened(width, locale);
      const found: string[] = [];
      for (const view of shared.views) {
        await show(web, view);
        for (const theme of themes) {
          await setTheme(web.page, theme);
          found.push(...(await seriousViolations(web.page, view.name, theme)));
          await saveScreenshot(web.page, `${view.name}-${theme}-${width}-${locale.slice(0, 2)}`);
        }
        await web.page.emulateMedia({ colorScheme: 'light' });
      }
      expect(found).toEqual([]);
    },
  );

  it('fits in French at 360 px', { timeout: 600_000 }, async () => {
    const web = await opened(360, 'fr-FR');
    for (const view of shared.views) {
      await show(web, view);
      await saveScreenshot(web.page, `${view.name}-french-360`);
    }
    await web.page.keyboard.press('Control+k');
    await web.page.getByRole('combobox').fill('oxygène');
    await web.page.keyboard.press('Alt+Enter');
    await web.page.getByText('Recherche\u00A0: mots-clés, termes proches, sens, reclassement').waitFor();
    await expectNoOverflow(web.page);
    await saveScreenshot(web.page, 'deep-french-360');
    expect(web.browserErrors.filter((line) => !line.includes('404'))).toEqual([]);
  });
});
