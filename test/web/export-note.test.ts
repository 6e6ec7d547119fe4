import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-vault.ts';
import { seriousViolations, themes } from './axe-violations.ts';
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
  await page.getByRole('button', { name: 'More actions' }).first().click();
}

describe.skipIf(!hasChromium)('a note', () => {
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
    const stored = readFileSync(file, 'utf8');
    expect(stored).toContain('<h1 id="heading-plan-of-the-garden">');
    expect(browserErrors).toEqual([]);

    const reader = await openBrowser();
    const requests: string[] = [];
    reader.page.on('request', (request) => requests.push(request.url()));
    await reader.page.goto(pathToFileURL(file).href);
    const width = await reader.page
      .getByRole('img', { name: 'bed.png' })
      .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    expect(width).toBe(1);
    expect(await reader.page.evaluate('getComputedStyle(document.body).maxWidth')).toBe('736px');
    expect(requests).toEqual([pathToFileURL(file).href]);
    for (const theme of themes) {
      await reader.page.emulateMedia({ colorScheme: theme });
      await saveScreenshot(reader.page, `downloaded-note-${theme}`);
      expect(await seriousViolations(reader.page, 'downloaded', theme)).toEqual([]);
    }
    await reader.page.setViewportSize({ width: 390, height: 800 });
    await expectNoOverflow(reader.page);
    expect(reader.browserErrors).toEqual([]);

    // If the renderer let something pass, the policy of the page would stop it.
    const slip =
      '<script>window.ran = 1</script><img src="https://example.org/x.png" onerror="window.ran = 2">';
    writeFileSync(file, stored.replace('</article>', `${slip}</article>`));
    const refused: unknown[] = [];
    reader.page.on('requestfailed', (request) => refused.push([request.url(), request.failure()?.errorText]));
    await reader.page.reload();
    expect(await reader.page.evaluate('[document.images.length, window.ran]')).toEqual([2, undefined]);
    expect(refused).toEqual([['https://example.org/x.png', 'csp']]);
  });
});
