import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { findViolations } from './accessibility.ts';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(!hasChromium)('the reading view', () => {
  it('starts at the top of a page, and restores the scroll position when going back', async () => {
    const long = Array.from({ length: 200 }, (_, index) => `Paragraph ${index}.\n`).join('\n');
    const { page } = await openWeb(
      { 'long.md': `${long}\n[to the other](other.md)\n\n${long}`, 'other.md': long },
      { path: '/file/long.md' },
    );
    const place = (): Promise<unknown> => page.evaluate(`document.querySelector('#main').scrollTop`);
    const link = page.getByRole('link', { name: 'to the other' });
    await link.scrollIntoViewIfNeeded();
    const before = await place();
    expect(before).toBeGreaterThan(1_000);
    await link.click();
    await page.waitForURL('**/file/other.md');
    await page.getByRole('heading', { name: 'other.md', level: 1 }).waitFor();
    await page.getByText('Paragraph 0.').waitFor();
    await expect.poll(place).toBe(0);
    await page.goBack();
    await expect.poll(place).toBe(before);
    await link.waitFor();
    await page.goForward();
    await expect.poll(place).toBe(0);
  });

  it('has a name for each link before the name of the vault is loaded', async () => {
    const { page, server } = await openWeb({ 'notes.md': 'one\n' });
    await page.route('**/vaults/default/status', () => undefined);
    await page.goto(`${server.url}/file/notes.md`);
    await page.getByRole('article').getByText('one').waitFor();
    expect(await findViolations(page, { rules: ['link-name'] })).toEqual([]);
  });

  it('renders headings, footnotes, tasks and images', async () => {
    const room = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.\n`).join('\n');
    const { page, browserErrors } = await openWeb(
      {
        'a.md': [
          '[Other](b.md) and [tables](#tables) and a note[^1], [[b#The plan]] and [[#Tables]].',
          '**[over two',
          'lines](b.md)**',
          '',
          '- [ ] outer',
          '  - [ ] inner',
          '- plain',
          '',
          '![[red.png|20]] ![[b]]',
          '',
          room,
          '## Tables',
          room,
          '[^1]: What is told below.',
          '',
        ].join('\n'),
        'b.md': `---\ntitle: The other note\naliases: [sink, "hot tap"]\n---\n\n${room}\n# The plan\n${room}`,
        'pictures/red.png': picture,
      },
      { path: '/file/a.md' },
    );
    const article = page.getByRole('article');
    await article.getByRole('link', { name: 'Other' }).waitFor();
    expect(await article.locator('a a').count()).toBe(0);
    // Numbers are shown for the block under the pointer, and when lines are marked.
    const shown = (): Promise<unknown> =>
      page.evaluate(
        `[...document.querySelectorAll('article .ln')].map((each) => getComputedStyle(each).opacity).join('')`,
      );
    expect(await shown()).toMatch(/^0+$/);
    await article.getByRole('link', { name: 'Other' }).hover();
    expect(await shown()).toMatch(/^0*1+0+$/);
    // A click on the number selects the line; a click on the link opens the other file.
    await article.locator('.ln').first().click();
    await page.waitForURL('**/file/a.md#L*');
    await page.locator('.marked').waitFor();
    expect(await shown()).toMatch(/^1+$/);
    const numbers = await Promise.all(
      [0, 1, 2].map((index) => article.locator('.ln').nth(index).getAttribute('data-line')),
    );
    expect(numbers).toEqual(['1', '2', '3']);

    const isSeen = async (one: Locator): Promise<boolean> => ((await one.boundingBox())?.y ?? Infinity) < 800;
    const isInViewport = (name: string): Promise<boolean> => isSeen(page.getByRole('heading', { name }));
    expect(await isInViewport('Tables')).toBe(false);
    await article.getByRole('link', { name: 'tables', exact: true }).click();
    await expect.poll(() => isInViewport('Tables')).toBe(true);
    await page.goBack();
    await article.getByRole('link', { name: '1', exact: true }).click();
    await page.waitForURL('**#user-content-fn-1');
    const note = article.getByText('What is told below.');
    await expect.poll(() => isSeen(note)).toBe(true);

    const left = async (text: string): Promise<number> =>
      (await article.locator('li', { hasText: text }).last().locator('input').first().boundingBox())?.x ?? 0;
    expect(await left('inner')).toBeGreaterThan((await left('outer')) + 10);
    const plain = `[...document.querySelectorAll('.prose li')].find((one) => one.textContent.includes('plain'))`;
    expect(await page.evaluate(`getComputedStyle(${plain}).listStyleType`)).toBe('disc');

    const image = article.getByRole('img', { name: 'red.png' });
    await expect.poll(() => page.evaluate(`document.querySelector('.prose img').naturalWidth`)).toBe(1);
    expect(await image.getAttribute('width')).toBe('20');
    expect(await article.getByText('!', { exact: true }).count()).toBe(0);
    await image.scrollIntoViewIfNeeded();
    await saveScreenshot(page, 'rendered');
    await article.getByRole('link', { name: 'b#The plan' }).click();
    await page.waitForURL('**/file/b.md#*');
    await expect.poll(() => isInViewport('The plan')).toBe(true);
    // A note has the title of its properties, with its file name in the path.
    await page.getByRole('heading', { level: 1, name: 'The other note' }).waitFor();
    await page.getByRole('main').getByText('b.md', { exact: true }).waitFor();
    const aliases = page.getByRole('row', { name: /^aliases/ }).locator('td > span > span');
    expect(await aliases.allTextContents()).toEqual(['sink', 'hot tap']);
    expect(browserErrors).toEqual([]);
  });

  it('shows outline and backlinks on wide screens', async () => {
    const { page, browserErrors } = await openWeb(
      {
        'projects/x/plan.md': `# Plan\n\n## First\n\n${'Text.\n\n'.repeat(60)}## Second\n\nEnd.\n`,
        'projects/y/plan.md': '# Another plan\n',
        'a.md': 'Nothing.\n\nSee [[projects/x/plan|the plan]].\n',
        'projects/x/b.md': '[plan](plan.md)\n',
        'projects/y/c.md': 'The other [[plan]].\n',
      },
      { path: '/file/projects/x/plan.md' },
    );
    const mentions = page.getByRole('navigation', { name: '2 notes link here' });
    await expect
      .poll(() => mentions.getByRole('link').allTextContents())
      // Each with the line that contains the link.
      .toEqual(['a.mdSee the plan.', 'projects/x/b.mdplan']);
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Second' }).click();
    await page.waitForURL('**/plan.md#second');
    const top = async (): Promise<number> =>
      (await page.getByRole('heading', { name: 'Second' }).boundingBox())?.y ?? Infinity;
    await expect.poll(top).toBeLessThan(800);
    // The heading is not covered by the sticky header.
    const header = await page.getByRole('heading', { name: 'plan.md', level: 1 }).boundingBox();
    expect(header?.y).toBeGreaterThanOrEqual(0);
    expect(await top()).toBeGreaterThan(header?.y ?? 0);
    // The name of a note that starts with a title is in the size of its path, so that it has one title.
    const [nameSize, titleSize] = (await page.evaluate(
      `[...document.querySelectorAll('h1')].map((each) => parseFloat(getComputedStyle(each).fontSize))`,
    )) as number[];
    expect(nameSize).toBeLessThan(titleSize ?? 0);
    await saveScreenshot(page, 'beside');
    await mentions.getByRole('link', { name: 'a.md See the plan.' }).click();
    await page.waitForURL('**/file/a.md#L3');
    await page.setViewportSize({ width: 900, height: 800 });
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    expect(browserErrors).toEqual([]);
  });

  it('lets the user complete a task and undo that', async () => {
    const { page, server, browserErrors } = await openWeb(
      { 'a.md': '# List\n\n- [ ] outer\n  - [x] inner `code`\n\n> [!todo]\n> 1. [ ] quoted\n' },
      { path: '/file/a.md' },
    );
    const text = (): string => readFileSync(join(server.folder, 'a.md'), 'utf8');
    await page.getByRole('checkbox', { name: 'outer' }).click();
    await expect.poll(text).toContain('- [x] outer\n  - [x] inner');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(text).toContain('- [ ] outer\n  - [x] inner');
    await expect.poll(() => page.getByRole('checkbox', { name: 'outer' }).isChecked()).toBe(false);
    await page.getByRole('checkbox', { name: 'inner code' }).click();
    await expect.poll(text).toContain('- [ ] inner');
    await page.getByRole('checkbox', { name: 'quoted' }).click();
    await expect.poll(text).toContain('> 1. [x] quoted');
    expect(browserErrors).toEqual([]);
  });

  it('shows the next one of a repeating task that is completed', async () => {
    const { page, browserErrors } = await openWeb(
      { 'a.md': '- [ ] Pay 🔁 every week 📅 2099-01-01\n- [ ] Odd 🔁 every blue moon\n' },
      { path: '/file/a.md' },
    );
    await page.getByRole('checkbox', { name: /Pay/ }).click();
    await page.getByText(/Task completed\. The next one is on .*2099/).waitFor();
    await expect.poll(() => page.getByRole('checkbox', { name: /Pay/ }).count()).toBe(2);
    await page.getByRole('checkbox', { name: /Odd/ }).click();
    await page.getByText('“every blue moon” is not understood, so there is no next one.').waitFor();
    expect(browserErrors).toEqual([]);
  });

  it('asks which lines to keep if a task was edited before its completion is undone', async () => {
    const { page, server } = await openWeb(
      { 'list.md': '- [ ] Order the tiles\n' },
      { path: '/file/list.md' },
    );
    await page.getByRole('checkbox', { name: /Order the tiles/ }).click();
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    const file = join(server.folder, 'list.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Order the tiles', 'Order red tiles'));
    await undo.click();
    const dialog = page.getByRole('dialog', { name: 'These lines changed in the meantime' });
    await dialog.getByRole('button', { name: 'Replace current' }).click();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('- [ ] Order the tiles');
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows when a note was changed by another program, regardless of its frontmatter', async () => {
    const { page, server, go } = await openWeb({
      '.keepsake/vault.json': JSON.stringify({
        id: 'adopted-for-the-test',
        version: 1,
        upkeep: { frontmatter: 'own' },
      }),
      'projects/x/old.md': '---\nupdated: 2020-01-02T10:00:00\ntokens: 4321\n---\n\none\n',
    });
    // The rows of the tree and of a folder, and the header of a note, show its date and not its tokens.
    await go('/file/projects/x');
    const entry = page.getByRole('main').getByRole('link', { name: /^old\.md/ });
    await expect.poll(() => entry.textContent()).toBe('old.md2 Jan 2020');
    await entry.click();
    const row = page.getByRole('treeitem', { name: 'old.md' });
    expect(await row.textContent()).toMatch(/^old\.md2 Jan 2020Updated 2 Jan 2020, \d\d:00$/);
    const header = page.getByRole('main');
    await header.getByText(/^Updated 2 Jan 2020, \d\d:00$/).waitFor();
    // An external edit is recognized only if the history already contains the file.
    await expect.poll(() => server.keepsake.changes.baseline.findMissing([])).toBeNull();
    const file = join(server.folder, 'projects/x/old.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('one', 'two'));
    await server.keepsake.changes.recordExternalEdits(['vault/projects/x/old.md' as VaultPath]);
    await page.reload();
    await page.getByRole('article').getByText('two', { exact: true }).waitFor();
    await header.getByText(/^Updated .*2020/).waitFor({ state: 'detached' });
    await header.getByText(/^Updated/).waitFor();
    await go('/');
    await page.getByText('Another program edited x/old.md').waitFor();
  });
});
