import { describe, expect, it } from 'vitest';
import { openTokens } from '../../packages/vault/src/server/index.ts';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';
import type { WebServer } from './web-server.ts';

const long = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join('\n');
const stamped = '---\ncreated: 2025-01-01T10:00:00\nupdated: 2025-01-01T10:00:00\ntokens: 4\n---\n\n';

/** Writes as a client with a token, whose large removals are held. */
async function put(server: WebServer, path: string, text: string): Promise<number> {
  const { secret } = openTokens(server.keepsake)().create('a program', 'write');
  const response = await fetch(`${server.url}/api/vaults/default/files/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/markdown', 'if-match': '*' },
    body: text,
  });
  return response.status;
}

describe.skipIf(!hasChromium)('the review of changes and questions', () => {
  it('says why a change is held and how much it removes, and renders only part of it', async () => {
    const { page, server, go } = await openWeb({ 'long.md': `${long}\n` }, { hasModel: false });
    expect(await put(server, 'long.md', 'line 1\nline 2\n')).toBe(409);
    await go('/inbox');
    const card = page.getByRole('main').locator('section').first();
    await card.getByText('this removes more than half of vault/long.md').waitFor();
    await card.getByText(/^Removes 4,99\d of the 5,000 lines of long\.md\.$/).waitFor();
    await card.getByText(/^−4,?99\d$/).waitFor();
    await saveScreenshot(page, 'held-reason');
    expect(await page.locator('*').count()).toBeLessThan(5_000);
    await expect.poll(() => page.title()).toBe('(1) Inbox · Keepsake');
    await card.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Nothing needs your attention').waitFor();
  });

  it('shows a diff by words and without stamps, side by side on wide screens', async () => {
    const body = 'The roof leaks at the north side.\n\nThe well is dry.\n';
    const { page, server, go } = await openWeb({ 'notes.md': `${stamped}${body}` }, { hasModel: false });
    expect(await put(server, 'notes.md', `${stamped}${body.replace('north', 'south')}`)).toBe(200);
    await go('/file/notes.md');
    await expect.poll(() => page.title()).toBe('notes.md · Keepsake');
    await page.getByRole('button', { name: 'History' }).click();
    const change = page.getByRole('region', { name: 'Change' }).first();
    const [before, after] = [
      change.locator('mark', { hasText: 'north' }),
      change.locator('mark', { hasText: 'south' }),
    ];
    await after.waitFor();
    expect(await change.getByText(/^(?:updated|tokens): /).count()).toBe(0);
    const places = async () => {
      const [left, right] = [await before.boundingBox(), await after.boundingBox()];
      return { isBeside: left?.y === right?.y, isBelow: (left?.y ?? 0) < (right?.y ?? 0) };
    };
    expect(await places()).toMatchObject({ isBeside: true });
    await saveScreenshot(page, 'diff-beside');
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(places).toMatchObject({ isBelow: true });
    await saveScreenshot(page, 'diff-360');
  });

  it('lets the user answer a question with one click, and shows that the answer is being filed', async () => {
    const { page, server } = await openWeb(
      { 'inbox/2025-07-14-call/review.md': '# A call\n\n## Question\nWhich project?\n' },
      { hasModel: false, path: '/inbox' },
    );
    await page.getByRole('button', { name: 'Go ahead as proposed.' }).click();
    await page.getByText('Filing your answer…').waitFor();
    expect(await page.getByRole('button', { name: 'Go ahead as proposed.' }).count()).toBe(0);
    const [update] = server.keepsake.agents.updates.list({ limit: 1 });
    expect(update?.input).toMatchObject({ text: 'Go ahead as proposed.', inboxRef: '2025-07-14-call' });
  });
});
