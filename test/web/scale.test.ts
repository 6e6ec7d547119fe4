import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, openBrowser, openWeb } from './open-web.ts';
import { maxTaskMs } from './trace-tasks.ts';

const maxTransferredBytes = 250_000;
const maxInitialScriptBytes = 200_000;
const maxPaintRatio = 2.5;

describe.skipIf(!hasChromium)('the start page', () => {
  it(
    'transfers at most 250 kB, each resource once, and is painted almost as soon as without its scripts',
    { timeout: 300_000 },
    async () => {
      // Stamped, so that upkeep changes nothing while requests are counted.
      const tasks =
        '---\ncreated: 2026-01-01T10:00:00\nupdated: 2026-01-01T10:00:00\ntokens: 12\n---\n\n# Plan\n\n- [ ] Call the bank 📅 2026-11-18\n';
      const notes = Array.from({ length: 30 }, (_, at) => [`projects/p${at % 5}/note-${at}.md`, tasks]);
      const { server, browserErrors } = await openWeb(Object.fromEntries(notes));
      const { context } = await openBrowser();
      await context.request.get(server.link());
      const requests = await recordRequests(context, `${server.url}/`);
      const total = requests.reduce((sum, { bytes }) => sum + bytes, 0);
      console.log(`start page: ${total} bytes in ${requests.length} requests`);
      expect(requests.map(({ path }) => path).toSorted()).toEqual(
        [...new Set(requests.map(({ path }) => path))].toSorted(),
      );
      expect(total).toBeLessThanOrEqual(maxTransferredBytes);
      expect(requests.map(({ path }) => path)).toContainEqual(expect.stringContaining('source-sans-3-latin'));
      const scripts = requests.filter(({ path }) => path.endsWith('.js'));
      for (const { body } of scripts) expect(body).not.toContain('cm-editor');
      // What the page needs before it can draw anything.
      const initial = scripts.filter(({ path }) => requests[0]?.body.includes(path));
      const initialBytes = initial.reduce((sum, { body }) => sum + gzipSync(body).length, 0);
      console.log(`initial JavaScript: ${initialBytes} bytes gzipped in ${initial.length} files`);
      expect(initial.length).toBeGreaterThan(0);
      expect(initialBytes).toBeLessThanOrEqual(maxInitialScriptBytes);
      expect(requests[0]?.body).not.toMatch(/<script(?![^>]*src=)|style=|<style/);

      const [page, bare] = [
        await firstPaint(`${server.url}/`, server, true),
        await firstPaint(`${server.url}/`, server, false),
      ];
      console.log(`first content: ${page.toFixed(0)} ms, without scripts ${bare.toFixed(0)} ms`);
      expect(page / bare).toBeLessThanOrEqual(maxPaintRatio);
      expect(browserErrors).toEqual([]);
    },
  );
});

type Recorded = { path: string; bytes: number; body: string };

/** All requests of a page that is loaded for the first time. Scripts count as compressed by the build. */
async function recordRequests(context: BrowserContext, url: string): Promise<Recorded[]> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const paths = new Map<string, string>();
  const recorded: Promise<Recorded>[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => paths.set(requestId, request.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId)?.replace(new URL(url).origin, '') ?? '';
    recorded.push(
      session.send('Network.getResponseBody', { requestId }).then(({ body, base64Encoded }) => {
        const saved = /\.(?:js|css)$/.test(path) && !base64Encoded ? gzipSync(body).length - brotli(body) : 0;
        return { path, bytes: encodedDataLength - saved, body };
      }),
    );
  });
  await page.goto(url);
  await page.getByRole('region', { name: 'Composer' }).waitFor();
  await page.getByRole('treeitem', { name: 'projects' }).waitFor();
  // A second request for the same resource would follow the first event stream.
  await page.waitForTimeout(1_000);
  return Promise.all(recorded);
}

function brotli(text: string): number {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

/** The shortest time until the first content is painted, in milliseconds, of several first visits. */
async function firstPaint(
  url: string,
  server: { link: () => string },
  javaScriptEnabled: boolean,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const { context, page } = await openBrowser({ javaScriptEnabled });
    await context.request.get(server.link());
    await page.goto(url);
    const readTime = () =>
      page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null`);
    await expect.poll(readTime).not.toBeNull();
    times.push(Number(await readTime()));
    await context.close();
  }
  return Math.min(...times);
}

/** `KEEPSAKE_TREE_FILES` sets another number of files, for example 50,000. */
describe.skipIf(!hasChromium)('10,000 files', () => {
  it(
    'cost little more than 1,000 to load and scroll, and only visible rows are rendered',
    { timeout: 600_000 },
    async () => {
      const few = await measureTree(1_000);
      const many = await measureTree(Number(process.env['KEEPSAKE_TREE_FILES'] ?? 10_000));
      for (const { count, load, scroll, rows, longest } of [few, many])
        console.log(
          `${count} files: ${load.toFixed(2)} s to load, ${scroll.toFixed(2)} s to scroll, ${rows} rows; longest task ${longest} ms`,
        );
      expect(many.load / few.load).toBeLessThan(3);
      expect(many.scroll / few.scroll).toBeLessThan(2);
      expect(many.rows).toBeLessThan(100);
      await many.page.getByRole('textbox', { name: 'Filter files' }).fill('f09999');
      await many.page.getByRole('treeitem', { name: /f09999\.md/ }).waitFor();
    },
  );
});

type Measured = { count: number; page: Page; load: number; scroll: number; rows: number; longest: number };

/**
 * Measures the tree of a vault with all folders expanded: the CPU time of the main thread, which does not depend on other load of the
 * machine; the minimum of several rounds.
 */
async function measureTree(count: number): Promise<Measured> {
  const { page, context } = await openWeb(manyFiles(count));
  await page.evaluate(
    `localStorage.setItem('keepsake.preferences', ${JSON.stringify(JSON.stringify({ open: folders }))})`,
  );
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  /** CPU time since the page was loaded, in seconds. */
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN;
  };
  let [load, scroll, rows] = [Infinity, Infinity, 0];
  for (let round = 0; round < 3; round += 1) {
    await page.reload();
    // The first scan of this many files takes long.
    await page.getByRole('treeitem', { name: /f00000\.md/ }).waitFor({ timeout: 400_000 });
    const loaded = await spent();
    rows = Math.max(rows, await scrollThrough(page));
    load = Math.min(load, loaded);
    scroll = Math.min(scroll, (await spent()) - loaded);
  }
  const { milliseconds: longest } = await maxTaskMs(session, async () => {
    await page.reload();
    await page.getByRole('treeitem', { name: /f00000\.md/ }).waitFor();
    await scrollThrough(page);
  });
  return { count, page, load, scroll, rows, longest };
}

const folders = ['projects', ...Array.from({ length: 50 }, (_, index) => `projects/p${index}`)];

function manyFiles(count: number): Record<string, string> {
  const paths = Array.from(
    { length: count },
    (_, index) => `${folders[1 + (index % 50)]}/f${String(index).padStart(5, '0')}.md`,
  );
  // The files are already stamped, so that upkeep writes nothing during the measurement.
  const stamps = '---\ncreated: 2026-01-01T10:00:00\nupdated: 2026-01-01T10:00:00\ntokens: 6\n---\n\n';
  return Object.fromEntries(
    paths.map((path, index) => [path, `${stamps}# File ${String(index).padStart(5, '0')}\n\nText.\n`]),
  );
}

/** Scrolls to other rows in each of many frames. Returns the maximum number of rows in the DOM. */
async function scrollThrough(page: Page): Promise<number> {
  return (await page.evaluate(`(async () => {
    const tree = document.querySelector('[role=tree]');
    let rows = 0;
    for (let frame = 1; frame <= 80; frame += 1) {
      tree.scrollTop = (frame * 2_333) % (tree.scrollHeight - tree.clientHeight);
      await new Promise(requestAnimationFrame);
      rows = Math.max(rows, tree.querySelectorAll('[role=treeitem]').length);
    }
    return rows;
  })()`)) as number;
}
