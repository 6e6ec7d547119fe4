import { describe, expect, it } from 'vitest';
import { expectNoOverflow, hasChromium, saveScreenshot, openWeb } from './open-web.ts';

describe.skipIf(!hasChromium)('the interface on a phone', () => {
  it('can be installed, and adds content shared by other apps to the composer', async () => {
    const { page, context, browserErrors, go } = await openWeb(
      { 'a.md': 'a' },
      { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    );
    const session = await context.newCDPSession(page);
    const { errors, url } = await session.send('Page.getAppManifest');
    expect({ errors, path: new URL(url).pathname }).toEqual({ errors: [], path: '/manifest.webmanifest' });
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // An incognito window cannot install apps; there must be no other error.
    expect(
      installabilityErrors.map(({ errorId }) => errorId).filter((each) => each !== 'in-incognito'),
    ).toEqual([]);
    // A tab has no service worker.
    expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(
      0,
    );

    await page.getByRole('textbox', { name: /A note/ }).fill('Begun before.');
    // An installed app registers the worker at its start.
    await page.evaluate(`navigator.serviceWorker.register('/share-worker.js')
      .then(() => navigator.serviceWorker.ready)
      .then(() => navigator.serviceWorker.controller ?? new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })))
      .then(() => true)`);
    // The request that the system sends for shared content.
    const landed: unknown = await page.evaluate(`(() => {
      const form = new FormData();
      form.set('title', 'Tides');
      form.set('url', 'https://example.org/tides');
      form.append('files', new File(['# Shared'], 'shared.md', { type: 'text/markdown' }));
      return fetch('/share', { method: 'POST', body: form }).then((response) => response.url);
    })()`);
    expect(new URL(String(landed)).pathname).toBe('/share');
    await go('/share');
    await page.waitForURL((address) => address.pathname === '/');
    await expect
      .poll(() => page.getByRole('textbox', { name: /A note/ }).inputValue())
      .toBe('Begun before.\n\nTides\n\nhttps://example.org/tides');
    await page.getByText('shared.md').waitFor();
    await expectNoOverflow(page);
    await saveScreenshot(page, 'shared-360');
    // The content is taken once, and pages still come from the server.
    expect(await page.evaluate(`caches.has('keepsake.shared')`)).toBe(false);
    expect(browserErrors).toEqual([]);
  });

  it('closes the menu also for the page that is open already', async () => {
    const { page, browserErrors } = await openWeb(
      { 'a.md': 'a' },
      { path: '/file/a.md', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    );
    const menu = page.getByRole('dialog', { name: 'Vault' });
    const open = page.getByRole('button', { name: 'Open menu' });
    await open.tap();
    await menu.getByRole('treeitem', { name: 'a.md' }).tap();
    await menu.waitFor({ state: 'detached' });
    await open.tap();
    await menu.getByRole('treeitem', { name: 'inbox' }).tap();
    await menu.getByRole('link', { name: 'Inbox' }).tap();
    await page.getByText('Nothing needs your attention').waitFor();
    await menu.waitFor({ state: 'detached' });
    await open.tap();
    await menu.getByRole('link', { name: 'Inbox' }).tap();
    await page.getByRole('main').getByText('Nothing needs your attention').waitFor();
    await menu.waitFor({ state: 'detached' });
    expect(browserErrors).toEqual([]);
  });
});
