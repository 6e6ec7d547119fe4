import { describe, expect, it } from 'vitest';
import { layOut } from '../temporary-vault.ts';
import { hasChromium, keepPicture, openWeb } from './open-web.ts';

describe.skipIf(!hasChromium)('a server that goes away', () => {
  it('is said, what was open stays, and everything goes on by itself when it is back', async () => {
    const { page, server } = await openWeb({ 'notes.md': 'still here\n' }, { path: '/file/notes.md' });
    await page.getByText('still here').waitFor();
    await server.stop();
    await page.getByText('The server cannot be reached').first().waitFor();
    await page.getByText('still here').waitFor();
    await keepPicture(page, 'offline');
    layOut(server.folder, { 'later.md': 'new\n' });
    await server.start();
    await page.getByRole('treeitem', { name: /later\.md/ }).waitFor();
    await page.getByText('still here').waitFor();
    expect(await page.getByText('The server cannot be reached').count()).toBe(0);
    // Another version has another page.
    await page.route('**/status', async (route) => {
      const response = await route.fetch();
      const status = (await response.json()) as object;
      await route.fulfill({ response, json: { ...status, version: '99.0.0' } });
    });
    const loaded = page.waitForEvent('load');
    layOut(server.folder, { 'upgraded.md': 'new\n' });
    await loaded;
    await page.getByRole('treeitem', { name: /upgraded\.md/ }).waitFor();
    // Otherwise an answer is replaced while the page closes.
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('breaks nothing that is opened meanwhile for the first time: that says so, and comes when it is back', async () => {
    const { page, server } = await openWeb({ 'notes.md': 'still here\n' }, { path: '/file/notes.md' });
    await page.getByText('still here').waitFor();
    await server.stop();
    await page.keyboard.press('Control+k');
    const notice = page.getByRole('status').filter({ hasText: 'This part could not be loaded' });
    await notice.waitFor();
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('main').getByText('This part could not be loaded').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/settings');
    await notice.waitFor();
    await keepPicture(page, 'not-loaded');
    await page.getByRole('region', { name: 'Composer' }).waitFor();
    await server.start();
    await page.getByText('Other programs').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    expect(await page.getByText('This part could not be loaded').count()).toBe(0);
  });

  it('signs every browser out on demand, and lets in again whoever opens a new link', async () => {
    const { page, server, context } = await openWeb({ 'notes.md': 'still here\n' }, { path: '/settings' });
    await page.getByRole('button', { name: 'Sign out all browsers' }).click();
    await page.getByText('This browser is not signed in').waitFor();
    await page.getByText('keepsake open').waitFor();
    const other = await context.newPage();
    await other.goto(server.link());
    await page.getByRole('treeitem', { name: /notes\.md/ }).waitFor();
    expect(await page.getByText('This browser is not signed in').count()).toBe(0);
  });

  it('answers every address with a page', async () => {
    const { server, context, page } = await openWeb({ 'notes.md': 'one\n' });
    const open = async (path: string): Promise<number | undefined> =>
      (await page.goto(`${server.url}${path}`))?.status();
    expect(await open('/nothing/here')).toBe(404);
    await page.getByText('There is no such page').waitFor();
    await open('/file/');
    await page
      .getByRole('main')
      .getByRole('link', { name: /notes\.md/ })
      .waitFor();
    const link = new URL(server.link());
    await open(`${link.pathname}${link.search}`);
    expect(await open(`${link.pathname}${link.search}`)).toBe(401);
    // Who is signed in goes on.
    await page.waitForURL(`${server.url}/`);
    await context.clearCookies();
    await open(`${link.pathname}${link.search}`);
    await page.getByText('This link was used already, or is too old').waitFor();
    await page.getByText('keepsake open').waitFor();
    await keepPicture(page, 'link-used');
    expect(await open('/api/vaults/default/files/notes.md')).toBe(401);
    await page.getByText('This browser is not signed in').waitFor();
    const asked = await context.request.get(`${server.url}/nothing/here`);
    expect(asked.headers()['content-type']).toBe('application/problem+json');
  });

  it('that cannot answer is told of in the language of the interface', async () => {
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
    await page.getByRole('navigation').getByRole('link', { name: 'À trancher' }).click();
    await page.reload();
    await page.getByText('Le service n’est pas disponible pour l’instant').waitFor();
    expect(await page.getByText('busy').count()).toBe(0);
  });

  it('tells a browser without a session how to get one, and shows no data', async () => {
    const { server, context, page } = await openWeb({ 'secret.md': 'a private thought\n' });
    await context.clearCookies();
    await page.goto(`${server.url}/file/secret.md`);
    await page.getByText('This browser is not signed in').waitFor();
    expect(await page.content()).not.toContain('a private thought');
  });
});
