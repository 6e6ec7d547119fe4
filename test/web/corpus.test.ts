import { describe, expect, it } from 'vitest';
import { corpus, corpusFiles } from './note-corpus.ts';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

/** The brightness of the diagram, its first shape and the text in it: 0 is black, 2 is white. */
const brightness = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const of = (selector, property) => {
    const found = document.querySelector('article .diagram' + selector);
    context.fillStyle = found === null ? 'red' : getComputedStyle(found)[property];
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return Math.floor((red + green + blue) / 256);
  };
  return [of('', 'backgroundColor'), of(' .node rect', 'fill'), of(' .node text', 'fill')];
})()`;
const brightnessIn = { light: [2, 2, 0], dark: [0, 0, 2] };

/** The distance in pixels between the end of the arrow and the tip of the diamond that it points to. */
const gap = `(() => {
  const line = document.querySelector('article .diagram .edgePaths path');
  const { x, y } = line.getPointAtLength(line.getTotalLength()).matrixTransform(line.getScreenCTM());
  const { left, top, height } = document.querySelector('article .diagram .node polygon').getBoundingClientRect();
  return Math.hypot(x - left, y - top - height / 2);
})()`;

describe.skipIf(!hasChromium)('notes from Obsidian and GitHub', () => {
  it('are at least 60, and all of them render as expected', { timeout: 600_000 }, async () => {
    expect(corpus.length).toBeGreaterThanOrEqual(60);
    const notes = Object.fromEntries(corpus.map(([, text], index) => [`corpus/n${index}.md`, `${text}\n`]));
    const { page, browserErrors } = await openWeb({ ...corpusFiles, ...notes }, { path: '/answers' });
    const results: unknown[] = [];
    // Navigates within the page, as a click does.
    const open = async (index: number): Promise<void> => {
      await page.evaluate(
        `history.pushState({}, '', '/file/corpus/n${index}.md'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.getByRole('heading', { level: 1, name: `n${index}.md`, exact: true }).waitFor();
    };
    for (const [index, [name, , expected]] of corpus.entries()) {
      await open(index);
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
    // Diagrams have the colors of the theme, and their arrows end at the shapes.
    await open(corpus.findIndex(([name]) => name === 'mermaid flowchart'));
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expect.poll(() => page.evaluate(brightness)).toEqual(brightnessIn[theme]);
      await saveScreenshot(page, `diagram-${theme}`);
    }
    expect(await page.evaluate(gap)).toBeLessThan(12);
    expect(browserErrors).toEqual([]);
  });
});
