import { describe, expect, it } from 'vitest';
import { layOut } from '../temporary-vault.ts';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

describe.skipIf(!hasChromium)('the web interface', () => {
  it('shows an outage, keeps the page, and reconnects automatically', async () => {
    const { page, server } = await openWeb({ 'notes.md': 'still here\n' }, { path: '/file/notes.md' });
    await page.getByText('still here').waitFor();
    await server.stop();
    await page.getByText('Server unreachable').first().waitFor();
    await page.getByText('still here').waitFor();
    await saveScreenshot(page, 'offline');
    layOut(server.folder, { 'later.md': 'new\n' });
    await server.start();
    await page.getByRole('treeitem', { name: /later\.md/ }).waitFor();
    await page.getByText('still here').waitFor();
    expect(await page.getByText('Server unreachable').count()).toBe(0);
    // A new version of the server reloads the page.
    await page.route('**/status', async (route) => {
      const response = await route.fetch();
      const status = (await response.json()) as object;
      await route.fulfill({ response, json: { ...status, version: '99.0.0' } });
    });
    const loaded = page.waitForEvent('load');
    layOut(server.folder, { 'upgraded.md': 'new\n' });
    await loaded;
    await page.getByRole('treeitem', { name: /upgraded\.md/ }).waitFor();
    // Otherwise a response would be replaced while the page closes.
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('shows a notice for sections that cannot be loaded during an outage, and loads them afterwards', async () => {
    const { page, server } = await openWeb({ 'notes.md': 'still here\n' }, { path: '/file/notes.md' });
    await page.getByText('still here').waitFor();
    await server.stop();
    await page.keyboard.press('Control+k');
    const notice = page.getByRole('status').filter({ hasText: 'Could not load this section' });
    await notice.waitFor();
    // It leaves the banner visible, and closes like what it stands for.
    const top = (await notice.boundingBox())?.y ?? 0;
    const banner = await page.getByRole('alert').filter({ hasText: 'Server unreachable' }).boundingBox();
    expect(top).toBeGreaterThanOrEqual((banner?.y ?? 0) + (banner?.height ?? 0));
    await page.keyboard.press('Escape');
    await notice.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('main').getByText('Could not load this section').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/settings');
    await notice.waitFor();
    await saveScreenshot(page, 'not-loaded');
    await page.getByRole('region', { name: 'Composer' }).waitFor();
    // The palette that was asked for meanwhile does not open by itself: the next key opens it.
    await page.keyboard.press('Control+k');
    await expect.poll(() => notice.count()).toBe(2);
    await server.start();
    await page.getByRole('heading', { name: 'API tokens' }).waitFor();
    await expect.poll(() => notice.count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    expect(await page.getByText('Could not load this section').count()).toBe(0);
  });

  it('signs out all browsers on demand, and signs in again with a new link', async () => {
    const { page, server, context } = await openWeb({ 'notes.md': 'still here\n' }, { path: '/settings' });
    await page.getByRole('button', { name: 'Sign out of all browsers' }).click();
    await page.getByText('You are not signed in', { exact: true }).waitFor();
    await page.getByText('keepsake open').waitFor();
    const other = await context.newPage();
    await other.goto(server.link());
    await page.getByRole('treeitem', { name: /notes\.md/ }).waitFor();
    expect(await page.getByText('You are not signed in', { exact: true }).count()).toBe(0);
  });

  it('serves a page for every URL', async () => {
    const { server, context, page } = await openWeb({ 'notes.md': 'one\n' });
    const open = async (path: string): Promise<number | undefined> =>
      (await page.goto(`${server.url}${path}`))?.status();
    expect(await open('/nothing/here')).toBe(404);
    await page.getByText('Page not found').waitFor();
    await open('/file/');
    await page
      .getByRole('main')
      .getByRole('link', { name: /notes\.md/ })
      .waitFor();
    const link = new URL(server.link());
    await open(`${link.pathname}${link.search}`);
    expect(await open(`${link.pathname}${link.search}`)).toBe(401);
    // A signed-in browser continues to the home page.
    await page.waitForURL(`${server.url}/`);
    await context.clearCookies();
    await open(`${link.pathname}${link.search}`);
    await page.getByText('This link has expired or was already used').waitFor();
    await page.getByText('keepsake open').waitFor();
    await saveScreenshot(page, 'link-used');
    expect(await open('/api/vaults/default/files/notes.md')).toBe(401);
    await page.getByText('You are not signed in', { exact: true }).waitFor();
    const response = await context.request.get(`${server.url}/nothing/here`);
    expect(response.headers()['content-type']).toBe('application/problem+json');
  });

  it('shows server errors in the language of the interface', async () => {
    const { page } = await openWeb({ 'notes.md': 'one\n' }, { locale: 'fr-FR' });
    const problem = {
      type: 'x',
      title: 'Busy',
      status: 503,
      code: 'unavailable',
      detail: 'busy',
      next: 'wait',
    };
    await page.route('**/api/**/inbox', (route) =>
      route.fulfill({ status: 503, json: { ...problem, requestId: 'x' } }),
    );
    await page.getByRole('navigation').getByRole('link', { name: 'À traiter' }).click();
    await page.reload();
    await page.getByText('Le service n’est pas disponible pour l’instant').waitFor();
    expect(await page.getByText('busy').count()).toBe(0);
  });

  it('tells a browser without a session how to sign in, and shows no data', async () => {
    const { server, context, page } = await openWeb({ 'secret.md': 'a private thought\n' });
    await context.clearCookies();
    await page.goto(`${server.url}/file/secret.md`);
    await page.getByText('You are not signed in', { exact: true }).waitFor();
    expect(await page.content()).not.toContain('a private thought');
  });
});
