import { describe, expect, it } from 'vitest';
import { corpus, corpusFiles } from './note-corpus.ts';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

describe.skipIf(!hasChromium)('notes from Obsidian and GitHub', () => {
  it('are at least 60, and all of them render as expected', { timeout: 600_000 }, async () => {
    expect(corpus.length).toBeGreaterThanOrEqual(60);
    const notes = Object.fromEntries(corpus.map(([, text], index) => [`corpus/n${index}.md`, `${text}\n`]));
    const { page, browserErrors } = await openWeb({ ...corpusFiles, ...notes }, { path: '/answers' });
    const results: unknown[] = [];
    for (const [index, [name, , expected]] of corpus.entries()) {
      // Navigates within the page, as a click does.
      await page.evaluate(
        `history.pushState({}, '', '/file/corpus/n${index}.md'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.getByRole('heading', { level: 1, name: `n${index}.md`, exact: true }).waitFor();
      await page.getByRole('article').waitFor({ state: 'attached' });
      const read = `(selectors => Object.fromEntries(selectors.map(([selector, wanted]) => {
        const found = [...document.querySelectorAll('article ' + selector)];
        if (typeof wanted === 'string') return [selector, found[0]?.textContent.trim()];
        return [selector, selector === '.chunk' ? Math.min(found.length, wanted) : found.length];
      })))(${JSON.stringify(Object.entries(expected))})`;
      // Components are loaded on demand.
      const seen = await expect
        .poll(() => page.evaluate(read), { timeout: 30_000 })
        .toEqual(expected)
        .then(
          () => expected,
          () => page.evaluate(read),
        );
      results.push([name, seen]);
      expect(await page.locator('article a a').count()).toBe(0);
      await saveScreenshot(page, `corpus-${String(index).padStart(2, '0')}`);
    }
    expect(results).toEqual(corpus.map(([name, , expected]) => [name, expected]));
    expect(browserErrors).toEqual([]);
  });
});
