import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const files = {
  'projects/garden/state.md': '## Beds\nFour beds.\n',
  'projects/garden/tasks.md': '# Water\nstatus: to-do | prio: high\n',
  'inbox/2025-07-14-seeds/review.md': '# Seeds\n\n## Question\nWhich bed?\n',
};

/** Presses Tab until this element has the focus; fails if it never does. */
async function tabTo(page: Page, what: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const exists = (await page.evaluate(
      `document.activeElement?.matches(${JSON.stringify(what)})`,
    )) as boolean;
    if (exists) return;
  }
  throw new Error(`Tab never reaches ${what}`);
}

describe.skipIf(!hasChromium)('the web interface', () => {
  it('can be used by keyboard: the tree, the editor, the composer, search and the inbox', async () => {
    const { page, server, browserErrors } = await openWeb(files);
    // Every focused element has a visible focus indicator.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement.textContent`)).toBe('Skip to content');
    await tabTo(page, '[role=tree]');
    await page.keyboard.press('Home');
    for (const key of ['End', 'Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown'])
      await page.keyboard.press(key);
    const active = page.locator('[role=treeitem].group-focus-visible\\/tree\\:outline-2');
    await active.filter({ hasText: 'state.md' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Four beds.').waitFor();
    await page.keyboard.press('Control+e');
    await page.getByRole('textbox', { name: 'Editor' }).waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('And a pond.');
    await page.keyboard.press('Control+s');
    await page.getByRole('article').getByText('And a pond.').waitFor();

    server.model.script(
      {
        calls: [
          {
            tool: 'append',
            input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## A\nB.', position: 'top' },
          },
        ],
      },
      { text: 'Filed by keyboard.' },
    );
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('>add a');
    await page.getByRole('option', { name: 'Add a note' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(`document.activeElement?.id === 'composer-text'`)).toBe(true);
    await page.keyboard.type('Bought seeds.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Filed by keyboard.').waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('pond');
    await page.getByRole('option').filter({ hasText: 'And a pond.' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/projects/garden/state.md#L*');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(':1');
    await page.getByRole('option', { name: 'Go to line 1' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**#L1');

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('>inbox');
    await page.getByRole('option', { name: 'Inbox', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Which bed?').waitFor();
    // The empty palette lists the files that were opened before, and letters in order find a file.
    await page.keyboard.press('Control+k');
    const recent = page.getByRole('option', { name: 'garden/state.md' });
    await recent.waitFor();
    await page.getByText('Recent files').waitFor();
    await page.keyboard.type('gardsta');
    await recent.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Edit file').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(browserErrors).toEqual([]);
  });

  it('is in French if the browser prefers it, and remembers another choice', async () => {
    const { page, browserErrors } = await openWeb(files, { locale: 'fr-FR', path: '/settings' });
    await page.getByRole('heading', { name: 'Réglages' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('fr');
    await page.getByRole('textbox', { name: /Une note/ }).waitFor();
    await saveScreenshot(page, 'french');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(browserErrors).toEqual([]);
  });
});
