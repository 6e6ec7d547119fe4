import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const created = '2025-03-04T05:06:07';
const stamped = `---\ntags: [pump]\ncreated: ${created}\nupdated: 2025-03-04T05:06:07\ntokens: 8\nstatus: open\n---\n\n# Pump\n\nIt hums.\n`;

async function typeIntoNewNote(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New note' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Editor' }).waitFor();
  await page.keyboard.type('Typed at once');
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.getByRole('article').waitFor();
}

describe.skipIf(!hasChromium)('the editor of notes with stamps', () => {
  it('gives a new note a single frontmatter block at the top', async () => {
    const { page, server, browserErrors } = await openWeb({ 'pump.md': stamped });
    await typeIntoNewNote(page, 'first');
    await saveScreenshot(page, 'new-note-typed-1440');
    await save(page);
    await saveScreenshot(page, 'new-note-saved-1440');
    expect(readFileSync(join(server.folder, 'first.md'), 'utf8')).toMatch(
      /^---\ncreated: .*\nupdated: .*\ntokens: \d+\n---\n\n# first\n\nTyped at once$/,
    );
    expect(browserErrors).toEqual([]);
  });

  it.each([
    ['at once', [], 'Typed # Pump\n\nIt hums.\n'],
    ['after Home and arrow up', ['Home', 'ArrowUp', 'ArrowUp', 'Control+Home'], 'Typed # Pump\n\nIt hums.\n'],
    [
      'after Backspace at the start',
      ['Control+Home', 'Backspace', 'Backspace'],
      'Typed # Pump\n\nIt hums.\n',
    ],
    ['over everything', ['Control+a'], 'Typed '],
  ])('changes the body and keeps the frontmatter when the user types %s', async (_, keys, body) => {
    const { page, server } = await openWeb({ 'pump.md': stamped }, { path: '/file/pump.md' });
    await page.getByRole('article').waitFor();
    await page.keyboard.press('Control+e');
    await page.getByRole('textbox', { name: 'Editor' }).waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await page.keyboard.type('Typed ');
    await save(page);
    const text = readFileSync(join(server.folder, 'pump.md'), 'utf8');
    expect(text.replace(/updated: .*\ntokens: \d+\n/, '<stamps>\n')).toBe(
      `---\ntags: [pump]\ncreated: ${created}\n<stamps>\nstatus: open\n---\n\n${body}`,
    );
  });

  it('numbers lines as in the file, and edits properties separately', async () => {
    const { page, server, browserErrors } = await openWeb(
      { 'pump.md': stamped },
      { path: '/file/pump.md', locale: 'fr-FR' },
    );
    await page.getByRole('article').waitFor();
    await page.keyboard.press('Control+e');
    await page.getByRole('textbox', { name: 'Éditeur' }).waitFor();
    const line = stamped.split('\n').indexOf('# Pump') + 1;
    const numbers = page.locator('.cm-lineNumbers .cm-gutterElement:visible');
    expect(await numbers.first().textContent()).toBe(`${line}`);
    // A phone has no room for them.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => numbers.count()).toBe(0);
    await page.getByRole('button', { name: 'Propriétés\u00A0: tags, status' }).click();
    await page.getByRole('textbox', { name: 'tags' }).fill('water');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'status' }).fill('closed');
    await page.getByRole('textbox', { name: 'Nouvelle propriété' }).fill('due');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Date');
    await page.getByRole('button', { name: 'Ajouter la propriété' }).click();
    await page.getByLabel('due', { exact: true }).fill('2026-12-01');
    await saveScreenshot(page, 'edit-properties-390');
    await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
    await page.getByRole('article').getByText('closed').waitFor();
    expect(readFileSync(join(server.folder, 'pump.md'), 'utf8')).toMatch(
      new RegExp(
        `^---\\ncreated: ${created}\\nupdated: .*\\ntokens: \\d+\\ntags: \\[pump, water\\]\\nstatus: closed\\ndue: 2026-12-01\\n---\\n\\n# Pump\\n\\nIt hums.\\n$`,
      ),
    );
    expect(browserErrors).toEqual([]);
  });

  it('gives new lines the line ends of the note', async () => {
    const { page, server } = await openWeb(
      { 'windows.md': '# A\r\n\r\nOne\r\n' },
      { path: '/file/windows.md' },
    );
    await page.getByRole('article').waitFor();
    await page.keyboard.press('Control+e');
    await page.getByRole('textbox', { name: 'Editor' }).waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.type(' note');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Two');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Three');
    await save(page);
    const text = readFileSync(join(server.folder, 'windows.md'), 'utf8');
    expect(text).toContain('# A note\r\n\r\nOne\r\nTwo\r\nThree');
    expect(text).not.toMatch(/(?<!\r)\n/);
  });
});
