import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { otherHostName } from './chromium.ts';
import { expectNoOverflow, hasChromium, saveScreenshot, openWeb } from './open-web.ts';

const seriousIn = async (page: Page): Promise<string[]> => {
  const violations = await findViolations(page);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
};

describe.skipIf(!hasChromium)('a new vault without an API key', () => {
  it('is set up on the home page: a note, an import, an AI tool, a model', async () => {
    const { page, server, browserErrors } = await openWeb({}, { hasModel: false });
    const guide = page.getByRole('region', { name: 'Get started' });
    const step = (name: string) => guide.getByRole('button', { name: new RegExp(`^${name}`) }).first();
    await step('Import notes').click();
    // The focus ring surrounds the whole row and is not cut off.
    const width = async (part: Locator): Promise<number> => (await part.boundingBox())?.width ?? Number.NaN;
    expect(await width(step('Import notes'))).toBe(await width(step('Import notes').locator('..')));
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineOffset')).toBe('-2px');
    await guide.locator('input[type=file]').setInputFiles([
      { name: 'Old note.md', mimeType: 'text/markdown', buffer: Buffer.from('# Old\n\nFrom before.\n') },
      { name: 'plain.txt', mimeType: 'text/plain', buffer: Buffer.from('Plain words.\n') },
      { name: 'no text.md', mimeType: 'text/markdown', buffer: Buffer.from([0, 1, 2]) },
    ]);
    await page.getByText('2 notes imported.').waitFor();
    await guide.getByText('Not imported: no text.md').waitFor();
    expect(readFileSync(join(server.folder, 'bucket/Old note.md'), 'utf8')).toContain('From before.');
    await page.getByText('2 notes imported.').locator('..').getByRole('button', { name: 'Undo' }).click();
    for (const name of ['Old note.md', 'plain.md'])
      await expect
        .poll(() => existsSync(join(server.folder, 'bucket', name)), { timeout: 30_000 })
        .toBe(false);

    await step('Connect an AI tool').click();
    await guide.getByRole('button', { name: 'Claude Code' }).click();
    await guide.getByText('claude mcp add --scope user keepsake').waitFor();
    const link = guide.getByRole('link', { name: 'Install in Cursor' });
    expect(await link.getAttribute('href')).toMatch(
      /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=keepsake/,
    );

    await step('Add a model').click();
    await guide.getByRole('combobox', { name: 'Provider' }).selectOption('openai-compatible');
    await guide.getByRole('textbox', { name: 'Model name' }).fill('test');
    await guide.getByRole('textbox', { name: 'Base URL' }).fill(server.model.baseUrl);
    await guide.getByLabel('API key', { exact: true }).fill('a-key-typed-here');
    server.model.script({ calls: [{ tool: 'report', input: { left: 'yellow', right: 'blue' } }] });
    await expectNoOverflow(page);
    await saveScreenshot(page, 'start');
    await guide.getByRole('button', { name: 'Save and test' }).click();
    await guide.getByText(/Working: answered in/).waitFor();
    await guide.getByText(/Enter the price above/).waitFor();
    await saveScreenshot(page, 'start-tested');
    expect(await guide.getByLabel('API key', { exact: true }).inputValue()).toBe('');
    expect(await page.content()).not.toContain('a-key-typed-here');
    expect(await seriousIn(page)).toEqual([]);

    await guide.getByRole('button', { name: 'New note', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Hello');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/Hello.md');
    // The generated list of files is not in the tree.
    await page.getByRole('treeitem', { name: 'Hello.md' }).waitFor();
    await expect.poll(() => existsSync(join(server.folder, 'tree.md')), { timeout: 60_000 }).toBe(true);
    expect(await page.getByRole('treeitem', { name: 'tree.md' }).count()).toBe(0);
    // One of the files was rejected.
    expect(browserErrors.filter((line) => !/4(?:04|22)/.test(line))).toEqual([]);
  });

  it('has settings for hidden files, access and the model', async () => {
    const { page, server, browserErrors, go } = await openWeb(
      { 'private/a.md': 'a', 'private/b.md': 'b' },
      { hasModel: false },
    );
    await go('/settings');
    const section = (name: string) =>
      page.locator('section', { has: page.getByRole('heading', { name, exact: true }) });
    // Home counts notes; here it is what search contains.
    await page.getByText(/^\d+ searchable files?, \d+ passages? ·/).waitFor();
    const hidden = section('Hidden from AI');
    await hidden.getByText('Nothing is hidden.').waitFor();
    await hidden.getByRole('textbox').fill('private/**');
    await hidden.getByRole('button', { name: 'Hide', exact: true }).click();
    await hidden.getByText('2 files').waitFor();
    await hidden.getByRole('textbox').fill('inbox/**');
    await hidden.getByRole('button', { name: 'Hide', exact: true }).click();
    await hidden.getByText(/which the update agent must write to/).waitFor();

    const programs = section('API tokens');
    await programs.getByRole('textbox', { name: 'Name' }).fill('my script');
    await programs.getByRole('button', { name: 'Create token' }).click();
    const secret = (await programs.getByText(/^keepsake_/).textContent()) ?? '';
    const known = await fetch(`${server.url}/api/vaults/default/status`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(known.status).toBe(200);
    await saveScreenshot(page, 'settings');
    await programs.getByRole('button', { name: 'Revoke my script' }).click();
    await programs.getByText('No tokens yet.').waitFor();
    await programs.getByRole('textbox', { name: 'Name' }).fill('my calendar');
    await programs.getByRole('button', { name: 'Calendar only' }).click();
    await programs.getByRole('button', { name: 'Create token' }).click();
    const address = (await programs.getByText(/calendar\.ics\?token=/).textContent()) ?? '';
    const feed = await fetch(address);
    expect([feed.status, (await feed.text()).split('\r\n')[0]]).toEqual([200, 'BEGIN:VCALENDAR']);
    await programs.getByRole('button', { name: 'Revoke my calendar' }).click();
    await programs.getByText('No tokens yet.').waitFor();
    expect((await fetch(address)).status).toBe(401);
    await page.getByText(/Your phone cannot reach this address/).waitFor();

    const model = section('AI model');
    await model.getByRole('combobox', { name: 'Provider' }).selectOption('openai-compatible');
    await model.getByRole('textbox', { name: 'Model name' }).fill('test');
    await model.getByRole('textbox', { name: 'Base URL' }).fill(server.model.baseUrl);
    await model.getByRole('textbox', { name: 'input', exact: true }).fill('1000');
    await model.getByRole('textbox', { name: 'output', exact: true }).fill('2000');
    server.model.script({ text: 'I would rather not.' });
    await model.getByRole('button', { name: 'Save and test' }).click();
    await model.getByText('I would rather not.').waitFor();
    await model.getByText(/does not support tool calling/).waitFor();
    await model.getByText(/tokens, \$/).waitFor();
    server.model.respond(() => ({
      fault: 'status',
      status: 401,
      body: '{"error":{"message":"no such key"}}',
    }));
    await model.getByRole('button', { name: 'Test', exact: true }).click();
    await model.getByRole('alert').waitFor();
    await model.getByRole('button', { name: 'Remove model' }).click();
    await page.getByText('Model removed').waitFor();
    expect(await seriousIn(page)).toEqual([]);
    expect(browserErrors.filter((line) => !/4(?:04|22)|50\d/.test(line))).toEqual([]);
  });

  it('offers a QR code to sign in on a phone that can reach the server', async () => {
    const { page, server, context } = await openWeb({}, { hasModel: false });
    const port = new URL(server.url).port;
    const cookies = await context.cookies();
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: otherHostName })));
    await page.goto(`http://${otherHostName}:${port}/settings`);
    await page.getByRole('button', { name: 'Show QR code' }).click();
    const code = page.getByRole('img', { name: 'Sign-in QR code' });
    await code.waitFor();
    await saveScreenshot(page, 'phone-code');
    expect((await code.locator('path').getAttribute('d'))?.length ?? 0).toBeGreaterThan(1_000);
    // The page asks for no key over an unencrypted connection.
    expect(await page.getByLabel('API key', { exact: true }).count()).toBe(0);
    await page.getByText('keepsake config key').waitFor();
    // Copying works without the clipboard API, which such a page does not have.
    await page.goto(`http://${otherHostName}:${port}/file/profile.md#L1`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('region', { name: 'Composer' }).getByRole('textbox').focus();
    await page.keyboard.press('Control+v');
    await expect
      .poll(() => page.getByRole('region', { name: 'Composer' }).getByRole('textbox').inputValue())
      .toContain('/file/profile.md#L1');
  });
});
