import { describe, expect, it } from 'vitest';
import { openTokens } from '../../packages/vault/src/server/index.ts';
import { hasChromium, keepPicture, openWeb } from './open-web.ts';
import type { WebServer } from './web-server.ts';

const long = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join('\n');
const stamped = '---\ncreated: 2025-01-01T10:00:00\nupdated: 2025-01-01T10:00:00\ntokens: 4\n---\n\n';

/** As a program with a token: what takes much away is held. */
async function put(server: WebServer, path: string, text: string): Promise<number> {
  const { secret } = openTokens(server.keepsake)().create('a program', 'write');
  const response = await fetch(`${server.url}/api/vaults/default/files/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/markdown', 'if-match': '*' },
    body: text,
  });
  return response.status;
}

describe.skipIf(!hasChromium)('what waits for a decision', () => {
  it('says why it was held and how much would go, and draws little of it', async () => {
    const { page, server, go } = await openWeb({ 'long.md': `${long}\n` }, { hasModel: false });
    expect(await put(server, 'long.md', 'line 1\nline 2\n')).toBe(409);
    await go('/inbox');
    const card = page.getByRole('main').locator('section').first();
    await card.getByText('it removes more than half of vault/long.md').waitFor();
    await card.getByText(/^4,99\d of 5,000 lines of long\.md would go\.$/).waitFor();
    await card.getByText(/^−4,?99\d$/).waitFor();
    await keepPicture(page, 'held-reason');
    expect(await page.locator('*').count()).toBeLessThan(5_000);
    await expect.poll(() => page.title()).toBe('(1) Inbox · Keepsake');
    await card.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Nothing waits for you').waitFor();
  });

  it('is read without stamps, word by word, side by side where there is room', async () => {
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
    await keepPicture(page, 'diff-beside');
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(places).toMatchObject({ isBelow: true });
    await keepPicture(page, 'diff-360');
  });

  it('is answered with one click, and says that it is being filed', async () => {
    const { page, server } = await openWeb(
      { 'inbox/2025-07-14-call/review.md': '# A call\n\n## Question\nWhich project?\n' },
      { hasModel: false, path: '/inbox' },
    );
    await page.getByRole('button', { name: 'Do as you propose.' }).click();
    await page.getByText('Your answer is being filed').waitFor();
    expect(await page.getByRole('button', { name: 'Do as you propose.' }).count()).toBe(0);
    const [update] = server.keepsake.agents.updates.list({ limit: 1 });
    expect(update?.input).toMatchObject({ text: 'Do as you propose.', inboxRef: '2025-07-14-call' });
  });
});
