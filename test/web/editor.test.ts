import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoOverflow, hasChromium, isInViewport, openWeb, saveScreenshot } from './open-web.ts';
import type { OpenedWeb } from './open-web.ts';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const garden = `# Garden

Some **bold**, *soft*, ~~old~~, ==marked== and \`code\` words with [[plan|the plan]], [a page](https://example.org) and #seeds.

## Tasks

- [ ] Order tiles
- [x] Sow beans
- plain

![pump](pump.png) ![far](http://example.com/far.png)

| plant | rows |
| --- | --- |
| **Beans** | 4 |

> Quoted.

\`\`\`
code block
\`\`\`

The last line.
`;
const files = {
  'garden.md': garden,
  'plan.md': '# Plan\n\n## Water first\n\n## Then soil\n',
  'pump.png': picture,
  'people/lea-martin.md': '# Lea Martin\n',
  'projects/roof/state.md': '# Roof\n',
  'projects/tiles/state.md': '# Tiles\n',
};

const editor = (page: Page) => page.getByRole('textbox', { name: 'Editor' });
const line = (page: Page, text: string) => page.locator('.cm-line').filter({ hasText: text }).first();

async function openEditor(options: Parameters<typeof openWeb>[1] = {}): Promise<OpenedWeb> {
  const opened = await openWeb(files, { path: '/file/garden.md', ...options });
  await opened.page.getByRole('article').waitFor();
  await opened.page.getByRole('button', { name: 'Edit', exact: true }).click();
  await editor(opened.page).waitFor();
  return opened;
}

/** Saves with the key, and returns the body of the note. */
async function savedBody({ page, server }: OpenedWeb): Promise<string> {
  await page.keyboard.press('Control+s');
  await page.getByRole('article').waitFor();
  return readFileSync(join(server.folder, 'garden.md'), 'utf8').replace(/^---\n[\s\S]*?\n---\n\n/, '');
}

describe.skipIf(!hasChromium)('the editor of a note', () => {
  it('draws markdown in place, and shows the markup of the line with the caret', async () => {
    const remote: string[] = [];
    const opened = await openEditor();
    const { page, browserErrors } = opened;
    page.on('request', (request) => {
      if (!request.url().startsWith(opened.server.url)) remote.push(request.url());
    });
    await page.keyboard.press('Control+Home');
    await page.locator('.cm-table td', { hasText: 'Beans' }).waitFor();
    await saveScreenshot(page, 'editor-1440-light');
    expect(await line(page, 'Some bold').textContent()).toBe(
      'Some bold, soft, old, marked and code words with the plan, a page and #seeds.',
    );
    expect(await line(page, 'Garden').textContent()).toBe('# Garden');
    expect(await page.locator('.cm-heading-2').textContent()).toBe('Tasks');
    await expect
      .poll(() =>
        page
          .locator('img.cm-image')
          .evaluateAll((images: unknown[]) =>
            images.map((each) => (each as { naturalWidth: number }).naturalWidth),
          ),
      )
      .toEqual([1]);
    expect(await page.locator('.cm-table strong').textContent()).toBe('Beans');
    // The markup appears where the caret goes.
    await line(page, 'Some bold').click();
    await page.getByText('Some **bold**, *soft*').waitFor();
    expect(await line(page, 'Garden').textContent()).toBe('Garden');
    // A click on a box changes the task, and nothing else.
    await page.locator('.cm-checkbox').first().click();
    await page.locator('.cm-table td', { hasText: '4' }).click();
    await page.keyboard.type('0');
    await page.emulateMedia({ colorScheme: 'dark' });
    await saveScreenshot(page, 'editor-1440-dark');
    expect(await savedBody(opened)).toBe(
      garden.replace('- [ ] Order', '- [x] Order').replace('| **Beans** | 4 |', '| **Beans** | 40 |'),
    );
    expect(remote).toEqual([]);
    expect(browserErrors).toEqual([]);
  });

  it('completes links, headings and people, formats by key, and aligns tables', async () => {
    const opened = await openEditor();
    const { page, browserErrors } = opened;
    await page.keyboard.press('Control+a');
    await page.keyboard.type('See [[pla');
    const option = page.getByRole('option');
    await option.filter({ hasText: 'plan' }).first().waitFor();
    await saveScreenshot(page, 'editor-completion');
    await option.filter({ hasText: 'plan' }).first().click();
    await page.keyboard.type(' and [[plan#wat');
    await option.filter({ hasText: 'Water first' }).click();
    await page.keyboard.type(' with @lea');
    await option.filter({ hasText: 'Lea Martin' }).click();
    await page.keyboard.type(' in [[state');
    await option.filter({ hasText: 'projects/roof' }).click();
    await page.keyboard.type('.\n');
    await page.keyboard.type('strong');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('soft');
    await page.keyboard.press('Control+i');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Title');
    await page.keyboard.press('Control+Alt+2');
    await page.keyboard.press('Enter');
    await page.keyboard.type('one');
    await page.keyboard.press('Control+Shift+9');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('| a | long name |\n| --- | --: |\n| 1');
    await page.keyboard.press('Tab');
    await page.keyboard.type('2');
    await page.keyboard.press('Tab');
    await page.keyboard.type('3');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('4');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+End');
    expect(await savedBody(opened)).toBe(
      [
        'See [[plan]] and [[plan#Water first]] with [[lea-martin|Lea Martin]] in [[roof/state]].',
        '**strong**',
        '*soft*',
        '## Title',
        '- [ ] one',
        '- [x] two',
        '| a   | long name |',
        '| --- | --------: |',
        '| 1   |         4 |',
        '| 3   |           |',
      ].join('\n'),
    );
    expect(browserErrors).toEqual([]);
  });

  it('finds and replaces, and pastes formatted text as safe markdown', async () => {
    const opened = await openEditor();
    const { page, browserErrors } = opened;
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).fill('bean');
    await page.getByRole('textbox', { name: 'Replace' }).fill('pea');
    await saveScreenshot(page, 'editor-find');
    await page.getByRole('button', { name: 'replace all' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Find' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+End');
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'Plan a b');
      data.setData('text/html', '<h3>Plan</h3><ul><li>a <b>b</b></li></ul><img src="http://example.com/t.gif" alt="t"><script>fail()</script>');
      const content = document.querySelector('main .focus-within\\\\:border-accent').shadowRoot.querySelector('.cm-content');
      content.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await page.locator('.cm-heading-3', { hasText: 'Plan' }).waitFor();
    expect(await savedBody(opened)).toBe(
      `${garden.replace('beans', 'peas').replace('Beans', 'peas')}### Plan\n\n- a **b**\n\n[t](http://example.com/t.gif)`,
    );
    expect(browserErrors).toEqual([]);
  });

  it('starts where one was reading, and reading view where one was writing', async () => {
    const sections = Array.from({ length: 400 }, (_, at) => `## Part ${at}\n\nText of part ${at}.\n\n`).join(
      '',
    );
    const { page, server } = await openWeb(
      { 'long.md': `# Long\n\n${sections}` },
      { path: '/file/long.md#part-300' },
    );
    const heading = page.getByRole('heading', { name: 'Part 300', exact: true });
    await expect.poll(() => isInViewport(page, heading)).toBe(true);
    await page.keyboard.press('Control+e');
    await editor(page).waitFor();
    const active = page.locator('.cm-activeLine');
    await expect.poll(() => active.textContent()).toMatch(/(?:part|Part) (?:299|300)/);
    const save = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox();
    const box = await active.boundingBox();
    // Below the bar, and not far.
    expect(box?.y).toBeGreaterThan((save?.y ?? Infinity) + (save?.height ?? 0));
    expect(box?.y).toBeLessThan(400);
    await saveScreenshot(page, 'editor-place');
    await page.keyboard.press('End');
    await page.keyboard.type(' Typed here.');
    await page.keyboard.press('Control+s');
    await page.getByRole('article').getByText('Typed here.').waitFor();
    await expect
      .poll(() => isInViewport(page, page.getByRole('article').getByText('Typed here.')))
      .toBe(true);
    expect(readFileSync(join(server.folder, 'long.md'), 'utf8')).toMatch(
      /(?:part|Part) (?:299|300)\.? Typed here\./,
    );
  });

  it('opens the daily note in the form of the vault, and fills in templates', async () => {
    const { page, server, browserErrors } = await openWeb({
      'Journal/2025/2025-01-31.md': '# A day\n',
      'Journal/2025/2025-02-01.md': '# Another day\n',
      'Templates/Daily.md': '---\nmood: good\n---\n\n# {{date:dddd}}\n\n## Plan\n',
      'Templates/call.md': '# Call {{title}}\n\n- Who:\n',
    });
    const now = new Date();
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
      .map((part) => `${part}`.padStart(2, '0'))
      .join('-');
    const runAction = async (): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('>today');
      await page.getByRole('option', { name: 'Today’s note' }).click();
    };
    await runAction();
    await editor(page).waitFor();
    await page.keyboard.type('Water the beans.\n/cal');
    await page.getByRole('option', { name: '/call' }).click();
    await page.getByText('Who:').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('article').getByText('Water the beans.').waitFor();
    const text = readFileSync(join(server.folder, `Journal/${now.getFullYear()}/${day}.md`), 'utf8');
    const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' }).format(now);
    expect(text).toContain('mood: good\n---\n\n');
    expect(text).toContain(`# ${weekday}\n\n## Plan\nWater the beans.\n# Call ${day}\n\n- Who:\n`);
    // The second time it is only opened.
    await page.getByRole('link', { name: 'Inbox' }).click();
    await runAction();
    await page.getByRole('article').getByText('Water the beans.').waitFor();
    await page.getByRole('button', { name: 'New note' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('roofer');
    await page.getByRole('combobox', { name: 'Template' }).selectOption('call');
    await saveScreenshot(page, 'new-note-template');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await editor(page).waitFor();
    expect(readFileSync(join(server.folder, 'roofer.md'), 'utf8')).toContain('# Call roofer\n\n- Who:\n');
    expect(browserErrors).toEqual([]);
  });

  it('fits a phone, with a toolbar', async () => {
    const opened = await openEditor({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page, browserErrors } = opened;
    await page.keyboard.press('Control+a');
    const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
    await page.keyboard.type('note');
    await toolbar.getByRole('button', { name: 'Bold' }).tap();
    await toolbar.getByRole('button', { name: 'Heading' }).tap();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await toolbar.getByRole('button', { name: 'Task' }).tap();
    await page.keyboard.type('call');
    await saveScreenshot(page, 'editor-390');
    expect(await page.locator('#composer-text').isVisible()).toBe(false);
    await expectNoOverflow(page);
    expect(await savedBody(opened)).toBe('# **note**\n- [ ] call');
    expect(browserErrors).toEqual([]);
  });
});
