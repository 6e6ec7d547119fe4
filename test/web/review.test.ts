import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  it('shows the places in which the versions of two machines differ, in columns', async () => {
    const { page, go } = await openWeb({
      'inbox/2026-11-18-state/review.md': '# state.md on two machines\n',
    });
    const versions = {
      note: 'vault/state.md',
      mine: '# State\n\nThe roof leaks.\n\nThe end.\n',
      theirs: '# State\n\nThe roof is dry.\n\nThe end.\n',
    };
    await page.route('**/vaults/default/inbox', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { waiting: object[] };
      const waiting = body.waiting.map((item) => ({
        ...item,
        choices: ['mine', 'theirs', 'both'],
        versions,
      }));
      await route.fulfill({ response, json: { ...body, waiting } });
    });
    await go('/inbox');
    await page.getByText('Difference 1 of 1').waitFor();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    expect(await page.getByRole('main').locator('pre').allTextContents()).toEqual([
      'The roof leaks.',
      'The roof is dry.',
    ]);
    expect(await page.getByRole('main').locator('pre mark').first().textContent()).toBe('leaks');
    expect(await page.getByRole('button', { name: 'Keep mine' }).isEnabled()).toBe(true);
  });

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
    // A rejection can be undone, and the change then be approved.
    const message = page.getByRole('status').filter({ hasText: 'Rejected' });
    await message.getByRole('button', { name: 'Undo' }).click();
    await card.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Nothing needs your attention').waitFor();
    expect(readFileSync(join(server.folder, 'long.md'), 'utf8')).toMatch(/line 1\nline 2\n$/);
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

  it('offers the choices of a question as buttons and number keys, moves with J and K, and can undo an answer', async () => {
    const question = (text: string) => `# A call\n\n## What came in\nA call.\n\n## Question\n${text}\n`;
    const { page, server, browserErrors } = await openWeb(
      {
        'inbox/2025-07-13-mail/review.md': question('Which project?'),
        'inbox/2025-07-14-call/review.md': question('Is this for startup-x or for the garden?'),
      },
      { hasModel: false, path: '/inbox' },
    );
    const card = (name: string) => page.getByRole('region', { name });
    await card('2025-07-14-call').getByRole('button', { name: 'for startup-x' }).waitFor();
    expect(await page.getByRole('group', { name: 'Suggested answers' }).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Inbox']);
    const repeated = `[...document.querySelectorAll('[id]')].map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at)`;
    expect(await page.evaluate(repeated)).toEqual([]);
    const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    for (const [key, item] of Object.entries({
      j: '2025-07-13-mail',
      J: '2025-07-14-call',
      k: '2025-07-13-mail',
    })) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(item);
    }
    await page.keyboard.press('j');
    await saveScreenshot(page, 'inbox-keys');
    const updates = () => server.keepsake.agents.updates.list({ limit: 9 });
    await page.keyboard.press('2');
    await page.getByText('Filing your answer…').waitFor();
    expect(updates()).toMatchObject([
      { input: { text: 'for the garden', inboxRef: '2025-07-14-call' }, state: 'waiting' },
    ]);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await card('2025-07-14-call').getByRole('button', { name: 'for the garden' }).waitFor();
    expect(updates().map(({ state }) => state)).toEqual(['cancelled']);
    // A number typed into the answer is text.
    await card('2025-07-14-call').getByRole('textbox', { name: 'Your answer' }).press('1');
    expect(updates()).toHaveLength(1);
    expect(browserErrors).toEqual([]);
  });
});
