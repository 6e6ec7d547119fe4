import { describe, expect, it } from 'vitest';
import { expectNoOverflow, hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const files = {
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `gravel-${at}.md`,
      `# Gravel ${at}\n\nThe gravel of bed ${at}.\n`,
    ]),
  ),
  'projects/garden/changelog.md': '# 2025-07-14\n\n## Beds\nGravel came, and more gravel. Weeds went.\n',
  'projects/garden/state.md': '# State\n\nTwo beds are #mulched now.\n',
  'hedge.md': '---\ntags: [mulched]\n---\n\n# Hedge\n\nCut in May.\n',
};

describe.skipIf(!hasChromium)('the search page', () => {
  it('opens from the palette, shows more results on demand, and keeps its filters in the URL', async () => {
    const { page, browserErrors } = await openWeb(files);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('gravel');
    await page.getByRole('option', { name: /See all in \d+ notes/ }).click();
    await page.waitForURL('**/search?q=gravel');
    const results = page.getByRole('main').getByRole('listitem');
    await page.getByText(/10 of \d+ notes/).waitFor();
    expect(await results.count()).toBe(10);
    expect(await results.first().locator('mark').first().textContent()).toMatch(/gravel/i);
    await page.getByText('Keyword search', { exact: true }).waitFor();
    await expectNoOverflow(page);
    await saveScreenshot(page, 'search');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText(/20 of \d+ notes/).waitFor();
    // Each filter is part of the URL, so that it can be bookmarked and shared.
    await page.getByRole('combobox', { name: 'Folder' }).selectOption('projects/garden');
    await page.getByText('1 note', { exact: true }).waitFor();
    await page.waitForURL('**/search?q=gravel&in=*');
    expect(await results.locator('mark.hit').count()).toBe(2);
    // The passage is rendered as it is read, with the best sentence marked.
    await results.getByRole('heading', { name: 'Beds' }).waitFor();
    expect(await results.locator('mark.sentence').allTextContents()).toEqual([' came, and more ', '.']);
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Tasks');
    await page.getByText('No results').waitFor();
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Changelogs');
    await page.getByText('1 note', { exact: true }).waitFor();
    await page.getByLabel('From').fill('2025-08-01');
    await page.getByText('No results').waitFor();
    await page.getByLabel('From').fill('2025-07-01');
    await page.getByText('1 note', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('1 note', { exact: true }).waitFor();
    await results.getByRole('link').click();
    await page.waitForURL('**/file/projects/garden/changelog.md#L*');
    await page.goBack();
    await page.getByText('1 note', { exact: true }).waitFor();
    // On a phone, the filters are shown on demand.
    await page.setViewportSize({ width: 390, height: 780 });
    await page.getByRole('combobox', { name: 'Folder' }).waitFor({ state: 'hidden' });
    await expectNoOverflow(page);
    await page.getByRole('button', { name: 'Filters (3)' }).click();
    await page.getByRole('combobox', { name: 'Folder' }).waitFor();
    expect(browserErrors).toEqual([]);
  });

  it('finds tags in notes and frontmatter, shows the last author, and offers deep search', async () => {
    const { page, server, browserErrors } = await openWeb(files, { path: '/search?q=%23mulched' });
    await page.getByText('2 notes', { exact: true }).waitFor();
    await page.getByText('Two beds are').waitFor();
    await page.getByText('tags: [').waitFor();
    const run = server.keepsake.callTool({
      tool: 'append',
      input: { path: 'hedge.md', content: 'And in June.', position: 'bottom' },
      reader: 'person',
      origin: 'web',
    });
    expect((await run).kind).toBe('result');
    await page.reload();
    await page.getByRole('combobox', { name: 'Last changed by' }).selectOption('You');
    await page.getByText('1 note', { exact: true }).waitFor();
    await page.getByText('hedge.md').last().waitFor();
    await page.getByRole('combobox', { name: 'Last changed by' }).selectOption('Any');
    await page.getByRole('button', { name: 'Deep' }).click();
    await page.getByText(/^Keyword matches only/).waitFor();
    await page.getByRole('searchbox').fill('weeds');
    await page.waitForURL('**/search?q=weeds*');
    await page.getByText('Weeds', { exact: true }).waitFor();
    expect(browserErrors).toEqual([]);
  });
});
