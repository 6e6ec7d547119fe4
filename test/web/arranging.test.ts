import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoOverflow, hasChromium, keepPicture, openWeb } from './open-web.ts';

const files = {
  'projects/garden/state.md': '# State\n\nSee [the plan](plan.md) and [[plan]].\n',
  'projects/garden/plan.md': '# Plan\n\nFour beds.\n',
  'notes/a.md': '# A\n\nSee [the plan](../projects/garden/plan.md).\n',
  'notes/deep/b.md': '# B\n',
};

const row = (page: Page, name: string): Locator => page.getByRole('treeitem', { name });
const choose = async (page: Page, name: string): Promise<void> =>
  page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();

/** In the toast that tells of it. */
const undo = async (page: Page, told: string): Promise<void> =>
  page.getByText(told).locator('..').getByRole('button', { name: 'Undo' }).click();

describe.skipIf(!hasChromium)('a vault without any model', () => {
  it('gets a note from the tree, which is written at once and can be taken back', async () => {
    const { page, server, complaints } = await openWeb(files, { hasModel: false });
    const at = (path: string): string => join(server.folder, path);
    await page.getByRole('button', { name: 'New note' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByRole('textbox', { name: 'Name' });
    for (const [typed, said] of [
      ['.secret', /begin with a dot/],
      ['what?', /cannot contain/],
      ['notes/a', /something of that name already/],
    ] as const) {
      await name.fill(typed);
      await dialog.getByText(said).waitFor();
    }
    await name.fill('');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('It needs a name.').waitFor();
    await name.fill('notes/Seeds to buy');
    await dialog.getByText('vault/notes/Seeds to buy.md').waitFor();
    await keepPicture(page, 'arrange-create');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/notes/Seeds%20to%20buy.md');
    await page.getByRole('textbox', { name: 'Edit the text' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Beans.');
    await page.keyboard.press('Control+s');
    await page.getByRole('article').getByText('Beans.').waitFor();
    expect(readFileSync(at('notes/Seeds to buy.md'), 'utf8')).toContain('# Seeds to buy\n\nBeans.');

    await page.getByRole('button', { name: 'New note' }).click();
    await name.fill('gone soon');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/gone%20soon.md');
    await undo(page, 'gone soon.md was created.');
    await page.waitForURL('**/file/notes/Seeds%20to%20buy.md');
    expect(existsSync(at('gone soon.md'))).toBe(false);
    // What is gone may be asked for once more before the page leads on.
    expect(complaints.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('has its notes and folders renamed and moved, with their links and drafts', async () => {
    const { page, server, complaints } = await openWeb(files, {
      hasModel: false,
      path: '/file/projects/garden/plan.md',
    });
    const read = (path: string): string => readFileSync(join(server.folder, path), 'utf8');
    // By keyboard in the tree.
    await page.getByRole('tree').focus();
    await row(page, 'plan.md').waitFor();
    await page.keyboard.press('F2');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'New name' }).waitFor();
    await page.keyboard.type('beds');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/projects/garden/beds.md');
    await page.getByText('It is called beds.md now. 3 links follow it.').waitFor();
    expect(read('projects/garden/state.md')).toContain('See [the plan](beds.md) and [[beds|plan]].');
    expect(read('notes/a.md')).toContain('../projects/garden/beds.md');
    await keepPicture(page, 'arrange-renamed');
    await undo(page, 'It is called beds.md now.');
    await page.waitForURL('**/file/projects/garden/plan.md');
    await expect.poll(() => read('notes/a.md')).toContain('../projects/garden/plan.md');

    // A draft goes where its note goes.
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Edit the text' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Not saved yet.');
    await page.getByRole('button', { name: 'Name, move, delete' }).click();
    await choose(page, 'Move');
    await dialog.getByRole('combobox', { name: 'Into which folder' }).fill('notes');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/notes/plan.md');
    await page.getByText('plan.md is in notes now. 2 links follow it.').waitFor();
    await page.getByText('Not saved yet.').first().waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();

    // A folder, by the menu of the tree.
    await row(page, 'notes').click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    await keepPicture(page, 'arrange-menu');
    await choose(page, 'Rename');
    await dialog.getByRole('textbox', { name: 'New name' }).fill('projects/garden/notes');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/projects/garden/notes/plan.md');
    expect(read('projects/garden/notes/deep/b.md')).toContain('# B');
    // What is gone may be asked for once more before the page leads on.
    expect(complaints.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('has them deleted, leads on to their folder, and brings them back', async () => {
    const { page, server, complaints } = await openWeb(files, {
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
    await page.getByText('b.md was deleted.').waitFor();
    expect(existsSync(at('notes/deep/b.md'))).toBe(false);
    await undo(page, 'b.md was deleted.');
    await page.waitForURL('**/file/notes/deep/b.md');
    await page.getByRole('article').getByText('B').waitFor();

    await row(page, 'notes').click({ button: 'right' });
    await choose(page, 'Delete');
    await dialog.getByText('2 files go with it.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('notes was deleted.').waitFor();
    expect(existsSync(at('notes'))).toBe(false);
    await undo(page, 'notes was deleted.');
    await page.waitForURL('**/file/notes/deep/b.md');
    await expect.poll(() => existsSync(at('notes/a.md'))).toBe(true);

    // What every vault has stays.
    await row(page, 'profile.md').click({ button: 'right' });
    await page.getByText('It belongs to every vault and stays where it is.').waitFor();
    expect(await page.getByRole('menuitem', { name: /^Delete/ }).getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    // What is gone may be asked for once more before the page leads on.
    expect(complaints.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('does so on a phone', async () => {
    const { page, go, server } = await openWeb(files, {
      hasModel: false,
      viewport: { width: 360, height: 740 },
      isMobile: true,
      hasTouch: true,
      locale: 'fr-FR',
    });
    await go('/file/notes/a.md');
    await page.getByRole('button', { name: 'Renommer, déplacer, supprimer' }).tap();
    await page.getByRole('menuitem', { name: /^Renommer/ }).tap();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Nouveau nom' }).fill('une-note');
    await expectNoOverflow(page);
    await keepPicture(page, 'arrange-french-360');
    await page.getByRole('dialog').getByRole('button', { name: 'Renommer' }).tap();
    await page.waitForURL('**/file/notes/une-note.md');
    expect(existsSync(join(server.folder, 'notes/une-note.md'))).toBe(true);
  });
});
