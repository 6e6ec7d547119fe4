import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-vault.ts';
import { seriousViolations, setTheme, themes } from './axe-violations.ts';
import { expectNoOverflow, hasChromium, openBrowser, openWeb, saveScreenshot } from './open-web.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const files = {
  'projects/garden/plan.md':
    '# Plan of the garden\n\nFour beds, see [[secret]] and <script>window.ran = 1</script>.\n\n![[bed.png]]\n\n> [!tip] Water\n> In the evening.\n\n- [x] Dig\n- [ ] Plant\n\n| Bed | Plant |\n| --- | ---: |\n| 1 | beans |\n\n```js\nplant(1);\n```\n\nArea $a^2$.\n',
  'projects/garden/bed.png': pixel,
  'notes/secret.md': '# Secret\n',
};

async function openMenu(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /More actions|Autres actions/ })
    .first()
    .click();
}

/** Opens the dialog of the open note. */
async function openShareDialog(page: Page, entry = /^Share/) {
  await openMenu(page);
  await page.getByRole('menuitem', { name: entry }).click();
  return page.getByRole('dialog');
}

describe.skipIf(!hasChromium)('a shared note', () => {
  it('is read under its link without signing in, until the link is ended', async () => {
    const { page, server, browserErrors } = await openWeb(files, {
      hasModel: false,
      path: '/file/projects/garden/plan.md',
    });
    const dialog = await openShareDialog(page);
    await dialog.getByText('works only on this computer').waitFor();
    const create = dialog.getByRole('button', { name: 'Create link' });
    expect(await create.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'Create it anyway' }).check();
    await create.click();
    await dialog.getByText('Copy it now').waitFor();
    const url = await dialog.locator('code').textContent();
    expect(url).toMatch(new RegExp(`^${server.url}/s/[\\w-]{43}/$`));
    await dialog.getByRole('heading', { name: 'Links to this note' }).waitFor();
    for (const theme of themes) {
      await setTheme(page, theme);
      await saveScreenshot(page, `share-dialog-${theme}`);
      expect(await seriousViolations(page, 'share', theme)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    await expectNoOverflow(page);
    await saveScreenshot(page, 'share-dialog-390');
    await page.setViewportSize({ width: 1440, height: 800 });

    const visitor = await openBrowser();
    const requests: string[] = [];
    visitor.page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await visitor.page.goto(url ?? '');
    await visitor.page.getByRole('heading', { name: 'Plan of the garden' }).waitFor();
    const image = visitor.page.getByRole('img', { name: 'bed.png' });
    const width = (): Promise<number> =>
      image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(width).toBe(1);
    expect(await visitor.page.evaluate('window.ran')).toBeUndefined();
    expect(await visitor.page.locator('script').count()).toBe(0);
    expect(await visitor.page.content()).not.toContain('projects');
    for (const path of requests.filter((each) => each !== '/favicon.ico'))
      expect(path).toMatch(/^\/s\/[\w-]{43}\/(?:f\/[0-9a-f]{32})?$/);
    for (const theme of themes) {
      await setTheme(visitor.page, theme);
      await saveScreenshot(visitor.page, `shared-note-${theme}`);
      expect(await seriousViolations(visitor.page, 'shared', theme)).toEqual([]);
    }
    await visitor.page.setViewportSize({ width: 390, height: 800 });
    await expectNoOverflow(visitor.page);
    await saveScreenshot(visitor.page, 'shared-note-390');

    await dialog.getByRole('button', { name: /^End the link/ }).click();
    await page.getByText('Link ended').waitFor();
    await visitor.page.reload();
    await visitor.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await saveScreenshot(visitor.page, 'shared-gone-390');
    expect(browserErrors).toEqual([]);
    expect(visitor.browserErrors.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('is listed in the settings, and its dialog and page speak French', async () => {
    const { page, server, go } = await openWeb(files, {
      hasModel: false,
      path: '/file/projects/garden/plan.md',
      locale: 'fr-FR',
    });
    const dialog = await openShareDialog(page, /^Partager/);
    await dialog.getByRole('checkbox', { name: 'Créer le lien quand même' }).check();
    await dialog.getByRole('button', { name: 'Créer le lien', exact: true }).click();
    const url = (await dialog.locator('code').textContent()) ?? '';
    await saveScreenshot(page, 'share-dialog-fr');
    await go('/settings');
    await page.getByRole('heading', { name: 'Notes partagées' }).scrollIntoViewIfNeeded();
    await saveScreenshot(page, 'share-settings-fr');
    const visitor = await openBrowser({ locale: 'fr-FR' });
    await visitor.page.goto(url);
    await visitor.page.getByText('Partagée en lecture jusqu’au').waitFor();
    await page.getByRole('button', { name: 'Désactiver le lien vers projects/garden/plan.md' }).click();
    await page.getByText('Aucune note n’est partagée.').waitFor();
    await visitor.page.goto(`${server.url}/s/unknown/`);
    await visitor.page.getByText('Ce lien ne fonctionne pas').waitFor();
    expect(visitor.browserErrors.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('is copied as formatted text, and downloaded as one HTML file', async () => {
    const { page, context, browserErrors } = await openWeb(files, {
      hasModel: false,
      path: '/file/projects/garden/plan.md',
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openMenu(page);
    await saveScreenshot(page, 'note-menu');
    await page.getByRole('menuitem', { name: 'Copy as formatted text' }).click();
    await page.getByText('Note copied').waitFor();
    const copied = await page.evaluate(`navigator.clipboard.read().then(async ([item]) => {
      const text = async (type) => (await item.getType(type)).text();
      return [await text('text/html'), await text('text/plain')];
    })`);
    const [html = '', text = ''] = copied as string[];
    expect(html).toContain('Plan of the garden</h1>');
    expect(html).toContain('src="data:image/png;base64,');
    expect(html).not.toMatch(/<script/);
    expect(text).toMatch(/^# Plan of the garden\n\nFour beds/);

    const downloading = page.waitForEvent('download');
    await openMenu(page);
    await page.getByRole('menuitem', { name: 'Download as HTML' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('plan.html');
    const file = join(temporaryFolder(), 'plan.html');
    await download.saveAs(file);
    const stored = await readFile(file, 'utf8');
    expect(stored).toContain('<h1 id="heading-plan-of-the-garden">');
    expect(browserErrors).toEqual([]);
  });
});
