import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../sample-of.ts';
import { vaultsServer } from '../vaults/vaults-server.ts';
import { buildWeb } from './build-web.ts';
import { hasChromium, isInViewport, saveScreenshot, openBrowser, openWeb } from './open-web.ts';

const long = `# Long\n\n${'A line.\n\n'.repeat(300)}`;
const desktop = { width: 1440, height: 800 };
const phone = { width: 390, height: 844 };
const viewports = [
  { device: 'desktop', viewport: desktop },
  { device: 'phone', viewport: phone },
];
/** What a member whose role no longer allows changes sees in each language. */
const refusals = [
  {
    locale: 'en-GB',
    viewport: desktop,
    words: /You can view this vault but not change it\. Ask its owner/,
    edit: 'Edit',
    label: 'Editor',
  },
  {
    locale: 'fr-FR',
    viewport: phone,
    words: /Vous pouvez consulter ce coffre, mais pas le modifier\./,
    edit: 'Modifier',
    label: 'Éditeur',
  },
];

/** Types at the end of a long note, far below the visible area. */
async function typeAtEnd(page: Page, label: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Typed at the end.');
}

describe.skipIf(!hasChromium)('the editor, scrolled down', () => {
  it.each(sampleOf(viewports, 2))(
    'shows on a $device that the file was changed elsewhere',
    async ({ viewport }) => {
      const { page, server } = await openWeb({ 'long.md': long }, { path: '/file/long.md', viewport });
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await typeAtEnd(page, 'Editor');
      const file = join(server.folder, 'long.md');
      writeFileSync(file, readFileSync(file, 'utf8').replace('# Long', '# Long, and changed'));
      const notice = page.getByText('This file changed elsewhere while you were editing.');
      await notice.waitFor();
      await saveScreenshot(page, `edit-changed-elsewhere-${viewport.width}`);
      expect(await isInViewport(page, notice)).toBe(true);
      expect(await isInViewport(page, page.getByRole('button', { name: 'Compare' }))).toBe(true);
    },
  );

  it('keeps the save bar visible below a title of several lines', async () => {
    const name = `${'a very long name of a note '.repeat(7).trim()}.md`;
    const { page } = await openWeb(
      { [name]: long.replace('# ', '') },
      { path: `/file/${encodeURIComponent(name)}` },
    );
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await typeAtEnd(page, 'Editor');
    expect(await isInViewport(page, page.getByRole('button', { name: 'Save', exact: true }))).toBe(true);
  });

  it.each(sampleOf(refusals, 2, 1))(
    'tells a member in $locale who may no longer edit that saving was denied',
    async ({ locale, viewport, words, edit, label }) => {
      const server = await vaultsServer({ Family: { 'long.md': long } }, { web: buildWeb() });
      const { page: owner } = await openBrowser();
      await owner.goto(server.createLoginLink());
      await owner.getByRole('button', { name: 'family' }).click();
      await owner.getByRole('region', { name: 'Composer' }).waitFor();
      await owner.goto(`${server.url}/v/family/settings`);
      const invitation = owner.locator('form', { hasText: 'Invite' });
      await invitation.getByRole('textbox', { name: 'Name' }).fill('Léa');
      await invitation.getByRole('button', { name: 'Can edit' }).click();
      await invitation.getByRole('button', { name: 'Invite' }).click();
      const link = await owner.getByText('/v/family/open?code=').textContent();

      const { page } = await openBrowser({ locale, viewport });
      await page.goto(link ?? '');
      await page.getByRole('region', { name: /Composer|Saisie/ }).waitFor();
      await page.goto(`${server.url}/v/family/file/long.md`);
      await page.getByRole('button', { name: edit, exact: true }).click();
      await typeAtEnd(page, label);
      await owner.reload();
      const role = owner.getByRole('group', { name: 'Role of Léa' });
      await role.getByRole('button', { name: 'Can view' }).click();
      await role.getByRole('button', { name: 'Can view', pressed: true }).waitFor();
      await page.keyboard.press('Control+s');
      const notice = page.getByRole('alert').filter({ hasText: words });
      await notice.waitFor();
      await saveScreenshot(page, `edit-refused-${viewport.width}`);
      expect(await isInViewport(page, notice)).toBe(true);
      expect(readFileSync(join(server.folder, 'Family/long.md'), 'utf8')).toBe(long);
    },
  );

  it.each(sampleOf(viewports, 2, 1))(
    'keeps the draft notice visible in reading view on a $device',
    async ({ viewport }) => {
      const { page } = await openWeb({ 'long.md': long }, { path: '/file/long.md', viewport });
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('textbox', { name: 'Editor' }).waitFor();
      await page.keyboard.type('A draft. ');
      await page.getByRole('button', { name: 'Read', exact: true }).click();
      await page.getByRole('article').getByText('A line.').nth(40).waitFor();
      await page.mouse.move(viewport.width / 2, 500);
      await page.mouse.wheel(0, 3_000);
      await expect
        .poll(() => page.evaluate(`document.querySelector('main').scrollTop`))
        .toBeGreaterThan(1_000);
      await saveScreenshot(page, `draft-in-reading-${viewport.width}`);
      expect(await isInViewport(page, page.getByRole('button', { name: 'Continue editing' }))).toBe(true);
    },
  );
});

const stamped = (second: number, body: string): string =>
  `---\ncreated: 2026-01-02T03:04:05\nupdated: 2026-01-02T03:04:0${second}\ntokens: ${second}\n---\n\n${body}`;

async function typeOnLastLine(page: Page): Promise<void> {
  for (const key of ['Control+End', 'ArrowUp', 'End']) await page.keyboard.press(key);
  await page.keyboard.type(' from here');
}

describe.skipIf(!hasChromium)('saving over a file that has changed', () => {
  it('succeeds after a conflict was resolved, even if stamps are set in between', async () => {
    const { page, server } = await openWeb(
      { 'notes.md': stamped(1, 'one\ntwo\nthree\n') },
      { path: '/file/notes.md' },
    );
    const file = join(server.folder, 'notes.md');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).waitFor();
    await typeOnLastLine(page);
    writeFileSync(file, stamped(2, 'one\ntwo\nthree from elsewhere\n'));
    await page.keyboard.press('Control+s');
    const view = page.getByRole('region', { name: 'Changes to merge' });
    await view.getByText('three from elsewhere').waitFor();
    await saveScreenshot(page, 'conflict-1440');
    // Upkeep stamps the external edit exactly between the click and the save.
    let puts = 0;
    await page.route('**/files/notes.md**', async (route) => {
      if (route.request().method() === 'PUT' && ++puts === 1)
        writeFileSync(file, stamped(9, 'one\ntwo\nthree from elsewhere\n'));
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save merged version' }).click();
    await page.getByRole('article').getByText('three from here').waitFor();
    expect(puts).toBe(2);
    expect(readFileSync(file, 'utf8')).toContain('\n\none\ntwo\nthree from here\nthree from elsewhere\n');
  });

  it('merges a change in other lines without asking, and says so', async () => {
    const { page, server } = await openWeb(
      { 'notes.md': stamped(1, 'one\ntwo\nthree\nfour\n') },
      { path: '/file/notes.md', viewport: phone },
    );
    const file = join(server.folder, 'notes.md');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).waitFor();
    await typeOnLastLine(page);
    writeFileSync(file, stamped(2, 'one from elsewhere\ntwo\nthree\nfour\n'));
    await page.keyboard.press('Control+s');
    await page.getByText('Saved and merged with a change made elsewhere').waitFor();
    await page.getByRole('article').getByText('four from here').waitFor();
    await saveScreenshot(page, 'merged-390');
    expect(readFileSync(file, 'utf8')).toContain('one from elsewhere\ntwo\nthree\nfour from here\n');
  });

  it('does not report stamps as a change made elsewhere', async () => {
    const { page, server } = await openWeb({ 'notes.md': stamped(1, 'one\n') }, { path: '/file/notes.md' });
    const file = join(server.folder, 'notes.md');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).waitFor();
    const reread = page.waitForResponse(async (answer) => (await answer.text()).includes('03:04:08'));
    writeFileSync(file, stamped(8, 'one\n'));
    await reread;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.getByText('This file changed elsewhere').count()).toBe(0);
    writeFileSync(file, stamped(8, 'two\n'));
    await page.getByText('This file changed elsewhere').waitFor();
  });
});
