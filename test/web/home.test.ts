import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UpdateInput } from '../../packages/vault/src/contract/index.ts';
import type { Turn } from '../scripted-model/server.ts';
import { expectNoOverflow, hasChromium, saveScreenshot, openWeb } from './open-web.ts';

type Recording = {
  updates: { text: string; source: UpdateInput['source']; steps: Turn[] }[];
  question: { text: string; steps: Turn[] };
};

const files = {
  'projects/roof/state.md': '# Roof\n\nTiles are ordered.\n',
  'projects/roof/description.md': '# The roof\n\nSlate.\n',
  'projects/roof/measures.md': 'Twelve by nine.\n',
  'projects/roof/colours.md': 'Slate.\n',
  'projects/roof/tasks.md': '# Pay the roofer\nstatus: to-do | prio: high\ndeadline: 2099-06-20\n',
  'plans.md': '# Plans\n\n- [ ] Call the bank 📅 2020-01-02\n- [w] Hear from Paul\n',
  'inbox/2026-06-18-offer/review.md': '# An offer\n\nIs this offer for the roof or for the barn?\n',
};

describe.skipIf(!hasChromium)('the home page', () => {
  it('shows the date, tasks of today, the inbox, notes, projects, changes with undo, statistics and the year last', async () => {
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
    await page.getByRole('heading', { level: 1, name: 'vault' }).waitFor();
    // Overdue is said in words, too, not only by a color.
    const overdue = page.getByRole('listitem').filter({ hasText: 'Call the bank' });
    await overdue.getByText(/^\d+ days late$|^[\d,]+ days late$/).waitFor();
    const link = overdue.getByRole('link', { name: 'Call the bank' });
    expect(await link.getAttribute('href')).toMatch(/\/file\/plans\.md#L3$/);
    await page.getByRole('link', { name: 'Hear from Paul' }).waitFor();
    await page.getByText(/notes? a year ago, \d+ now/).waitFor();
    await page.getByRole('slider', { name: /^Changes per day/ }).waitFor();
    const order = await page.locator('main section h2').allTextContents();
    expect(order).toEqual([
      'Today',
      '1 item needs your attention',
      'Recent notes',
      'Projects',
      'Recent changes',
      'In this vault',
      'Last 12 months',
    ]);
    const change = page.getByRole('listitem').filter({ hasText: 'You edited roof/state.md' });
    await change.getByRole('button', { name: 'Undo' }).waitFor();
    await page
      .getByRole('link', { name: /The roof.*Tiles are ordered\..*20 Jun 2099: Pay the roofer/ })
      .waitFor();
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

  it('is useful in a folder of notes that was just copied: own dates, tasks, tags and folders, pins', async () => {
    const copied = Object.fromEntries(
      Array.from({ length: 24 }, (_, index) => [
        `Garden/bed-${index}.md`,
        `---\ncreated: 2025-03-${String(index + 1).padStart(2, '0')}\n---\n\n# Bed ${index}\n\n#garden\n`,
      ]),
    );
    const { page, server, browserErrors } = await openWeb({
      ...copied,
      'Daily/2026-01-05.md': '# Monday\n\n- [ ] Order seeds #garden\n',
    });
    const recent = page.locator('section').filter({ hasText: /^Recent notes/ });
    await recent.getByRole('link', { name: /2026-01-05/ }).waitFor();
    await page.getByRole('heading', { name: /^Open tasks/ }).waitFor();
    await page.getByRole('link', { name: 'Order seeds #garden' }).waitFor();
    await page.getByRole('link', { name: 'Garden 24 notes' }).waitFor();
    await page.getByRole('link', { name: '#garden, 25 notes' }).click();
    await page.getByRole('heading', { level: 1, name: '#garden' }).waitFor();
    await page.getByRole('link', { name: 'Garden/bed-23.md' }).click();
    await page.getByRole('button', { name: 'Pin to home' }).click();
    await page.getByText('Pinned to the home page').waitFor();
    expect(readFileSync(join(server.folder, 'Garden/bed-23.md'), 'utf8')).toMatch(/^pinned: true$/m);
    await page.getByRole('link', { name: 'Home' }).click();
    const pinned = page.locator('section').filter({ hasText: /^Pinned/ });
    await pinned.getByRole('link', { name: /bed-23/ }).waitFor();
    expect(browserErrors).toEqual([]);
  });
});

it.skipIf(!hasChromium)(
  'plays the demonstration, each step on its page, and leaves the vault as it was',
  async () => {
    const demo = 'packages/vault/demo';
    const notes = globSync('**/*.md', { cwd: `${demo}/vault` });
    const { server, page, browserErrors } = await openWeb(
      Object.fromEntries(notes.map((path) => [path, readFileSync(join(demo, 'vault', path), 'utf8')])),
      { path: '/settings' },
    );
    const { updates, question } = JSON.parse(readFileSync(`${demo}/recording.json`, 'utf8')) as Recording;
    for (const { text, source, steps } of updates) {
      server.model.script(...steps);
      const { id } = await server.keepsake.agents.updates.accept({ text, files: [], source });
      await expect
        .poll(() => server.keepsake.agents.updates.find(id)?.state, { timeout: 60_000 })
        .toBe('done');
    }
    server.model.script(...question.steps);
    await server.ask(question.text);
    const state = join(server.folder, 'projects/tidewatch/state.md');
    const before = readFileSync(state, 'utf8').replace(/^---[\s\S]*?---/, '');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('button', { name: 'Play' }).click();
    const player = page.getByRole('region', { name: 'Demonstration' });
    await player.getByText(/A note comes in: “Probe of buoy 7/).waitFor();
    await player.getByRole('button', { name: 'Pause' }).click();
    const next = player.getByRole('button', { name: 'Next' });
    await next.click();
    await page
      .getByText(/^[45] files changed$/)
      .first()
      .waitFor();
    await next.click();
    await expect.poll(() => readFileSync(state, 'utf8')).toContain('fouled or broken');
    await next.click();
    await expect.poll(() => readFileSync(state, 'utf8')).toContain('was replaced');
    await next.click();
    await page
      .getByText(/in two consecutive readings/)
      .first()
      .waitFor();
    await next.click();
    await next.click();
    await expect.poll(() => readFileSync(state, 'utf8')).toContain('below 4.2 mg/l');
    await next.click();
    await page.getByText(/1 of 2 sources has changed/).waitFor();
    await next.click();
    await expect.poll(() => readFileSync(state, 'utf8').replace(/^---[\s\S]*?---/, '')).toBe(before);
    await next.click();
    await player.waitFor({ state: 'detached' });
    expect(browserErrors).toEqual([]);
  },
);
