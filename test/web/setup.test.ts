import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsIn } from './accessibility.ts';
import { otherName } from './chromium.ts';
import { expectNoOverflow, hasChromium, keepPicture, openWeb } from './open-web.ts';

const seriousIn = async (page: Page): Promise<string[]> => {
  const violations = await violationsIn(page);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
};

describe.skipIf(!hasChromium)('a fresh vault without a key', () => {
  it('is begun in its place: a note, notes of this computer, a tool, a model', async () => {
    const { page, server, complaints } = await openWeb({}, { hasModel: false });
    const guide = page.getByRole('region', { name: 'A good start' });
    const step = (name: string) => guide.getByRole('button', { name: new RegExp(`^${name}`) }).first();
    await step('Bring in what you have').click();
    await guide.locator('input[type=file]').setInputFiles([
      { name: 'Old note.md', mimeType: 'text/markdown', buffer: Buffer.from('# Old\n\nFrom before.\n') },
      { name: 'plain.txt', mimeType: 'text/plain', buffer: Buffer.from('Plain words.\n') },
      { name: 'no text.md', mimeType: 'text/markdown', buffer: Buffer.from([0, 1, 2]) },
    ]);
    await page.getByText('2 notes are in.').waitFor();
    await guide.getByText('Not brought in: no text.md').waitFor();
    expect(readFileSync(join(server.folder, 'bucket/Old note.md'), 'utf8')).toContain('From before.');
    await page.getByText('2 notes are in.').locator('..').getByRole('button', { name: 'Undo' }).click();
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
    await guide.getByRole('textbox', { name: 'Name of the model' }).fill('test');
    await guide.getByRole('textbox', { name: 'Address' }).fill(server.model.baseUrl);
    await guide.getByLabel('Key', { exact: true }).fill('a-key-typed-here');
    server.model.script({ calls: [{ tool: 'report', input: { left: 'yellow', right: 'blue' } }] });
    await expectNoOverflow(page);
    await keepPicture(page, 'start');
    await guide.getByRole('button', { name: 'Use and test it' }).click();
    await guide.getByText(/It works: it answered in/).waitFor();
    await guide.getByText(/its price is not known/).waitFor();
    await keepPicture(page, 'start-tested');
    expect(await guide.getByLabel('Key', { exact: true }).inputValue()).toBe('');
    expect(await page.content()).not.toContain('a-key-typed-here');
    expect(await seriousIn(page)).toEqual([]);

    await step('Write a note').click();
    await step('Write a note').click();
    await guide.getByRole('button', { name: 'Write a note', exact: true }).last().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Hello');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/file/Hello.md');
    // One of the files was refused.
    expect(complaints.filter((line) => !/4(?:04|22)/.test(line))).toEqual([]);
  });

  it('says in its settings what is hidden from models, who may come in, and what a model does', async () => {
    const { page, server, complaints, go } = await openWeb(
      { 'private/a.md': 'a', 'private/b.md': 'b' },
      { hasModel: false },
    );
    await go('/settings');
    const section = (name: string) =>
      page.locator('section', { has: page.getByRole('heading', { name, exact: true }) });
    const hidden = section('Kept from models');
    await hidden.getByText('Nothing is kept from models.').waitFor();
    await hidden.getByRole('textbox').fill('private/**');
    await hidden.getByRole('button', { name: 'Keep back', exact: true }).click();
    await hidden.getByText('hides 2 files').waitFor();
    await hidden.getByRole('textbox').fill('inbox/**');
    await hidden.getByRole('button', { name: 'Keep back', exact: true }).click();
    await hidden.getByText(/where the update agent has to write/).waitFor();

    const programs = section('Programs with a token');
    await programs.getByRole('textbox', { name: 'Name' }).fill('my script');
    await programs.getByRole('button', { name: 'Create a token' }).click();
    const secret = (await programs.getByText(/^keepsake_/).textContent()) ?? '';
    const known = await fetch(`${server.url}/api/vaults/default/status`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(known.status).toBe(200);
    await keepPicture(page, 'settings');
    await programs.getByRole('button', { name: 'Revoke my script' }).click();
    await programs.getByText('No program has one.').waitFor();
    await page.getByText(/A phone cannot reach this address/).waitFor();

    const model = section('Model');
    await model.getByRole('combobox', { name: 'Provider' }).selectOption('openai-compatible');
    await model.getByRole('textbox', { name: 'Name of the model' }).fill('test');
    await model.getByRole('textbox', { name: 'Address' }).fill(server.model.baseUrl);
    await model.getByRole('textbox', { name: 'read', exact: true }).fill('1000');
    await model.getByRole('textbox', { name: 'written', exact: true }).fill('2000');
    server.model.script({ text: 'I would rather not.' });
    await model.getByRole('button', { name: 'Use and test it' }).click();
    await model.getByText('I would rather not.').waitFor();
    await model.getByText(/does not call tools/).waitFor();
    await model.getByText(/tokens, \$/).waitFor();
    server.model.respond(() => ({
      fault: 'status',
      status: 401,
      body: '{"error":{"message":"no such key"}}',
    }));
    await model.getByRole('button', { name: 'Test it', exact: true }).click();
    await model.getByRole('alert').waitFor();
    await model.getByRole('button', { name: 'Use no model' }).click();
    await page.getByText('No model is used now').waitFor();
    expect(await seriousIn(page)).toEqual([]);
    expect(complaints.filter((line) => !/4(?:04|22)|50\d/.test(line))).toEqual([]);
  });

  it('signs a phone in with a code, where a phone can reach it', async () => {
    const { page, server, context } = await openWeb({}, { hasModel: false });
    const port = new URL(server.url).port;
    const cookies = await context.cookies();
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: otherName })));
    await page.goto(`http://${otherName}:${port}/settings`);
    await page.getByRole('button', { name: 'Show the code' }).click();
    const code = page.getByRole('img', { name: 'Code that signs a phone in' });
    await code.waitFor();
    await keepPicture(page, 'phone-code');
    expect((await code.locator('path').getAttribute('d'))?.length ?? 0).toBeGreaterThan(1_000);
    // No key is typed where others can read along.
    expect(await page.getByLabel('Key', { exact: true }).count()).toBe(0);
    await page.getByText('keepsake config key').waitFor();
    // Such a page has no clipboard of its own, and copies all the same.
    await page.goto(`http://${otherName}:${port}/file/profile.md#L1`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('region', { name: 'Composer' }).getByRole('textbox').focus();
    await page.keyboard.press('Control+v');
    await expect
      .poll(() => page.getByRole('region', { name: 'Composer' }).getByRole('textbox').inputValue())
      .toContain('/file/profile.md#L1');
  });
});
