import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, openWeb } from './open-web.ts';

describe.skipIf(!hasChromium)('a note of 10,000 lines', () => {
  it(
    'shows its first lines, then every place that an address names, and all of it in the end',
    { timeout: 600_000 },
    async () => {
      const { page, context, complaints, go } = await openWeb({
        'long.md': longNote(10_000),
        'short.md': longNote(100),
      });
      const session = await context.newCDPSession(page);
      await session.send('Performance.enable');
      const spent = await costToShow(page, session, go);
      console.log(`first lines: ${spent.short} ms of the page for 100 lines, ${spent.long} ms for 10,000`);
      // Only what is near is drawn: a note a hundred times as long costs a few times as much.
      expect(spent.long / spent.short).toBeLessThan(8);

      await go('/file/long.md#L9000');
      const isInSight = (selector: string): Promise<unknown> =>
        page.evaluate(`(() => {
        const place = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect();
        return place !== undefined && place.top >= 0 && place.bottom <= innerHeight;
      })()`);
      await expect.poll(() => isInSight('.ln[data-line="9001"]')).toBe(true);
      await page.locator('.marked').waitFor();
      await go('/file/long.md#part-1500');
      await expect.poll(() => isInSight('#heading-part-1500')).toBe(true);

      await go('/file/long.md');
      const worst = await scrollThrough(page);
      console.log(`scrolling: the longest task took ${worst} ms`);
      // Every line can be found in the page, once there was time to draw it.
      await expect
        .poll(() => page.evaluate(`document.querySelectorAll('article h2').length`), { timeout: 180_000 })
        .toBe(2_000);
      expect(complaints).toEqual([]);
    },
  );
});

/** A heading, a paragraph with a link, a list: five lines each. */
function longNote(lines: number): string {
  return Array.from(
    { length: lines / 5 },
    (_, index) => `## Part ${index}\n\nSome words about **${index}** and [[short]].\n- an item\n`,
  ).join('\n');
}

/** Processor time of the page's own thread until the first lines are there; of several rounds the cheapest. */
async function costToShow(
  page: Page,
  session: CDPSession,
  go: (path: string) => Promise<void>,
): Promise<{ short: number; long: number }> {
  const time = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN) * 1_000;
  };
  const cost = async (name: string): Promise<number> => {
    let least = Infinity;
    for (let round = 0; round < 3; round += 1) {
      await go('/developers/components');
      const before = await time();
      await page.evaluate(
        `history.pushState({}, '', '/file/${name}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.getByRole('heading', { name: 'Part 3', exact: true }).waitFor();
      least = Math.min(least, (await time()) - before);
    }
    return Math.round(least);
  };
  return { short: await cost('short.md'), long: await cost('long.md') };
}

/** The longest task, in milliseconds, while all of it is scrolled through. */
async function scrollThrough(page: Page): Promise<number> {
  return (await page.evaluate(`(async () => {
    let longest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    });
    observer.observe({ entryTypes: ['longtask'] });
    const main = document.querySelector('main');
    for (let frame = 0; frame < 120; frame += 1) {
      main.scrollTop = (main.scrollHeight * frame) / 120;
      await new Promise(requestAnimationFrame);
    }
    observer.disconnect();
    return Math.round(longest);
  })()`)) as number;
}
