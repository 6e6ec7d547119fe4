import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasChromium, keepPicture, openWeb } from './open-web.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const entry = {
  tool: 'append',
  input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## A picture\nKept.', position: 'top' },
};

/** What a browser does when files are dropped on, or pasted into, an element. */
const give = (kind: 'drop' | 'paste', name: string, type: string, data: string): string => `(() => {
  const bytes = Uint8Array.from(atob(${JSON.stringify(data)}), (each) => each.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} }));
  const target = document.querySelector('#composer-text');
  target.dispatchEvent(${
    kind === 'drop'
      ? "new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer })"
      : "new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer })"
  });
})()`;

describe.skipIf(!hasChromium)('the composer', () => {
  it('takes an image that is dropped and a text that is pasted, shows them, and files them', async () => {
    const { page, server, complaints } = await openWeb({});
    server.model.script({ calls: [entry] }, { text: 'Kept the picture.' });
    await page.evaluate(give('drop', 'owl.png', 'image/png', png));
    await page.evaluate(
      give('paste', 'notes.md', 'text/markdown', Buffer.from('# Owl\n').toString('base64')),
    );
    const composer = page.getByRole('region', { name: 'Composer' });
    await composer.getByText('owl.png').waitFor();
    await composer.getByText('notes.md').waitFor();
    await expect
      .poll(() => page.evaluate(`document.querySelector('[aria-label=Composer] img').naturalWidth === 1`))
      .toBe(true);
    await keepPicture(page, 'composer');
    await page.getByRole('textbox', { name: /A note/ }).fill('An owl.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Kept the picture.').waitFor();
    expect(readFileSync(join(server.folder, 'bucket/owl.png')).toString('base64')).toBe(png);
    expect(await composer.getByText('owl.png').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says what it does not take', async () => {
    const { page, server } = await openWeb({});
    await page.evaluate(give('drop', 'program.exe', 'application/octet-stream', png));
    await page.getByText(/Only text, markdown and images.*program\.exe/).waitFor();
    expect(existsSync(join(server.folder, 'bucket/program.exe'))).toBe(false);
  });

  it('keeps what was typed when it cannot be sent, and sends it once', async () => {
    const { page, server } = await openWeb({});
    server.model.script({ calls: [entry] }, { text: 'Filed.' });
    await page.getByRole('textbox', { name: /A note/ }).fill('Do not lose me.');
    await page.route('**/updates', (route) => route.abort(), { times: 1 });
    await page.keyboard.press('Control+Enter');
    await page.getByText('the server cannot be reached').waitFor();
    expect(await page.getByRole('textbox', { name: /A note/ }).inputValue()).toBe('Do not lose me.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Filed.', { exact: true }).waitFor();
    expect(server.keepsake.agents.updates.list({ limit: 10 })).toHaveLength(1);
  });

  it('answers an inbox item with a file', async () => {
    const { page, server, complaints } = await openWeb(
      { 'inbox/2025-07-14-seeds/review.md': '# Seeds\n\n## Question\nWhich bed?\n' },
      { path: '/inbox' },
    );
    server.model.script({ calls: [entry] }, { text: 'Answered.' });
    await page.getByRole('button', { name: 'Answer with files' }).click();
    await page.getByText('Answering 2025-07-14-seeds').waitFor();
    await page.evaluate(give('drop', 'bed.png', 'image/png', png));
    await page.getByRole('region', { name: 'Composer' }).getByText('bed.png').waitFor();
    await page.locator('#composer-text').fill('The one in the picture.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Nothing waits for you').waitFor();
    const [update] = server.keepsake.agents.updates.list({ limit: 1 });
    expect(update?.input).toMatchObject({ inboxRef: '2025-07-14-seeds', files: [{ name: 'bed.png' }] });
    expect(complaints).toEqual([]);
  });
});
