import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, openWeb } from './open-web.ts';
import { maxTaskMs } from './trace-tasks.ts';
import type { LongestTask } from './trace-tasks.ts';

describe.skipIf(!hasChromium)('a note of 10,000 lines', () => {
  it(
    'first shows its beginning, then any line or heading named in the URL, and finally everything',
    { timeout: 600_000 },
    async () => {
      const { page, context, browserErrors, go } = await openWeb({
        'long.md': longNote(10_000),
        'short.md': longNote(100),
      });
      const session = await context.newCDPSession(page);
      await session.send('Performance.enable');
      const spent = await costToShow(page, session, go);
      console.log(`first lines: ${spent.short} ms of the page for 100 lines, ${spent.long} ms for 10,000`);
      // Only blocks near the viewport are rendered: a note a hundred times as long costs only a few times as much.
      expect(spent.long / spent.short).toBeLessThan(8);

      await go('/file/long.md#L9000');
      const isInViewport = (selector: string): Promise<unknown> =>
        page.evaluate(`(() => {
        const place = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect();
        return place !== undefined && place.top >= 0 && place.bottom <= innerHeight;
      })()`);
      await expect.poll(() => isInViewport('.ln[data-line="9001"]')).toBe(true);
      await page.locator('.marked').waitFor();
      await go('/file/long.md#part-1500');
      await expect.poll(() => isInViewport('#heading-part-1500')).toBe(true);

      await go('/file/long.md');
      const scrolling = await maxTaskMs(session, async () => {
        await scrollThrough(page);
        // The browser renders the remaining blocks when it is idle.
        await expect
          .poll(() => page.evaluate(`document.querySelectorAll('article h2').length`), { timeout: 180_000 })
          .toBe(2_000);
      });
      console.log(`scrolling and drawing: the longest task took ${describeTask(scrolling)}`);
      // The note has 14,000 elements.
      expect(scrolling.elements).toBeLessThan(7_000);

      // Also what was never near the screen is printed, without the page around it.
      await go('/file/long.md');
      // Placeholders of everything: the whole note has been parsed.
      await expect
        .poll(() => page.evaluate(`Number(document.querySelector('.chunk:last-child')?.dataset.from)`))
        .toBeGreaterThan(9_900);
      await page.emulateMedia({ media: 'print' });
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      expect(await page.locator('article h2').last().isVisible()).toBe(true);
      expect(await page.locator('article h2').count()).toBe(2_000);
      expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
      expect(await page.getByRole('region', { name: 'Composer' }).isVisible()).toBe(false);
      const height = await page.evaluate(`document.documentElement.scrollHeight`);
      expect(height).toBeGreaterThan(100_000);
      await page.emulateMedia({ media: null });
      expect(browserErrors).toEqual([]);
    },
  );
});

describe.skipIf(!hasChromium)('typing in a note of 5,500 lines', () => {
  it('costs about as much as in a note of 50 lines', { timeout: 600_000 }, async () => {
    const { page, context, browserErrors, go } = await openWeb({
      'long.md': longNote(5_500),
      'short.md': longNote(50),
    });
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    const ratios: number[] = [];
    // Both notes alternate, so that other load on the machine affects both.
    for (let round = 0; round < 7; round += 1) {
      const short = await costToType(page, session, go, 'short.md');
      const long = await costToType(page, session, go, 'long.md');
      ratios.push(long / short);
      console.log(`18 keys: ${short.toFixed(1)} ms of the page in 50 lines, ${long.toFixed(1)} ms in 5,500`);
    }
    const median = ratios.toSorted((a, b) => a - b)[3];
    console.log(`the median of ${ratios.length} rounds is ${median?.toFixed(2)}`);
    expect(median).toBeLessThan(1.5);
    expect(browserErrors).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('a change of 5,000 lines', () => {
  it('shows its first lines, and more on demand', async () => {
    const lines = (word: string): string =>
      Array.from({ length: 5_000 }, (_, index) => `Line ${index} ${word}.\n`).join('');
    const { page, context, go } = await openWeb({ 'long.md': lines('before') });
    const session = await context.newCDPSession(page);
    const put = `fetch('/api/vaults/default/files/long.md?confirm=true', {
      method: 'PUT', body: ${JSON.stringify(lines('after'))}, headers: { 'content-type': 'text/markdown', 'if-match': '*' },
    }).then(({ status }) => status)`;
    expect(await page.evaluate(put)).toBe(200);
    await go('/activity');
    const shown = await maxTaskMs(session, async () => {
      await page.getByRole('button', { name: 'Show changes' }).first().click();
      await page.getByText('Line 3 after.').first().waitFor();
    });
    const rows = (): Promise<number> => page.getByText(/^Line \d+ /).count();
    expect(await rows()).toBeLessThan(700);
    const more = await maxTaskMs(session, async () => {
      await page.getByRole('button', { name: /more lines/ }).click();
      await expect.poll(rows).toBeGreaterThan(1_500);
    });
    console.log(`a diff of 5,000 lines: ${describeTask(shown)}; 1,000 more rows: ${describeTask(more)}`);
  });
});

const describeTask = ({ milliseconds, parts, elements }: LongestTask): string =>
  `${milliseconds} ms of the processor, at most ${elements} elements at once (${parts.slice(0, 6).join(', ')})`;

/** Sections of five lines: a heading, a paragraph with a link, and a list. */
function longNote(lines: number): string {
  return Array.from(
    { length: lines / 5 },
    (_, index) => `## Part ${index}\n\nSome words about **${index}** and [[short]].\n- an item\n`,
  ).join('\n');
}

/** CPU time of the main thread until the first lines are shown; the minimum of several rounds. */
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
      await go('/answers');
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

/** CPU time of the main thread for 18 keys at the end of a note, until the draft is stored. */
async function costToType(
  page: Page,
  session: CDPSession,
  go: (path: string) => Promise<void>,
  name: string,
): Promise<number> {
  const time = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name: metric }) => metric === 'ThreadTime')?.value ?? NaN) * 1_000;
  };
  const settle = () =>
    page.evaluate('new Promise((done) => requestIdleCallback(() => setTimeout(done, 500)))');
  await go(`/file/${name}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Editor' }).waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Before. ');
  await settle();
  const before = await time();
  await page.keyboard.type('eighteen keys here');
  await settle();
  const cost = (await time()) - before;
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('article').waitFor();
  return cost;
}

async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const main = document.querySelector('main');
    for (let frame = 0; frame < 120; frame += 1) {
      main.scrollTop = (main.scrollHeight * frame) / 120;
      await new Promise(requestAnimationFrame);
    }
  })()`);
}
