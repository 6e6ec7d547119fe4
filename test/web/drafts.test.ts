import { join } from 'node:path';
import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Route } from 'playwright-core';
import { layOut } from '../temporary-vault.ts';
import { hasChromium, openWeb, saveScreenshot } from './open-web.ts';

const question = '# A call\n\n## Question\nIs it startup-x?\n';
const files = {
  'inbox/2025-07-14-call/review.md': question,
  'inbox/2025-07-15-mail/review.md': question.replace('startup-x', 'the other one'),
  'notes.md': 'one\n',
};

describe.skipIf(!hasChromium)('drafts', () => {
  it('are separate for a note, a question and each answer', async () => {
    const { page, server, go } = await openWeb(files);
    const composer = page.getByRole('region', { name: 'Composer' });
    const box = composer.getByRole('textbox');
    const answer = page.getByRole('region', { name: '2025-07-14-call' }).getByRole('textbox');
    await box.fill('A note that I begin');
    await page.getByRole('navigation').getByRole('link', { name: /Inbox/ }).click();
    await answer.fill('Yes, startup-x');
    await page.getByRole('navigation').getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await page.reload();
    await go('/inbox');
    await expect.poll(() => answer.inputValue()).toBe('Yes, startup-x');
    expect(
      await page.getByRole('region', { name: '2025-07-15-mail' }).getByRole('textbox').inputValue(),
    ).toBe('');
    await page
      .getByRole('region', { name: '2025-07-14-call' })
      .getByRole('button', { name: 'Answer with files' })
      .click();
    expect(await box.inputValue()).toBe('Yes, startup-x');
    await box.fill('Yes, startup-x, see there');
    await composer.getByRole('button', { name: 'Cancel answer' }).click();
    expect(await box.inputValue()).toBe('A note that I begin');
    expect(await answer.inputValue()).toBe('Yes, startup-x, see there');
    // The text moves to the other mode, but does not replace another draft.
    const mode = (name: string) => composer.getByRole('button', { name, exact: true }).first().click();
    await mode('Ask');
    expect(await box.inputValue()).toBe('A note that I begin');
    await box.fill('A question that I begin');
    // Without an inbox item, there is no mode for answers.
    expect(await composer.getByRole('button', { name: 'Answer', exact: true }).count()).toBe(0);
    await page
      .getByRole('region', { name: '2025-07-14-call' })
      .getByRole('button', { name: 'Answer with files' })
      .click();
    await mode('Add');
    await box.fill('Another note');
    server.model.script({ text: 'It is unknown.' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('why is it late');
    await page.getByRole('option', { name: 'Ask: why is it late' }).click();
    await page.waitForURL('**/answers/*');
    await page.getByRole('navigation').getByRole('link', { name: 'Activity' }).click();
    await expect.poll(() => box.inputValue()).toBe('Another note');
    await mode('Ask');
    expect(await box.inputValue()).toBe('A question that I begin');
  });

  it('of answers stay when another program answers their question', async () => {
    const { page, server } = await openWeb(files, { path: '/inbox' });
    const box = page.getByRole('region', { name: 'Composer' }).getByRole('textbox');
    const notice = (item: string) => page.getByRole('status').filter({ hasText: `Your answer to “${item}”` });
    const items = ['2025-07-14-call', '2025-07-15-mail'];
    await box.fill('A note that I begin');
    for (const item of items) {
      await page.getByRole('region', { name: item }).getByRole('textbox').fill(`It is ${item}`);
      rmSync(join(server.folder, 'inbox', item), { recursive: true });
      await page.getByRole('region', { name: item }).waitFor({ state: 'detached' });
    }
    const [call, mail] = items.map(notice);
    await call?.getByText('It is 2025-07-14-call').waitFor();
    await call?.getByRole('button', { name: 'Use as a note' }).click();
    await call?.waitFor({ state: 'detached' });
    expect(await box.inputValue()).toBe('A note that I begin\n\nIt is 2025-07-14-call');
    await mail?.getByRole('button', { name: 'Discard' }).click();
    await mail?.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await mail?.getByText('It is 2025-07-15-mail').waitFor();
    await saveScreenshot(page, 'inbox-unsent');
  });

  it('keep text that is typed while a file is saved or a note is sent', async () => {
    const { page, server } = await openWeb(files, { path: '/file/notes.md' });
    const heldRequests: (() => Promise<void>)[] = [];
    const reading: (() => Promise<void>)[] = [];
    let isReadingHeld = false;
    const hold = async (route: Route): Promise<void> => {
      if (route.request().method() === 'GET') {
        if (!isReadingHeld) return route.continue();
        reading.push(() => route.continue());
      } else heldRequests.push(() => route.continue());
    };
    await page.route('**/files/notes.md**', hold);
    await page.route('**/updates', hold);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('zero ');
    await page.keyboard.press('Control+s');
    await expect.poll(() => heldRequests.length).toBe(1);
    await page.keyboard.type('and a half ');
    isReadingHeld = true;
    await heldRequests.pop()?.();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.keyboard.type('or so ');
    // Saves again before the page has read the result of the first save.
    await page.keyboard.press('Control+s');
    await expect.poll(() => reading.length).toBeGreaterThan(0);
    isReadingHeld = false;
    for (const goOn of reading) await goOn();
    await expect.poll(() => heldRequests.length).toBe(1);
    await heldRequests.pop()?.();
    await page.getByRole('article').getByText('zero and a half or so one').waitFor();
    expect(readFileSync(join(server.folder, 'notes.md'), 'utf8')).toContain('zero and a half or so one');
    const box = page.getByRole('region', { name: 'Composer' }).getByRole('textbox');
    await box.fill('First note');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => heldRequests.length).toBe(1);
    await box.fill('First note, and more');
    await heldRequests.pop()?.();
    await page.getByRole('link', { name: 'Show' }).waitFor();
    expect(await box.inputValue()).toBe('First note, and more');
  });

  it('keep the composer expanded, which otherwise takes one line until it is focused', async () => {
    const { page } = await openWeb(files);
    const composer = page.getByRole('region', { name: 'Composer' });
    const height = async (): Promise<number> => (await composer.boundingBox())?.height ?? 0;
    const idle = await height();
    await composer.getByRole('textbox').click();
    await expect.poll(height).toBeGreaterThan(idle);
    await composer.getByRole('textbox').fill('A note');
    await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).click();
    expect(await height()).toBeGreaterThan(idle);
    await composer.getByRole('textbox').fill('');
    await page.getByRole('link', { name: 'Home' }).click();
    await expect.poll(height).toBe(idle);
  });

  it('can be restored after they were discarded', async () => {
    const { page, server } = await openWeb(files, { path: '/file/notes.md' });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).waitFor();
    await page.keyboard.type('half an hour of work ');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('article').waitFor();
    const message = page.getByRole('status').filter({ hasText: 'Changes discarded' });
    await message.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Continue editing' }).click();
    await page.locator('.cm-line', { hasText: 'half an hour of work one' }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('article').getByText('half an hour of work one').waitFor();
    expect(readFileSync(join(server.folder, 'notes.md'), 'utf8')).toContain('half an hour of work one');
    // Without changes there is nothing to restore.
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('article').waitFor();
    expect(await page.getByText('Changes discarded').count()).toBe(0);
  });

  it('keep the tab open until the user confirms, and are not interrupted by an upgrade of the server', async () => {
    const { page, server } = await openWeb(files, { path: '/file/notes.md' });
    const closing: string[] = [];
    page.on('dialog', (dialog) => {
      closing.push(dialog.type());
      void dialog.dismiss();
    });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).waitFor();
    await page.keyboard.type('unsaved ');
    await page.route('**/status', async (route) => {
      const response = await route.fetch();
      const status = (await response.json()) as object;
      await route.fulfill({ response, json: { ...status, version: '99.0.0' } });
    });
    const upgraded = page.waitForResponse((response) => response.url().endsWith('/status'));
    layOut(server.folder, { 'upgraded.md': 'new\n' });
    await upgraded;
    await page.getByRole('treeitem', { name: /upgraded\.md/ }).waitFor();
    await page.keyboard.type('words ');
    await page.locator('.cm-line', { hasText: 'unsaved words one' }).waitFor();
    expect(closing).toEqual([]);
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => closing).toEqual(['beforeunload']);
    // The new version is loaded as soon as nothing is being written.
    const loaded = page.waitForEvent('load');
    await page.keyboard.press('Control+s');
    await loaded;
    await page.getByRole('article').getByText('unsaved words one').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    // A note that was not sent counts, too.
    const box = page.getByRole('region', { name: 'Composer' }).getByRole('textbox');
    await box.click();
    await page.keyboard.type('A thought');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => closing).toEqual(['beforeunload', 'beforeunload']);
    await box.fill('');
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
    expect(closing).toHaveLength(2);
  });

  it('are listed on the home page, even if their note was deleted elsewhere', async () => {
    const { page, server } = await openWeb(files, { path: '/file/notes.md' });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).waitFor();
    await page.keyboard.type('unsaved ');
    await page.getByRole('link', { name: 'Home' }).click();
    rmSync(join(server.folder, 'notes.md'));
    await page.getByRole('treeitem', { name: 'notes.md' }).waitFor({ state: 'detached' });
    const notice = page.getByRole('status').filter({ hasText: '1 unsaved draft' });
    await notice.getByRole('link', { name: 'notes.md' }).click();
    await page.locator('.cm-line', { hasText: 'unsaved one' }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save merged version' }).click();
    await page.getByRole('article').getByText('unsaved one').waitFor();
    expect(readFileSync(join(server.folder, 'notes.md'), 'utf8')).toContain('unsaved one');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Recent changes' }).waitFor();
    expect(await notice.count()).toBe(0);
  });
});
