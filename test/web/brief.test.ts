import { describe, expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { expectNoOverflow, hasChromium, openWeb, saveScreenshot } from './open-web.ts';

const session = [
  '---\nsource: "Codex"\nbranch: "fix/import"\nended: "2026-11-14T09:40:00"\nfiled: true\n---\n',
  '# Why does the import stop\n',
  '## 09:38\n\n> and now?\n\nNext: read it in parts.\n',
].join('\n');

describe.skipIf(!hasChromium)('the settings page', () => {
  it('shows what tools are told about a project, and about none', async () => {
    const { page, go, browserErrors } = await openWeb({
      'overview.md': '# Overview\n\nTwo shops.\n',
      'projects/startup-x/state.md': 'Two customers use it.\n',
      'projects/startup-x/tasks.md': '# Import of invoices\nstatus: in-progress | prio: high\n',
      'projects/startup-x/bucket/sessions/2026-11-14-0912-codex-1.md': session,
    });
    await go('/settings');
    const brief = page.getByRole('region', { name: 'What your tools are told' });
    await brief.getByText("Where you left off (> are the user's words): 2026-11-14").waitFor();
    await brief.getByText('Next: read it in parts.').waitFor();
    await page.getByText(/^Keepsake: startup-x, last worked/).waitFor();
    await brief.scrollIntoViewIfNeeded();
    await expectNoOverflow(page);
    await saveScreenshot(page, 'brief');
    await page.getByRole('combobox', { name: 'Project' }).selectOption('No project');
    await brief.getByText('This folder belongs to no project.').waitFor();
    expect((await findViolations(page)).filter(({ impact }) => impact === 'serious')).toEqual([]);
    expect(browserErrors).toEqual([]);
  });
});
