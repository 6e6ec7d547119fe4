import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectNoOverflow, hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const files = {
  'projects/roof/state.md': '# Roof\n\nTiles are ordered.\n',
  'projects/roof/measures.md': 'Twelve by nine.\n',
  'projects/roof/colours.md': 'Slate.\n',
  'projects/roof/tasks.md': '# Pay the roofer\nstatus: to-do | prio: high\ndeadline: 2099-06-20\n',
  'plans.md': '# Plans\n\n- [ ] Call the bank 📅 2020-01-02\n- [w] Hear from Paul\n',
  'inbox/2026-06-18-offer/review.md': '# An offer\n\nIs this offer for the roof or for the barn?\n',
};

describe.skipIf(!hasChromium)('the home page', () => {
  it('shows the tasks of today, the inbox, recent changes with undo, a chart of the year, projects and statistics', async () => {
    const { server, page, go, browserErrors } = await openWeb(files);
    const state = join(server.folder, 'projects/roof/state.md');
    const outcome = await server.keepsake.callTool({
      tool: 'append',
      input: { path: 'projects/roof/state.md', content: 'They come on Monday.', position: 'bottom' },
      reader: 'person',
      origin: 'keepsake append',
    });
    expect(outcome).toMatchObject({ kind: 'result', result: { value: { errors: [] } } });
    await page.getByRole('link', { name: /Is this offer for the roof or for the barn\?/ }).waitFor();
    const overdue = page.getByRole('link', { name: /Call the bank.*2 Jan 2020.*plans\.md/ });
    await overdue.waitFor();
    expect(await overdue.getAttribute('href')).toMatch(/\/file\/plans\.md#L3$/);
    await page.getByRole('link', { name: /Hear from Paul.*plans\.md/ }).waitFor();
    const change = page.getByRole('listitem').filter({ hasText: 'You edited roof/state.md' });
    await change.getByRole('button', { name: 'Undo' }).waitFor();
    await page
      .getByRole('link', { name: /roof.*Tiles are ordered\..*20 Jun 2099: Pay the roofer/ })
      .waitFor();
    await page.getByText(/notes? a year ago, \d+ now/).waitFor();
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoOverflow(page);
      await saveScreenshot(page, `home-${width}`);
    }
    // By keyboard, the year shows the numbers of a day and opens it.
    const year = page.getByRole('slider', { name: /^Changes per day/ });
    await year.focus();
    const spoken = () => year.getAttribute('aria-valuetext');
    expect(await spoken()).toMatch(/^today: 1 change \(You 1\)$/);
    await year.press('ArrowUp');
    expect(await spoken()).toMatch(/^yesterday: no changes$/);
    await year.press('End');
    await year.press('Enter');
    await page.waitForURL(/\/activity\?day=\d{4}-\d\d-\d\d$/);
    await page.getByRole('article').filter({ hasText: 'You edited roof/state.md' }).waitFor();
    await go('/');
    await change.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFileSync(state, 'utf8')).not.toContain('Monday');
    await page.getByText('You undid a change to roof/state.md').waitFor();
    expect(browserErrors).toEqual([]);
  });
});
