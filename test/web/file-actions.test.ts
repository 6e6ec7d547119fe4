import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoOverflow, hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const files = {
  'projects/garden/state.md': '# State\n\nSee [the plan](plan.md) and [[plan]].\n',
  'projects/garden/plan.md':
    '# Plan\n\nFour beds: beans, peas, carrots and onions.\n\nSee [above](plan.md).\n',
  'notes/a.md': '# A\n\nSee [the plan](../projects/garden/plan.md).\n',
  'notes/deep/b.md': '# B\n',
};

const row = (page: Page, name: string): Locator => page.getByRole('treeitem', { name });
const choose = async (page: Page, name: string): Promise<void> =>
  page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();

/** Clicks the undo button of the toast with this text. */
const undo = async (page: Page, message: string): Promise<void> =>
  page.getByText(message).locator('..').getByRole('button', { name: 'Undo' }).click();

describe.skipIf(!hasChromium)('file actions', () => {
  it('create a note from the tree, open it in the editor, and undo the creation', async () => {
    const { page, server, browserErrors } = await openWeb(files, { hasModel: false });
    const at = (path: string): string => join(server.folder, path);
    await page.getByRole('button', { name: 'New note' }).first().click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByRole('textbox', { name: 'Name' });
    for (const [typed, said] of [
      ['.secret', /start with a dot/],
      ['what?', /cannot contain/],
      ['notes/a', /already taken/],
    ] as const) {
      await name.fill(typed);
      await dialog.getByText(said).waitFor();
    }
    await name.fill('');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await name.fill('notes/Seeds to buy');
    await dialog.getByText('vault/notes/Seeds to buy.md').waitFor();
    await saveScreenshot(page, 'arrange-create');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/notes/Seeds%20to%20buy.md');
    await page.getByRole('textbox', { name: 'Editor' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Beans.');
    await page.keyboard.press('Control+s');
    await page.getByRole('article').getByText('Beans.').waitFor();
    expect(readFileSync(at('notes/Seeds to buy.md'), 'utf8')).toContain('# Seeds to buy\n\nBeans.');

    await page.getByRole('button', { name: 'New note' }).click();
    await name.fill('gone soon');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/gone%20soon.md');
    await undo(page, 'Created gone soon.md.');
    await page.waitForURL('**/file/notes/Seeds%20to%20buy.md');
    expect(existsSync(at('gone soon.md'))).toBe(false);
    // The page may request the missing file once more before it navigates.
    expect(browserErrors.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('rename and move notes and folders with their links and drafts', async () => {
    const { page, server, browserErrors, go } = await openWeb(files, {
      hasModel: false,
      path: '/file/projects/garden/plan.md',
    });
    const read = (path: string): string => readFileSync(join(server.folder, path), 'utf8');
    // Renames by keyboard in the tree.
    await page.getByRole('tree').focus();
    await row(page, 'plan.md').waitFor();
    await page.keyboard.press('F2');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'New name' }).waitFor();
    await page.keyboard.type('beds');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/projects/garden/beds.md');
    await page.getByText('Renamed to beds.md. 4 links updated.').waitFor();
    expect(read('projects/garden/state.md')).toContain('See [the plan](beds.md) and [[beds|plan]].');
    expect(read('notes/a.md')).toContain('../projects/garden/beds.md');
    await saveScreenshot(page, 'arrange-renamed');
    await undo(page, 'Renamed to beds.md.');
    await page.waitForURL('**/file/projects/garden/plan.md');
    await expect.poll(() => read('notes/a.md')).toContain('../projects/garden/plan.md');

    // A draft moves with its note.
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Editor' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Not saved yet.');
    await page.getByRole('button', { name: 'More actions' }).click();
    await choose(page, 'Move');
    await dialog.getByRole('combobox', { name: 'Destination folder' }).fill('notes');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/notes/plan.md');
    await page.getByText('Moved plan.md to notes. 2 links updated.').waitFor();
    await page.getByText('Not saved yet.').first().waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();

    // Moves a folder with the menu of the tree.
    await row(page, 'notes').click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    await saveScreenshot(page, 'arrange-menu');
    await choose(page, 'Rename');
    await dialog.getByRole('textbox', { name: 'New name' }).fill('projects/garden/notes');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/projects/garden/notes/plan.md');
    expect(read('projects/garden/notes/deep/b.md')).toContain('# B');
    // Even a note with a link to itself was moved, not created and deleted.
    await go('/activity');
    await page.getByText('You edited 2 files and moved garden/plan.md → garden/beds.md').first().waitFor();
    // The page may request the missing file once more before it navigates.
    expect(browserErrors.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('delete notes and folders, open the parent folder, and restore them', async () => {
    const { page, server, browserErrors } = await openWeb(files, {
      hasModel: false,
      path: '/file/notes/deep/b.md',
    });
    const at = (path: string): string => join(server.folder, path);
    await page.getByRole('article').getByText('B').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('>delete');
    await page.getByRole('option', { name: /Delete/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/file/notes/deep');
    await page.getByText('Deleted b.md.').waitFor();
    expect(existsSync(at('notes/deep/b.md'))).toBe(false);
    await undo(page, 'Deleted b.md.');
    await page.waitForURL('**/file/notes/deep/b.md');
    await page.getByRole('article').getByText('B').waitFor();

    await row(page, 'notes').click({ button: 'right' });
    await choose(page, 'Delete');
    await dialog.getByText('This also deletes 2 files.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted notes.').waitFor();
    expect(existsSync(at('notes'))).toBe(false);
    await undo(page, 'Deleted notes.');
    await page.waitForURL('**/file/notes/deep/b.md');
    await expect.poll(() => existsSync(at('notes/a.md'))).toBe(true);

    // Files that every vault needs cannot be deleted.
    await row(page, 'profile.md').click({ button: 'right' });
    await page.getByText('It cannot be moved or deleted.').waitFor();
    expect(await page.getByRole('menuitem', { name: /^Delete/ }).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    const saving = async (name: string): Promise<string> => {
      const saved = page.waitForEvent('download');
      await choose(page, name);
      return (await saved).suggestedFilename();
    };
    await row(page, 'profile.md').click({ button: 'right' });
    expect(await saving('Download$')).toBe('profile.md');
    await row(page, 'notes').click({ button: 'right' });
    expect(await saving('Download as zip')).toBe('notes.zip');
    // The page may request the missing file once more before it navigates.
    expect(browserErrors.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('work on a phone', async () => {
    const { page, go, server } = await openWeb(files, {
      hasModel: false,
      viewport: { width: 360, height: 740 },
      isMobile: true,
      hasTouch: true,
      locale: 'fr-FR',
    });
    await go('/file/notes/a.md');
    await page.getByRole('button', { name: 'Autres actions' }).tap();
    await page.getByRole('menuitem', { name: /^Renommer/ }).tap();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Nouveau nom' }).fill('une-note');
    await expectNoOverflow(page);
    await saveScreenshot(page, 'arrange-french-360');
    await page.getByRole('dialog').getByRole('button', { name: 'Renommer' }).tap();
    await page.waitForURL('**/file/notes/une-note.md');
    expect(existsSync(join(server.folder, 'notes/une-note.md'))).toBe(true);
  });
});
