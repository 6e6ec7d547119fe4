import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { looking } from '../agents/agent-vault.ts';
import { startScriptedModels } from '../scripted-models/server.ts';
import { hasChromium, keepPicture, openWeb } from './open-web.ts';

const path = 'projects/startup-x/changelog.md';
const files = {
  [path]:
    '# 2025-07-14\n\n## [decision] No external API\nThe supplier cannot deliver before June.\n\n# 2025-07-01\n\n## Began\nFirst day.\n',
};
const overview = 'The API is built in house.\nThe reason stands in the changelog of startup-x.';

describe.skipIf(!hasChromium)('a question', () => {
  it('is answered with source lines that lead to their place, and says when they changed', async () => {
    const { page, server, complaints } = await openWeb(files);
    server.model.script(
      { calls: [{ tool: 'search', input: { queries: ['supplier deliver'], mode: 'fast' } }] },
      {
        text: overview,
        calls: [{ tool: 'concat', input: { files: [{ path: `vault/${path}`, lines: '3-4' }] } }],
      },
    );
    await page.getByRole('button', { name: 'Ask', exact: true }).first().click();
    await page.getByRole('textbox', { name: 'A question to your vault' }).fill('Why no external API?');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The API is built in house.').waitFor();
    await page.getByText('Still matches').waitFor();
    await page.getByText('The supplier cannot deliver before June.').waitFor();
    await keepPicture(page, 'answer');
    await page.getByRole('link', { name: 'Lines 3–4' }).click();
    await page.waitForURL(`**/file/${path}#L3-4`);
    await page.locator('.marked').waitFor();
    const marked = await page.locator('.marked').boundingBox();
    const line = await page.getByText('The supplier cannot deliver').boundingBox();
    expect(marked?.y).toBeLessThan(line?.y ?? 0);
    expect((marked?.y ?? 0) + (marked?.height ?? 0)).toBeGreaterThanOrEqual((line?.y ?? 0) + 10);
    await keepPicture(page, 'lines');
    // Lines that moved are still theirs; lines that changed are said to have.
    const file = join(server.folder, path);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `# 2025-07-20\n\nNew.\n\n${text}`);
    await page.getByText('New.').waitFor();
    await page.goBack();
    await page.getByText('Moved').waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('before June', 'before May'));
    await page.getByText('Changed since').waitFor();
    // Loaded anew it is still there, and its lines are compared again.
    await page.reload();
    await page.getByText('The API is built in house.').waitFor();
    await page.getByText('Changed since').waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('before May', 'before June'));
    await page.reload();
    await page.getByText('Moved').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is told of an entry that was replaced, in the answer and in the palette, in English and French', async () => {
    const replacing =
      '# 2025-09-02\n\n## The API is back\nreplaces: projects/startup-x/changelog.md § [decision] No external API\n';
    const { page, server, complaints } = await openWeb({ ...files, 'changelog.md': replacing });
    server.model.script({
      text: overview,
      calls: [{ tool: 'concat', input: { files: [{ path: `vault/${path}`, lines: '3-4' }] } }],
    });
    await page.getByRole('button', { name: 'Ask', exact: true }).first().click();
    await page.getByRole('textbox', { name: 'A question to your vault' }).fill('Why no external API?');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Still matches').waitFor();
    const told =
      '“[decision] No external API” was replaced on 2025-09-02 by changelog.md:3 § The API is back';
    await page.getByRole('link', { name: told }).waitFor();
    await keepPicture(page, 'answer-replaced');
    await page.getByRole('link', { name: told }).click();
    await page.waitForURL('**/file/changelog.md#L3');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('supplier');
    await page.getByRole('option').filter({ hasText: told }).waitFor();
    await keepPicture(page, 'palette-replaced');
    await page.getByRole('combobox').fill('> français');
    await page.keyboard.press('Enter');
    await page.goBack();
    await page
      .getByText('« [decision] No external API » a été remplacé le 2025-09-02 par changelog.md:3')
      .waitFor();
    await keepPicture(page, 'answer-replaced-fr');
    // Once the line is gone, so is what it said.
    writeFileSync(join(server.folder, 'changelog.md'), '# 2025-09-02\n\n## The API is back\n');
    await page.getByText('a été remplacé').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('goes on when the page is loaded anew', async () => {
    const { page, server } = await openWeb(files);
    const { promise, resolve } = Promise.withResolvers<void>();
    onTestFinished(() => resolve());
    server.model.respond(async () => {
      await promise;
      return looking;
    });
    await page.getByRole('button', { name: 'Ask', exact: true }).first().click();
    await page.getByRole('textbox', { name: 'A question to your vault' }).fill('Why no external API?');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => server.model.requests.length).toBe(1);
    await page.reload();
    await page.getByText('Looking…').waitFor();
    await expect.poll(() => server.model.requests.length).toBe(2);
    server.model.respond((_, index) => (index === 2 ? { text: overview } : looking));
    resolve();
    await page.getByText('The API is built in house.').waitFor();
    expect(await page.getByText('There is no answer').count()).toBe(0);
  });

  it('without a model says what works and how to add one', async () => {
    const { page, complaints } = await openWeb(files, { hasModel: false });
    // What is handed over is kept, and says what it waits for.
    await page.getByRole('textbox', { name: /A note/ }).fill('A note for later');
    await page.keyboard.press('Control+Enter');
    await page.getByText('It is filed as soon as there is a model').waitFor();
    await page.getByRole('link', { name: 'Show' }).click();
    await page.getByRole('main').getByText('It is filed as soon as there is a model').waitFor();
    await keepPicture(page, 'waits-for-model');
    await page.getByRole('link', { name: 'How to add one' }).first().click();
    await page.getByText('What works without a model').waitFor();
    await page.getByText('keepsake config model').first().waitFor();
    await keepPicture(page, 'settings');
    expect(complaints).toEqual([]);
  });

  it('can be put from the palette, which also finds lines in files', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`gravel-${at}.md`, `# Gravel ${at}\n`]),
    );
    const { page, server, complaints } = await openWeb({ ...files, ...many });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('gravel');
    await page.getByText('8 of 30 results').waitFor();
    await page.getByRole('combobox').fill('supplier');
    const hit = page.getByRole('option').filter({ hasText: 'The supplier cannot deliver' });
    await hit.waitFor();
    await keepPicture(page, 'palette');
    await page.getByRole('combobox').fill('projects/startup-x/ supplier');
    await page.getByText('in projects/startup-x').waitFor();
    await hit.waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/file/${path}#L*`);
    server.model.script(looking, { text: overview });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('why is it late');
    await page.getByRole('option', { name: 'Ask: why is it late' }).click();
    await page.getByText('The API is built in house.').waitFor();
    await page.getByText('Nothing in the vault was cited').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is searched deeper on demand, by meaning and in other words, and each stage is named', async () => {
    const models = await startScriptedModels();
    onTestFinished(() => models.close());
    const { page, server, complaints } = await openWeb(files, { searchModels: models.baseUrl });
    await server.keepsake.search.prepare('deep', () => undefined);
    models.script('/chat/completions', { do: 'say', text: 'lex: supplier deliver\nvec: supplier deliver' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('vendor shipping');
    await page.getByText('0 results').waitFor();
    await page.getByText('Ran: words', { exact: true }).waitFor();
    await page.evaluate(`{
      const send = window.fetch;
      const goOn = new Promise((resolve) => void (window.goOn = resolve));
      window.fetch = async (path, init) => (await (path.endsWith('/search') ? goOn : null), send(path, init));
    }`);
    await page.getByRole('option', { name: 'Search deeper' }).click();
    await page.getByRole('status').filter({ hasText: 'Search deeper' }).waitFor();
    await page.evaluate('window.goOn()');
    await page.getByText('Ran: words, other words, meaning, order').waitFor();
    await page.getByRole('option').filter({ hasText: 'The supplier cannot deliver' }).waitFor();
    // The best one is chosen, and the keyboard still where it was.
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/file\/.+#L/);
    expect(models.requests.map((request) => request.path)).toContain('/v1/rerank');
    expect(complaints).toEqual([]);
  });

  it('searched deeper without a model for it says what is missing', async () => {
    const { page, complaints } = await openWeb(files);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('supplier');
    await page.getByRole('option').filter({ hasText: 'The supplier cannot deliver' }).waitFor();
    await page.keyboard.press('Alt+Enter');
    await page.getByText('no embedding model is chosen').waitFor();
    await page.getByText('Ran: words', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
