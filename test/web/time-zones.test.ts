import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTimeZone, formatLocalTime } from '../../packages/vault/src/contract/index.ts';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const inParis = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/Paris',
  }).format(at);

/** Enough files that the vault does not count as new. */
const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`note-${at}.md`, `Note ${at}.\n`]));

afterEach(() => void vi.unstubAllEnvs());

describe.skipIf(!hasChromium)('a browser in Paris', () => {
  it.each([
    ['UTC', 1440],
    ['America/New_York', 390],
  ])('shows the times of a server in %s as Paris time', async (zone, width) => {
    vi.stubEnv('TZ', zone);
    const made = Date.parse('2026-06-18T10:20:30Z');
    const edited = Date.parse('2026-06-18T22:30:00Z');
    expect(formatLocalTime(made).slice(11, 13)).toBe(zone === 'UTC' ? '10' : '06');
    const { page, browserErrors } = await openWeb(
      {
        ...many,
        'stamped.md': `---\ncreated: ${formatLocalTime(made)}\nupdated: ${formatLocalTime(edited)}\ntokens: 2\n---\n\nWords.\n`,
        'offset.md': '---\ncreated: 2026-06-18T10:20:30Z\n---\n\nWords.\n',
        'day.md': '---\ncreated: 2026-06-18\n---\n\nWords.\n',
        'projects/x/state.md': `---\nupdated: ${formatLocalTime(Date.now())}\ntokens: 2\n---\n\nFine.\n`,
      },
      { path: '/file/stamped.md', timezoneId: 'Europe/Paris', viewport: { width, height: 800 } },
    );
    // In Paris it is already the 19th.
    await page.getByText(`Updated ${inParis(edited)} · Created ${inParis(made)}`).waitFor();
    expect(inParis(edited)).toBe('19 Jun 2026, 00:30');
    await saveScreenshot(page, `time-zone-${width}`);
    await page.goto(page.url().replace('stamped.md', 'offset.md'));
    await page.getByText(`Created ${inParis(made)}`).waitFor();
    await page.goto(page.url().replace('offset.md', 'day.md'));
    await page.getByText('Created 18 Jun 2026', { exact: false }).waitFor();
    expect(await page.getByText('Created 18 Jun 2026,').count()).toBe(0);
    await page.goto(`${new URL(page.url()).origin}/`);
    // The stamp is a moment old in every time zone.
    await page
      .getByRole('link', { name: /^x/ })
      .getByText(/^(?:just now|\d+ (?:seconds?|minutes?) ago)$/)
      .waitFor();
    expect(browserErrors).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('a browser in a time zone that is a day ahead', () => {
  it('groups and lists changes by its own days', async () => {
    const [here, there] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    vi.stubEnv('TZ', there);
    const { page, server } = await openWeb(many, { timezoneId: here });
    await server.keepsake.callTool({
      tool: 'write',
      input: { path: 'vault/night.md', content: 'Written at night.\n' },
      reader: 'person',
      origin: 'web',
    });
    const [ours, theirs] = [here, there].map((zone) => createTimeZone(zone).dayOf(Date.now()));
    const list = page.getByRole('feed', { name: 'Changes' });
    for (const query of ['', `?day=${ours}`]) {
      await page.goto(`${server.url}/activity${query}`);
      await list.getByRole('heading', { name: 'today' }).waitFor();
      await list.getByText('night.md').first().waitFor();
    }
    await saveScreenshot(page, 'activity-day-1440');
    await page.goto(`${server.url}/activity?day=${theirs}`);
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await page.getByText(/^No matching changes/).waitFor();
    await page.goto(server.url);
    const year = page.getByRole('slider');
    await expect.poll(() => year.getAttribute('aria-valuetext')).toMatch(/^today: [1-9]/);
  });
});
