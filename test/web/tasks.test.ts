import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { expectNoOverflow, hasChromium, openWeb, saveScreenshot } from './open-web.ts';

const files = {
  'projects/roof/tasks.md':
    '# Pay the roofer\nstatus: to-do | prio: high\ndeadline: 2020-06-20\n\nBy transfer.\n',
  'projects/roof/oyster-beds.md': '# Oyster beds\n\nSee [[plans]].\n',
  'plans.md': '# Plans\n\n- [ ] Call the bank 📅 2099-01-02\n- [/] Sort photos #home\n',
  'linked.md': 'As said in [[oyster-beds]].\n',
  'named.md': 'We saw the oyster beds.\n',
  'changelog.md': '# 2026-02-03\n\n## Slates chosen\nGrey ones.\n',
  'daily/2026-02-04.md': '# Wednesday\n',
};

describe.skipIf(!hasChromium)('tasks, calendar, tags and links', () => {
  it('changes status, priority and deadline by click, with undo, and never overwrites a concurrent edit', async () => {
    const { server, page, go, browserErrors } = await openWeb(files, { path: '/tasks' });
    const list = join(server.folder, 'projects/roof/tasks.md');
    const plans = join(server.folder, 'plans.md');
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    await page.getByRole('heading', { name: /^Overdue/ }).waitFor();
    const status = row('Pay the roofer').getByRole('combobox', { name: 'Status of Pay the roofer' });
    await status.selectOption('Waiting');
    await expect.poll(() => readFileSync(list, 'utf8')).toContain('status: waiting | prio: high');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFileSync(list, 'utf8')).toContain('status: to-do | prio: high');
    // A change is refused if the page still shows the line as it was before the undo.
    await status.locator('option:checked').filter({ hasText: 'To do' }).waitFor({ state: 'attached' });
    await row('Pay the roofer')
      .getByRole('combobox', { name: 'Priority of Pay the roofer' })
      .selectOption('Medium');
    await expect.poll(() => readFileSync(list, 'utf8')).toContain('prio: medium');
    await row('Call the bank').getByRole('button', { name: /2099/ }).click();
    await page.getByRole('button', { name: 'Remove deadline' }).click();
    await expect.poll(() => readFileSync(plans, 'utf8')).toMatch(/^- \[ \] Call the bank$/m);
    await row('Sort photos')
      .getByRole('checkbox', { name: /^Complete: Sort photos/ })
      .click();
    await expect.poll(() => readFileSync(plans, 'utf8')).toContain('- [x] Sort photos #home');
    // Another program changes the line while the page shows the old one.
    const outside = readFileSync(plans, 'utf8').replace('Call the bank', 'Call the other bank');
    await page.route('**/tasks/change', async (route) => {
      writeFileSync(plans, outside);
      await route.continue();
    });
    await page.getByRole('checkbox', { name: 'Complete: Call the bank' }).click();
    await page.getByText('This task was changed elsewhere').waitFor();
    expect(readFileSync(plans, 'utf8')).toBe(outside);
    await page.unroute('**/tasks/change');
    for (const [name, path] of [
      ['tasks', '/tasks'],
      ['board', '/tasks?view=board'],
      ['calendar', '/calendar?day=2026-02-04'],
    ] as const) {
      await go(path);
      await page
        .getByText(/Pay the roofer|2026-02-04/)
        .first()
        .waitFor();
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoOverflow(page);
        await saveScreenshot(page, `${name}-${width}`);
      }
    }
    expect(browserErrors.filter((each) => !/409|ERR_FAILED/.test(each))).toEqual([]);
  });

  it('shows days, tags, links with their line, mentions and the graph of a note', async () => {
    const { page, go, browserErrors } = await openWeb(files, { path: '/calendar?day=2026-02-03' });
    const day = page.getByRole('region', { name: /3 February/ });
    expect(await findViolations(page, { rules: ['label-content-name-mismatch'] })).toEqual([]);
    await day.getByRole('link', { name: 'Slates chosen' }).waitFor();
    await page.getByRole('link', { name: /4 February.*1 item/ }).click();
    await page.getByRole('link', { name: '2026-02-04', exact: true }).first().waitFor();
    await go('/tags');
    await page.getByRole('link', { name: '#home, 1 note' }).click();
    await page.getByRole('link', { name: 'plans.md' }).waitFor();
    await go('/file/projects/roof/oyster-beds.md');
    const links = page.getByRole('navigation', { name: '1 note links here' });
    await links.getByRole('link', { name: /linked\.md As said in oyster-beds\./ }).waitFor();
    const mentions = page.getByRole('navigation', { name: '1 unlinked mention' });
    await mentions.getByRole('link', { name: /named\.md We saw the oyster beds\./ }).waitFor();
    const graph = page.getByRole('navigation', { name: 'Linked notes' });
    await graph.getByRole('link', { name: 'linked, linked from' }).waitFor();
    await graph.getByRole('link', { name: 'plans, links to' }).click();
    await page.waitForURL(/\/file\/plans\.md$/);
    expect(browserErrors).toEqual([]);
  });
});
