import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildWeb } from './build-web.ts';
import { hasChromium, openWeb } from './open-web.ts';
import { maxTaskMs } from './trace-tasks.ts';

describe('the initial load', () => {
  it('is at most 200 kB of gzipped JavaScript, without the editor', () => {
    const folder = buildWeb();
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
    const bytes = scripts.map((path) => gzipSync(readFileSync(join(folder, path))).length);
    const total = bytes.reduce((sum, each) => sum + each, 0);
    console.log(`initial JavaScript: ${total} bytes gzipped in ${scripts.length} files`);
    expect(scripts.length).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(200_000);
    for (const path of scripts) expect(readFileSync(join(folder, path), 'utf8')).not.toContain('cm-editor');
    expect(page).not.toMatch(/<script(?![^>]*src=)|style=|<style/);
  });
});

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
