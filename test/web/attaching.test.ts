import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const entry = {
  tool: 'append',
  input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## A picture\nKept.', position: 'top' },
};

/** Dispatches the event of dropping a file on, or pasting it into, the composer. */
const sendFile = (kind: 'drop' | 'paste', name: string, type: string, data: string): string => `(() => {
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

/**
 * Lets the next POST request fail. It does not use a Playwright route, because requests right after adding or removing one sometimes
 * bypass it or never finish.
 */
const failOnce = `{
  const send = window.fetch;
  window.fetch = (path, init) => {
    if (init?.method !== 'POST') return send(path, init);
    window.fetch = send;
    return Promise.reject(new TypeError('Failed to fetch'));
  };
}`;

describe.skipIf(!hasChromium)('the composer', () => {
  it('accepts dropped images and pasted text files, shows them, and files them', async () => {
    const { page, server, browserErrors } = await openWeb({});
    server.model.script({ calls: [entry] }, { text: 'Kept the picture.' });
    await page.evaluate(sendFile('drop', 'owl.png', 'image/png', png));
    await page.evaluate(
      sendFile('paste', 'notes.md', 'text/markdown', Buffer.from('# Owl\n').toString('base64')),
    );
    const composer = page.getByRole('region', { name: 'Composer' });
    await composer.getByText('owl.png').waitFor();
    await composer.getByText('notes.md').waitFor();
    await expect
      .poll(() => page.evaluate(`document.querySelector('[aria-label=Composer] img').naturalWidth === 1`))
      .toBe(true);
    await saveScreenshot(page, 'composer');
    await page.getByRole('textbox', { name: /A note/ }).fill('An owl.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Kept the picture.').first().waitFor();
    expect(readFileSync(join(server.folder, 'bucket/owl.png')).toString('base64')).toBe(png);
    expect(await composer.getByText('owl.png').count()).toBe(0);
    expect(browserErrors).toEqual([]);
  });

  it('says which files it rejects', async () => {
    const { page, server } = await openWeb({});
    const program = Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1').toString('base64');
    await page.evaluate(sendFile('drop', 'program.exe', 'application/octet-stream', program));
    const composer = page.getByRole('region', { name: 'Composer' });
    await composer
      .getByText(/program|executable/)
      .nth(1)
      .waitFor();
    expect(await composer.getByRole('button', { name: 'Add', exact: true }).last().isDisabled()).toBe(true);
    await composer.getByRole('button', { name: 'Remove program.exe' }).click();
    await page.getByRole('textbox', { name: /A note/ }).fill('x');
    expect(await composer.getByRole('button', { name: 'Add', exact: true }).last().isDisabled()).toBe(false);
    expect(server.keepsake.agents.updates.list({ limit: 10 })).toEqual([]);
  });

  it('accepts documents, describes them, and keeps the originals', async () => {
    const { page, server, browserErrors } = await openWeb({});
    server.model.script({ calls: [entry] }, { text: 'Kept the mail.' });
    const mail = [
      'From: Ana <ana@example.org>',
      'Subject: The boiler',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b\r\nContent-Type: text/plain\r\n\r\nIt leaks.',
      '--b\r\nContent-Type: text/csv; name=parts.csv\r\nContent-Disposition: attachment; filename=parts.csv',
      '\r\npart,price\r\nvalve,12\r\n--b--\r\n',
    ].join('\r\n');
    const composer = page.getByRole('region', { name: 'Composer' });
    await page.evaluate(
      sendFile('drop', 'boiler.eml', 'message/rfc822', Buffer.from(mail).toString('base64')),
    );
    await composer.getByText('Email · 1 attachment').waitFor();
    await page.evaluate(
      sendFile('drop', 'tools.csv', 'text/csv', Buffer.from('a,b\n1,2\n').toString('base64')),
    );
    await composer.getByText('Table').waitFor();
    await saveScreenshot(page, 'documents');
    await composer.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page.getByText('Kept the mail.').first().waitFor();
    const stored = readdirSync(join(server.folder, 'bucket')).toSorted();
    expect(stored).toEqual(['boiler.eml', 'boiler.md', 'parts.csv', 'parts.md', 'tools.csv', 'tools.md']);
    expect(readFileSync(join(server.folder, 'bucket/boiler.md'), 'utf8')).toContain('[parts.csv](parts.md)');
    expect(browserErrors).toEqual([]);
  });

  it('keeps the text if sending fails, and sends it once', async () => {
    const { page, server } = await openWeb({});
    server.model.script({ calls: [entry] }, { text: 'Filed.' });
    await page.getByRole('textbox', { name: /A note/ }).fill('Do not lose me.');
    await page.evaluate(failOnce);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').getByText('Server unreachable.', { exact: true }).waitFor();
    const note = page.getByRole('textbox', { name: /A note/ });
    expect(await note.inputValue()).toBe('Do not lose me.');
    await page.reload();
    expect(await note.inputValue()).toBe('Do not lose me.');
    await note.press('Control+Enter');
    await page.getByText('Filed.', { exact: true }).first().waitFor();
    expect(server.keepsake.agents.updates.list({ limit: 10 })).toHaveLength(1);
  });

  it('can send again as soon as it reports a failure', async () => {
    const { page, server } = await openWeb({});
    server.model.script({ calls: [entry] }, { text: 'Filed.' });
    await page.getByRole('textbox', { name: /A note/ }).fill('Do not lose me.');
    await page.evaluate(failOnce);
    // Retries in the moment in which the error appears: the page used to show it while it still considered itself sending.
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes('Server unreachable')) return;
      observer.disconnect();
      const keys = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
      document.querySelector('#composer-text').dispatchEvent(new KeyboardEvent('keydown', keys));
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Filed.', { exact: true }).first().waitFor();
    expect(server.keepsake.agents.updates.list({ limit: 10 })).toHaveLength(1);
  });

  it('answers an inbox item with a file', async () => {
    const { page, server, browserErrors } = await openWeb(
      { 'inbox/2025-07-14-seeds/review.md': '# Seeds\n\n## Question\nWhich bed?\n' },
      { path: '/inbox' },
    );
    server.model.script({ calls: [entry] }, { text: 'Answered.' });
    await page.getByRole('button', { name: 'Answer with files' }).click();
    await page.getByText('Answering 2025-07-14-seeds').waitFor();
    await page.evaluate(sendFile('drop', 'bed.png', 'image/png', png));
    await page.getByRole('region', { name: 'Composer' }).getByText('bed.png').waitFor();
    await page.locator('#composer-text').fill('The one in the picture.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Nothing needs your attention').waitFor();
    const [update] = server.keepsake.agents.updates.list({ limit: 1 });
    expect(update?.input).toMatchObject({ inboxRef: '2025-07-14-seeds', files: [{ name: 'bed.png' }] });
    expect(browserErrors).toEqual([]);
  });
});
